-- What is open is counted and summed by side, by state, by age and by customer or vendor without reading the documents
-- themselves: an index that holds what is asked.
drop index document_open;
create index document_open on document (company_id, side, status, due_date)
  include (entity_id, total_cents, open_cents)
  where not deleted and (open_cents <> 0 or status = 1) and status <> 5;
