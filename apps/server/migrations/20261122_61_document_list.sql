-- The list of documents in the order of their numbers, page by page: a page costs the same wherever it is.
create index document_list on document (company_id, side, lpad(document_number, 20, '0'), id) where not deleted;
