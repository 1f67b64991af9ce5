-- The last day of a guest, in the company's time zone: an accountant who looks at the books until then.
alter table membership add column ends_on date;
