-- The names and addresses that papers show. A document that was posted or sent keeps those of its day: it has the row
-- versions of its customer and of the company from when it was saved, and a version that no longer holds is kept here
-- when the record changes. No row is written while no name or address changes, however many documents there are.
create table party_version (
  company_id bigint not null references company,
  -- A customer or vendor; 0 is the company itself. A deleted one leaves its versions behind.
  entity_id bigint not null,
  -- The last row version with these facts, which hold from the version behind the one kept before it.
  last_version integer not null,
  facts jsonb not null,
  primary key (company_id, entity_id, last_version)
);

-- 0 is the oldest version known: papers from before this migration show what they showed at its time.
alter table document
  add column entity_version integer not null default 0,
  add column company_version integer not null default 0;
alter table payment
  add column entity_version integer not null default 0,
  add column company_version integer not null default 0;
alter table mail
  add column entity_version integer not null default 0,
  add column company_version integer not null default 0;
