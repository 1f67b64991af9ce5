-- The second wall behind "company_id = $n" in every statement: rows of other companies do not exist for the runtime
-- role. An unset or emptied setting means no rows.
do $$
declare
  tenant_table text;
begin
  for tenant_table in
    select c.relname
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('membership', 'session')
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy company_only on %I'
      ' using (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)'
      ' with check (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)', tenant_table);
  end loop;
end $$;

-- The worker lists due jobs of all companies, then takes each one under its own company.
create policy worker_lists on job for select using (current_setting('app.worker', true) = 'on');

-- The command line works on all companies as the schema's owner, who need not be a superuser.
create policy owner_lists on company for select to current_user using (true);

grant usage on schema public to evenkeel_app;
grant select, insert, update, delete on all tables in schema public to evenkeel_app;
grant usage, select on all sequences in schema public to evenkeel_app;

-- Append-only: the journal and its chain, and the audit log.
revoke update, delete on journal_transaction, journal_line, audit_log from evenkeel_app;
revoke delete on ledger_head, ledger_month, company from evenkeel_app;
revoke insert, update, delete on migration from evenkeel_app;
