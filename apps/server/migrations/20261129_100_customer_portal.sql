-- A private link can also open a customer's own page instead of one document.
alter table document_link alter column document_id drop not null;
alter table document_link add column entity_id bigint;
alter table document_link add constraint document_link_about check (num_nonnulls(document_id, entity_id) = 1);
alter table document_link add
  foreign key (company_id, entity_id) references entity (company_id, id);
create index document_link_entity on document_link (company_id, entity_id) where entity_id is not null;

-- A page that pays several invoices has one row for each. They share this text, the key, and the provider's ID.
alter table online_session add column combination text not null default '';
-- Fixed when the page is created, because a repeated request must be the same.
alter table online_session add column is_bank_debit boolean not null default false;
drop index online_session_open;
create unique index online_session_open
  on online_session (company_id, document_id, amount_cents, open_cents, combination) where status = 'open';

-- The highest amount that can be paid by card. Null if there is no limit.
alter table online_connection add column most_by_card_cents bigint check (most_by_card_cents > 0);
