-- The first-time setup is for new companies: one that had customers, vendors, products or entries before it is set up.
-- Forced row-level security hides the rows from their owner too; it is set again after the migrations.
alter table company no force row level security;
alter table entity no force row level security;
alter table product no force row level security;
alter table journal_transaction no force row level security;
update company c set setup_completed = true
where not c.setup_completed and (
  exists (select from entity e where e.company_id = c.company_id)
  or exists (select from product p where p.company_id = c.company_id)
  or exists (select from journal_transaction t where t.company_id = c.company_id));
