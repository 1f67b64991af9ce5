-- A document from before the opening balances has only its open part. `opening` has the original amounts of its lines
-- and taxes in cents, the amount settled before (`settled`), and whether it was entered with the opening balances or
-- imported (`source`). It keeps the number of the program that the company used before, which can repeat.
alter table document add column opening jsonb;
drop index document_number;
create unique index document_number on document (company_id, kind, document_number)
  where side = 'receivable' and opening is null;
create index document_opening on document (company_id, id) where opening is not null;

-- The opening balances of a company, which has at most one row. `balances` has the accounts with their debits less
-- credits in cents, on both bases if they were stated. fiscal_year_start decides which income and expenses of open
-- documents are part of retained earnings, even if the fiscal year changes later.
create table opening_balance (
  company_id bigint not null references company,
  id bigint not null check (id = 1),
  balance_date date not null,
  fiscal_year_start date not null,
  balances jsonb not null,
  row_version integer not null default 1,
  person text not null,
  posted_at timestamptz not null default now(),
  primary key (company_id, id)
);
