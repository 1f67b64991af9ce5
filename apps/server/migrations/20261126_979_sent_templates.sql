-- A document that comes again may be sent as it is made; a draft is not.
alter table template
  add column sends boolean not null default false,
  add constraint template_sends check (not (sends and makes_drafts));
