-- Finance charges of invoices that are paid late. A company without a row charges nothing.
create table finance_charge_settings (
  company_id bigint not null references company,
  kind text not null check (kind in ('rate', 'amount')),
  -- Percent a year.
  annual_rate numeric(7, 4) not null check (annual_rate >= 0),
  amount_cents bigint not null check (amount_cents >= 0),
  grace_days integer not null check (grace_days >= 0),
  minimum_cents bigint not null check (minimum_cents >= 0),
  account_id bigint not null,
  -- Charges that are overdue are charged too.
  charges_charges boolean not null,
  row_version integer not null default 1,
  primary key (company_id),
  foreign key (company_id, account_id) references account (company_id, id)
);

-- Customers who are charged none.
create table finance_charge_off (
  company_id bigint not null references company,
  entity_id bigint not null,
  primary key (company_id, entity_id),
  foreign key (company_id, entity_id) references entity (company_id, id) on delete cascade
);

-- A line of an invoice that charges days of an overdue one. The line of a void invoice keeps its row, and takes its
-- days back when the invoice is opened again.
create table finance_charge (
  company_id bigint not null references company,
  line_id bigint not null,
  invoice_id bigint not null,
  from_date date not null,
  to_date date not null check (to_date >= from_date),
  primary key (company_id, line_id),
  foreign key (company_id, line_id) references invoice_line (company_id, id),
  foreign key (company_id, invoice_id) references document (company_id, id)
);
create index finance_charge_invoice on finance_charge (company_id, invoice_id);

-- The days that are charged: the unique index lets each day of an invoice be charged once, whoever charges it.
create table finance_charge_day (
  company_id bigint not null references company,
  invoice_id bigint not null,
  day date not null,
  line_id bigint not null,
  primary key (company_id, line_id, day),
  foreign key (company_id, line_id) references finance_charge (company_id, line_id)
);
create unique index finance_charge_day_once on finance_charge_day (company_id, invoice_id, day);
