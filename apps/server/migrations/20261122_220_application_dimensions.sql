-- The profit center and location that a request names on a payment's share of a document: kept and answered as sent,
-- never posted (a payment clears the lines' own). Beside payment_application, whose rows follow the settlement: one
-- share may be several of them, and an earlier payment rewrites those of later ones.
create table payment_application_dimension (
  company_id bigint not null,
  payment_id bigint not null,
  document_id bigint not null,
  profit_center_id bigint,
  location_id bigint,
  primary key (company_id, payment_id, document_id),
  foreign key (company_id, payment_id) references payment (company_id, id),
  foreign key (company_id, document_id) references document (company_id, id),
  foreign key (company_id, profit_center_id) references profit_center (company_id, id),
  foreign key (company_id, location_id) references location (company_id, id),
  check (profit_center_id is not null or location_id is not null)
);
