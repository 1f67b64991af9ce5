-- The addresses that a company's emails went to within a day are counted.
create index mail_created on mail (company_id, created_at);

-- Private links end so many days after they were made; null is never.
alter table sending_settings add column link_days integer check (link_days between 1 and 3650);
