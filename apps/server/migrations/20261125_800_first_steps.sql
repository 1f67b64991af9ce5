-- Persons who want to see the first steps of a company no more: a row for each, so that two tabs agree.
create table first_steps_dismissal (
  company_id bigint not null references company,
  user_id bigint not null,
  primary key (company_id, user_id)
);

-- A company that has billed before there were such steps is not new. Forced row-level security hides its documents from
-- their owner too; it is set again after the migrations.
alter table document no force row level security;
insert into first_steps_dismissal (company_id, user_id)
select m.company_id, m.user_id
from membership m
where exists (
  select from document d where d.company_id = m.company_id and d.side = 'receivable' and not d.deleted);
