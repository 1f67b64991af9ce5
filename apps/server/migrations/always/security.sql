-- Runs after the migrations at every start, even if no migration was new. Enforces the rules for all tables, so that
-- they also apply to new tables. Changes only what does not meet the rules yet, and rejects tables that are neither of
-- the installation nor of companies.

-- The tables that are read before the company is known. Every other table belongs to companies.
create or replace function pg_temp.is_of_installation(name name) returns boolean
language sql immutable
return name in (
  'api_key', 'app_user', 'installation', 'membership', 'migration', 'passkey', 'passkey_challenge', 'proof_key',
  'rate_limit', 'recovery_code', 'second_factor', 'session', 'sign_in_place', 'token');

-- The rights of the runtime role. Rows of the journal, its chain, the audit log, the moves of the closing date, the
-- parties of old documents, earlier versions of rows, and sent reports are only added and never changed. The bytes of a
-- file do not change either.
create or replace function pg_temp.rights_on(name name) returns text[]
language sql immutable
return case
  when name = 'migration' then '{select}'::text[]
  when name in ('journal_transaction', 'journal_line', 'audit_log', 'closing', 'party_version', 'past_row',
    'sent_report') then '{select,insert}'
  when name = 'attachment_part' then '{select,insert,delete}'
  when name in ('audit_lane', 'company', 'journal_live', 'ledger_head', 'ledger_total', 'number_sequence')
    then '{select,insert,update}'
  else '{select,insert,update,delete}'
end;

create or replace view pg_temp.our_table as
select c.oid, c.relname as name, c.relrowsecurity as is_secured, c.relforcerowsecurity as is_forced
from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  and c.relowner = (select oid from pg_roles where rolname = current_user)
  and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e');

-- Tenancy. In every company table, company_id is not null and comes first in each key, including foreign keys to other
-- company tables. Company tables and installation tables never refer to each other.
do $$
declare
  wrong text;
begin
  select string_agg(fault, '; ' order by fault) into wrong
  from (
    select format('table %s must have a company_id that is not null', t.name) as fault
    from pg_temp.our_table t
    where not pg_temp.is_of_installation(t.name) and not exists (
      select from pg_attribute a where a.attrelid = t.oid and a.attname = 'company_id' and a.attnotnull)
    union all
    select format('table %s has no primary key', t.name)
    from pg_temp.our_table t
    where not exists (select from pg_constraint p where p.conrelid = t.oid and p.contype = 'p')
    union all
    select format('key %s of %s does not begin with company_id', i.indexrelid::regclass, t.name)
    from pg_temp.our_table t
    join pg_index i on i.indrelid = t.oid and i.indisunique
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where not pg_temp.is_of_installation(t.name) and a.attname is distinct from 'company_id'
    union all
    select format('reference %s of %s does not begin with company_id', f.conname, t.name)
    from pg_temp.our_table t
    join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
    where not pg_temp.is_of_installation(t.name) and (a.attname, b.attname) <> ('company_id', 'company_id')
    union all
    select format('reference %s of %s connects a company table and an installation table', f.conname, t.name)
    from pg_temp.our_table t
    join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    join pg_class c on c.oid = f.confrelid
    where pg_temp.is_of_installation(t.name) <> pg_temp.is_of_installation(c.relname)
    union all
    select format('constraint %s of %s may wait for the end of a transaction', d.conname, t.name)
    from pg_temp.our_table t
    join pg_constraint d on d.conrelid = t.oid and d.condeferrable) faults;
  if wrong is not null then
    raise exception '%', wrong;
  end if;
end $$;

-- A second protection in addition to "company_id = $n" in every statement. The runtime role can't see rows of other
-- companies. If the setting is missing or empty, it sees no rows.
do $$
declare
  t record;
begin
  for t in select * from pg_temp.our_table where not pg_temp.is_of_installation(name) loop
    if not t.is_secured then
      execute format('alter table %I enable row level security', t.name);
    end if;
    if not t.is_forced then
      execute format('alter table %I force row level security', t.name);
    end if;
    if not exists (select from pg_policy p where p.polrelid = t.oid and p.polname = 'company_only') then
      execute format(
        'create policy company_only on %I'
        ' using (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)'
        ' with check (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)', t.name);
    end if;
  end loop;
end $$;

-- Gives the runtime role exactly these rights.
do $$
declare
  t record;
  every constant text[] := '{select,insert,update,delete,truncate,references,trigger}';
begin
  for t in
    select name, pg_temp.rights_on(name) as wanted from pg_temp.our_table
    where exists (
      select from unnest(every) p
      where has_table_privilege('evenkeel_app', oid, p) <> (p = any (pg_temp.rights_on(name))))
  loop
    execute format('revoke all on %I from evenkeel_app', t.name);
    execute format('grant %s on %I to evenkeel_app', array_to_string(t.wanted, ', '), t.name);
  end loop;
  for t in
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relowner = (select oid from pg_roles where rolname = current_user)
      and case when c.relkind = 'S' then not (has_sequence_privilege('evenkeel_app', c.oid, 'usage')
        and has_sequence_privilege('evenkeel_app', c.oid, 'select')) end
  loop
    execute format('grant usage, select on sequence %I to evenkeel_app', t.name);
  end loop;
end $$;
grant usage on schema public to evenkeel_app;

-- Returns whether any row of the company refers to this one. Checks all foreign keys except those that delete the
-- referring row together with the record. Call it after the statement that locks the row, so that no reference can be
-- added in between.
create or replace function record_is_used(kind regclass, company bigint, record_id bigint) returns boolean
language plpgsql stable
as $$
declare
  reference record;
  is_used boolean;
begin
  for reference in
    select f.conrelid::regclass as name, a.attname as referring
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[2]
    where f.contype = 'f' and f.confrelid = kind and cardinality(f.conkey) = 2 and f.confdeltype <> 'c'
  loop
    execute format('select exists (select from %s where company_id = $1 and %I = $2)', reference.name,
      reference.referring)
      into is_used using company, record_id;
    if is_used then
      return true;
    end if;
  end loop;
  return false;
end $$;

-- The statistics of company_id contain only the largest company, so the planner assumes that every other company has
-- the average size. With the usual list of a hundred companies, it would expect a single row for a company that is not
-- yet in the list. Any index that begins with company_id then seems suitable, and every joined row reads the whole
-- company. The server analyzes a table after 250 changes plus 0.2% of its rows instead of 10%, because a new company's
-- rows would not reach 10% for a long time.
do $$
declare
  t record;
begin
  for t in
    select o.name from pg_temp.our_table o
    join pg_class c on c.oid = o.oid
    join pg_attribute a on a.attrelid = o.oid and a.attname = 'company_id'
    where not pg_temp.is_of_installation(o.name)
      and (a.attstattarget is distinct from 1 or c.reloptions is null
        or not c.reloptions @> '{autovacuum_analyze_threshold=250,autovacuum_analyze_scale_factor=0.002}')
  loop
    execute format('alter table %I alter company_id set statistics 1', t.name);
    execute format(
      'alter table %I set (autovacuum_analyze_threshold = 250, autovacuum_analyze_scale_factor = 0.002)', t.name);
  end loop;
end $$;
