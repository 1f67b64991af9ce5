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

-- Returns that were filed before have no amounts by tax item. All of their amounts are listed under the agency's first
-- item, so that the totals agree.
alter table tax_return no force row level security;
alter table tax_agency_item no force row level security;
alter table sales_tax_item no force row level security;
insert into tax_return_item
  (company_id, return_id, item_id, label, rates, taxable_cents, tax_cents, since_taxable_cents, since_tax_cents)
select r.company_id, r.id, i.id, i.label, '{}', r.taxable_cents, r.tax_cents, r.since_taxable_cents, r.since_tax_cents
from tax_return r
cross join lateral (
  select s.id, s.label
  from tax_agency_item a
  join sales_tax_item s on s.company_id = a.company_id and s.id = a.item_id
  where a.company_id = r.company_id and a.agency_id = r.agency_id
  order by s.id limit 1) i;
