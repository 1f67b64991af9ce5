-- One subledger for both sides: documents (invoices, later bills) share one head and keep their own lines; payments and
-- applications say on which side they are. What is applied is kept beside what is open, so that both are checked
-- against the amount in every row.

-- Forced row-level security hides the rows from their owner too; it is set again below.
alter table invoice no force row level security;
alter table payment no force row level security;
alter table payment_application no force row level security;

alter table invoice rename to document;
alter sequence invoice_id_seq rename to document_id_seq;
alter table document rename column invoice_number to document_number;
alter table document rename column invoice_date to document_date;
alter table document rename column customer_id to entity_id;
alter table document rename column ar_account_id to control_account_id;
alter table document
  add column side text not null default 'receivable' check (side in ('receivable', 'payable')),
  add column applied_cents bigint not null default 0,
  drop constraint invoice_total_cents_check,
  drop constraint invoice_check,
  drop constraint invoice_company_id_invoice_number_key;
alter table document alter column side drop default;

alter index invoice_pkey rename to document_pkey;
alter index invoice_open rename to document_open;
alter index invoice_customer rename to document_entity;
alter index invoice_date rename to document_date;
alter table document rename constraint invoice_company_id_fkey to document_company_id_fkey;
alter table document rename constraint invoice_company_id_customer_id_fkey to document_company_id_entity_id_fkey;
alter table document
  rename constraint invoice_company_id_ar_account_id_fkey to document_company_id_control_account_id_fkey;
alter table document
  rename constraint invoice_company_id_tax_account_id_fkey to document_company_id_tax_account_id_fkey;
alter table document
  rename constraint invoice_company_id_sales_tax_scenario_id_fkey to document_company_id_sales_tax_scenario_id_fkey;
alter table document rename constraint invoice_status_check to document_status_check;
-- The company numbers its invoices; bills carry the numbers of their vendors, which need not differ.
create unique index document_number on document (company_id, document_number) where side = 'receivable';

alter table payment rename column customer_id to entity_id;
alter table payment rename column ar_account_id to control_account_id;
alter table payment
  add column side text not null default 'receivable' check (side in ('receivable', 'payable')),
  add column applied_cents bigint not null default 0,
  drop constraint payment_company_id_payment_number_key,
  add constraint payment_number unique (company_id, side, payment_number);
alter table payment alter column side drop default;
alter index payment_customer rename to payment_entity;
alter table payment rename constraint payment_company_id_customer_id_fkey to payment_company_id_entity_id_fkey;
alter table payment
  rename constraint payment_company_id_ar_account_id_fkey to payment_company_id_control_account_id_fkey;

alter table payment_application rename column invoice_id to document_id;
alter table payment_application
  add column side text not null default 'receivable' check (side in ('receivable', 'payable')),
  -- Applied to the document before, in the order of (recognition_date, payment_id): what a payment recognises follows
  -- from it, without reading the payments before.
  add column applied_before_cents bigint not null default 0;
alter table payment_application alter column side drop default, alter column applied_before_cents drop default;
alter table payment_application
  rename constraint payment_application_company_id_invoice_id_fkey to payment_application_company_id_document_id_fkey;
drop index payment_application_invoice;
create index payment_application_document
  on payment_application (company_id, document_id, recognition_date, payment_id) include (amount_cents);

update payment_application a set applied_before_cents = s.before
from (
  select company_id, payment_id, document_id, recognition_date,
    sum(amount_cents) over (partition by company_id, document_id order by recognition_date, payment_id) - amount_cents
      as before
  from payment_application) s
where (s.company_id, s.payment_id, s.document_id, s.recognition_date)
  = (a.company_id, a.payment_id, a.document_id, a.recognition_date) and s.before <> 0;

-- What stood open or unapplied is made anew from the applications: two edits at once could leave it wrong.
update document d set applied_cents = s.applied, open_cents = s.open
from (
  select d.company_id, d.id, coalesce(sum(a.amount_cents), 0) as applied,
    case when d.deleted or d.status in (1, 5) then 0 else d.total_cents - coalesce(sum(a.amount_cents), 0) end as open
  from document d
  left join payment_application a on a.company_id = d.company_id and a.document_id = d.id
  group by d.company_id, d.id) s
where (s.company_id, s.id) = (d.company_id, d.id) and (s.applied, s.open) <> (d.applied_cents, d.open_cents);
alter table payment drop constraint payment_check, drop constraint payment_check1;
update payment p set applied_cents = s.applied, unapplied_cents = s.unapplied
from (
  select p.company_id, p.id, coalesce(sum(a.amount_cents), 0) as applied,
    case when p.deleted then 0 else p.amount_cents end - coalesce(sum(a.amount_cents), 0) as unapplied
  from payment p
  left join payment_application a on a.company_id = p.company_id and a.payment_id = p.id
  group by p.company_id, p.id) s
where (s.company_id, s.id) = (p.company_id, p.id) and (s.applied, s.unapplied) <> (p.applied_cents, p.unapplied_cents);
alter table payment add constraint payment_source check ((bank_account_id is null) <> (payment_account_id is null));

-- Checked for every change from now on. Where two edits at once had applied more than there is, the rows stay as they
-- are until somebody corrects them: `verify` names them.
alter table document
  add constraint document_receivable check (side = 'payable' or total_cents >= 0) not valid,
  add constraint document_open check (
    open_cents = case when deleted or status in (1, 5) then 0 else total_cents - applied_cents end) not valid,
  add constraint document_applied check (
    case when deleted or status in (1, 5) then applied_cents = 0
      else applied_cents between least(0, total_cents) and greatest(0, total_cents) end) not valid;
alter table payment
  add constraint payment_applied check (
    applied_cents + unapplied_cents = case when deleted then 0 else amount_cents end) not valid,
  add constraint payment_unapplied check (
    applied_cents >= 0 and unapplied_cents >= 0 and (not deleted or applied_cents = 0)) not valid;
do $$
declare
  guard record;
begin
  for guard in select conrelid::regclass as relation, conname as name from pg_constraint where not convalidated loop
    begin
      execute format('alter table %s validate constraint %I', guard.relation, guard.name);
    exception when check_violation then
      raise warning 'some rows of % do not hold "%": run evenkeel verify', guard.relation, guard.name;
    end;
  end loop;
end $$;

alter table document force row level security;
alter table payment force row level security;
alter table payment_application force row level security;
