-- An amended return is a further version of the last return of an agency. Its documents are the changes since the
-- earlier versions were filed.
alter table tax_return add column version smallint not null default 1 check (version > 0);
drop index tax_return_period;
create unique index tax_return_period on tax_return (company_id, agency_id, period_to, version);

-- The amounts of a filed return by tax item, for the parts of an agency's form. Credits are negative.
create table tax_return_item (
  company_id bigint not null,
  return_id bigint not null,
  item_id bigint not null,
  label text not null,
  -- The rates on the documents, such as '{6.75,7}'.
  rates text[] not null,
  taxable_cents bigint not null,
  tax_cents bigint not null,
  since_taxable_cents bigint not null,
  since_tax_cents bigint not null,
  primary key (company_id, return_id, item_id),
  foreign key (company_id, return_id) references tax_return (company_id, id)
);
