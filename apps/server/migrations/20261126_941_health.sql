-- The findings of the last check of a company's books, check by check, and the progress of one that is under way.
create table health_check (
  company_id bigint not null references company,
  name text not null,
  checked_at timestamptz not null default now(),
  milliseconds integer not null,
  figure bigint,
  fault_count integer not null,
  message text,
  transaction_id bigint,
  primary key (company_id, name)
);
create table health_run (
  company_id bigint not null references company primary key,
  asked_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  done integer not null default 0,
  total integer not null default 0
);
