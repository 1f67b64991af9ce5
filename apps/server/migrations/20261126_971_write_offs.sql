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
