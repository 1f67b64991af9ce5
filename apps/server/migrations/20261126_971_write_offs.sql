-- Write-offs: documents of the receivable below zero, applied whole to an invoice when they are made.
alter table document drop constraint document_sign;
alter table document add constraint document_sign check (
  side = 'payable' or case when kind in ('creditmemo', 'writeoff') then total_cents <= 0 else total_cents >= 0 end)
  not valid;
do $$
begin
  alter table document validate constraint document_sign;
exception when check_violation then
  raise warning 'some rows of document do not hold "document_sign": run evenkeel verify';
end $$;
alter table document
  drop constraint document_of_credit,
  add constraint document_of_credit check (kind in ('creditmemo', 'writeoff') or credited_id is null);

-- The last part of an application, with its sign, that is applied without money: the cash view recognises nothing of
-- it.
alter table payment_application
  add column waived_cents bigint not null default 0,
  add constraint payment_application_waived check (
    waived_cents between least(0, amount_cents) and greatest(0, amount_cents));

-- Write-offs are found by their invoices.
create or replace function search_of_document(company bigint) returns setof search_entry
language sql stable
as $$
  select d.company_id, case when d.kind = 'creditmemo' then 10 when d.side = 'receivable' then 2 else 3 end::smallint,
    d.id, search_fold(d.document_number),
    search_fold(concat_ws(' ', '', d.document_number, e.displayname, search_dollars(d.total_cents),
      case when d.side = 'payable' and d.open_cents <> d.total_cents then search_dollars(d.open_cents) end, '')),
    d.total_cents, coalesce(d.invoice_date, d.document_date), d.open_cents <> 0 or d.is_draft
  from document d
  cross join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = d.entity_id offset 0) e
  where d.company_id = company and not d.deleted and d.kind <> 'writeoff'
$$;
