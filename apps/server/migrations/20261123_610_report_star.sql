-- The reports that a person has starred in a company: a row for each, so that two tabs never take back each other's.
create table report_star (
  company_id bigint not null references company,
  user_id bigint not null,
  report_id integer not null,
  primary key (company_id, user_id, report_id)
);
