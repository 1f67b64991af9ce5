-- A customer's or vendor's own lines: the journal entries that name them are found without reading all entries.
create index journal_line_entity on journal_line (company_id, entity_id, posting_date, transaction_id)
  where entity_id is not null;
