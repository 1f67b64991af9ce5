-- What a person has made of the dashboard in a company, as the API answers it; without a row it is the first order.
create table dashboard_layout (
  company_id bigint not null references company,
  user_id bigint not null,
  cards jsonb not null,
  primary key (company_id, user_id)
);

-- What revenue is measured by: of a month (0), a fiscal year (1) or a quarter (4).
create table revenue_target (
  company_id bigint not null references company,
  period_type smallint not null check (period_type in (0, 1, 4)),
  amount_cents bigint not null check (amount_cents > 0),
  primary key (company_id, period_type)
);

-- What is open today is what is open now and the few applications that take effect later.
create index payment_application_later on payment_application (company_id, recognition_date)
  include (document_id, amount_cents);
