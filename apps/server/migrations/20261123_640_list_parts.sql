-- Lists tell how much of what is open is overdue or on hold: the index alone answers.
drop index document_open;
create index document_open on document (company_id, side, is_posted, due_date)
  include (entity_id, kind, status, total_cents, open_cents)
  where not deleted and (open_cents <> 0 or is_draft);

-- The list of all payments, newest first, and by number.
create index payment_list on payment (company_id, side, payment_date, id) where not deleted;
