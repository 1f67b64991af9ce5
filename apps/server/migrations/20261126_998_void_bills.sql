-- A void bill (status 5) posts nothing, and keeps the bank that it was paid from at once: it can be opened again.
alter table document
  drop constraint document_paid_at_once,
  add constraint document_paid_at_once check (
    case status when 6 then bank_account_id is not null when 5 then true else bank_account_id is null end);
