-- The kind and the columns that a company chose for a spreadsheet, by the digest of its headings. The next one with the
-- same headings is read in the same way.
create table move_in_mapping (
  company_id bigint not null references company,
  header_digest text not null,
  kind text not null,
  mapping jsonb not null,
  primary key (company_id, header_digest)
);
