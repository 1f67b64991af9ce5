-- The open credits of a kind, which a list of bills can be narrowed to: few among all that is open.
create index document_credits on document (company_id, side, kind) include (open_cents)
  where not deleted and open_cents < 0;
