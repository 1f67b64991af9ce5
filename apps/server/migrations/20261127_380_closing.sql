-- Every move of the closing date, with the administrator's note. The last ID is the version of the date, so that a
-- request from an older page can't move it back.
create table closing (
  company_id bigint not null references company,
  id bigint not null check (id > 0),
  previous_date date,
  -- Null if no date is closed.
  closing_date date,
  note text not null,
  created_by bigint not null,
  person text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);

-- The reports of a period that an administrator signed off. next_posting_no is the next number of the journal at that
-- time: a later transaction in the period has changed the report.
create table closing_review (
  company_id bigint not null references company,
  review_date date not null,
  report text not null,
  next_posting_no bigint not null,
  created_by bigint not null,
  person text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, review_date, report)
);
