-- Run after the migrations, each time: every row that a figure, a paper or a right depends on carries a seal, the
-- digest of its columns as the product saved them. `verify` makes the seals anew and names the rows whose columns say
-- something else. Like the journal's chain, a seal has no key: it shows faults and changes made behind the product, but
-- whoever may write to the database as its owner, and knows how, can seal what he wrote.

-- Columns without a seal, and the reason. Those that are checked follow from others, and `verify` makes them anew. A
-- star stands for every table or every column. A column that is not listed is sealed.
create or replace function unsealed()
returns table (relation text, "column" text, is_checked boolean, reason text)
language sql immutable
begin atomic
  values
    ('journal_transaction', '*', true, 'the hash chain covers it'),
    ('journal_line', '*', true, 'the hash chain covers it'),
    ('audit_log', '*', true, 'its own chain covers it'),
    ('audit_lane', '*', true, 'its chain must end there'),
    ('ledger_total', '*', true, 'the lines are summed up again'),
    ('document_open_sum', '*', true, 'the open documents are summed up again'),
    ('journal_live', '*', true, 'the live lines are gathered again'),
    ('finance_charge_day', '*', true, 'the days of the charges are counted again'),
    ('search_entry', '*', true, 'the entries are made again from their records'),
    ('payment_application', '*', true, 'the journal, the amounts applied and the running sums must agree with it'),
    ('attachment_part', '*', true, 'the bytes must give the digest of the part and of the file'),
    ('ledger_head', 'next_transaction_id', true, 'it follows the last transaction'),
    ('ledger_head', 'next_line_id', true, 'it follows the last line'),
    ('ledger_head', 'next_posting_no', true, 'it follows the last entry of the chain'),
    ('ledger_head', 'last_hash', true, 'it is the hash of the last entry'),
    ('number_sequence', '*', true, 'the numbers of the documents must run up to it'),
    ('document', 'applied_cents', true, 'the applications are summed up again'),
    ('document', 'open_cents', true, 'it is the total less what is applied'),
    ('payment', 'applied_cents', true, 'the applications are summed up again'),
    ('payment', 'unapplied_cents', true, 'it is the amount less what is applied'),
    ('*', 'row_version', false, 'a counter of changes, which only an open form compares'),
    ('membership', 'last_sign_in_at', false, 'told in the list of users; it says which company a sign-in begins with'),
    ('session', 'last_seen_at', false, 'it changes with requests and can only end a session sooner or within its days'),
    ('idempotency', '*', false, 'first answers of repeated requests, kept for seven days; nothing is read from them'),
    ('job', '*', false, 'work that waits, changed by each try; a letter names its user and its text is made when sent'),
    ('sign_in_place', '*', false, 'it only says which limit counts the failures of a sign-in'),
    ('rate_limit', '*', false, 'attempts counted within minutes'),
    ('installation', '*', false, 'the moment of the last backup, which is only told'),
    ('migration', '*', false, 'compared with the files of the program at every start');
end;

create or replace view pg_temp.sealed_table as
select c.oid, c.relname as name, c.relforcerowsecurity as is_forced,
  string_agg(format('r.%I', a.attname), ', ' order by a.attname) as fields,
  string_agg(format('%I', a.attname), ', ' order by a.attname) as columns
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  and c.relowner = (select oid from pg_roles where rolname = current_user)
  and a.attname <> 'seal' and a.attgenerated = ''
  and not exists (
    select from unsealed() u where u.relation in ('*', c.relname) and u."column" in ('*', a.attname))
group by c.oid, c.relname, c.relforcerowsecurity;

-- The triggers seal what the role of requests writes, and nobody else: what the owner changes keeps the seal that it
-- had. A row that was changed behind the product keeps its old seal through later changes of other columns, so it stays
-- named.
-- A table whose columns changed is sealed anew, but for rows that did not hold before. A migration that changes rows
-- itself seals them behind it (`update t r set seal = seal_of(r) where …`).
do $$
declare
  t record;
  body text;
  known text;
  digest constant text := 'sha256(record_send(row(%s)))';
  -- Citus takes no stable function of a row into an update, and no function of one session to its other servers.
  is_citus constant boolean := exists (select from pg_extension where extname = 'citus');
  volatility constant text := case when is_citus then 'immutable' else 'stable' end;
  before constant text := case when is_citus then 'public' else 'pg_temp' end || '.seal_before';
begin
  for t in select * from pg_temp.sealed_table loop
    body := format('select ' || digest, t.fields);
    select p.prosrc into known from pg_proc p
    where p.proname = 'seal_of' and p.pronamespace = 'public'::regnamespace
      and p.proargtypes[0] = (select c.reltype from pg_class c where c.oid = t.oid);
    continue when known is not distinct from body and to_regproc('seal_again_' || t.name) is not null;
    execute format('alter table %I add column if not exists seal bytea', t.name);
    if known is not null then
      execute format('create or replace function %s(r %I) returns bytea language sql %s as %L', before, t.name,
        volatility, known);
    end if;
    execute format('create or replace function seal_of(r %I) returns bytea language sql %s as %L', t.name, volatility,
      body);
    if t.is_forced then
      execute format('alter table %I no force row level security', t.name);
    end if;
    if known is distinct from body then
      execute format('update %1$I r set seal = seal_of(row(r.*)::%1$I)', t.name)
        || case when known is null then '' else format(' where r.seal = %s(row(r.*)::%I)', before, t.name) end;
    end if;
    if known is not null then
      execute format('drop function %s(%I)', before, t.name);
    end if;
    if t.is_forced then
      execute format('alter table %I force row level security', t.name);
    end if;
    -- The triggers call no function of the row: postings write many, and that call would be most of what a seal costs.
    -- Rows of a distributed table have other types than the table besides.
    execute format('create or replace function %I() returns trigger language plpgsql as %L', 'seal_new_' || t.name,
      format('begin new.seal := ' || digest || '; return new; end', replace(t.fields, 'r.', 'new.')));
    execute format('create or replace function %I() returns trigger language plpgsql as %L', 'seal_again_' || t.name,
      format('begin new.seal := case when old.seal = ' || digest || ' then ' || digest
        || ' else old.seal end; return new; end', replace(t.fields, 'r.', 'old.'), replace(t.fields, 'r.', 'new.')));
    execute format('create or replace trigger seal before insert on %I for each row'
      ' when (current_user = ''evenkeel_app'') execute function %I()', t.name, 'seal_new_' || t.name);
    execute format('create or replace trigger seal_again before update of %s on %I for each row'
      ' when (current_user = ''evenkeel_app'') execute function %I()', t.columns, t.name, 'seal_again_' || t.name);
  end loop;
end $$;
drop function if exists seal_again();
