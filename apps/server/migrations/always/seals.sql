-- Runs after the migrations at every start. Every row that affects a figure, a document, or a permission has a seal,
-- which is the digest of its columns as Evenkeel saved them. `verify` computes the seals again and lists the rows whose
-- columns have changed. Like the journal's chain, a seal has no key. It reveals errors and changes made outside
-- Evenkeel, but a person who can write to the database as its owner can also update the seal.

-- The columns without a seal, and the reasons. The checked ones depend on other columns, and `verify` computes them
-- again. An asterisk means all tables or all columns. A column that is not listed is sealed.
create or replace function unsealed()
returns table (relation text, "column" text, is_checked boolean, reason text)
language sql immutable
begin atomic
  values
    ('journal_transaction', '*', true, 'included in the hash chain'),
    ('journal_line', '*', true, 'included in the hash chain'),
    ('audit_log', '*', true, 'included in its own hash chain'),
    ('audit_lane', '*', true, 'compared with the end of its chain'),
    ('ledger_total', '*', true, 'the lines are added up again'),
    ('document_open_sum', '*', true, 'the open documents are added up again'),
    ('journal_live', '*', true, 'compared with the lines that are not reversed'),
    ('finance_charge_day', '*', true, 'the days of the charges are counted again'),
    ('search_entry', '*', true, 'the entries are created again from their records'),
    ('payment_application', 'company_id', true, 'compared with the payment and the document'),
    ('payment_application', 'payment_id', true, 'compared with the payment'),
    ('payment_application', 'document_id', true, 'compared with the document'),
    ('payment_application', 'amount_cents', true, 'compared with the journal and the totals'),
    ('payment_application', 'waived_cents', true, 'compared with the journal'),
    ('payment_application', 'recognition_date', true, 'compared with the dates of the payment and the document'),
    ('payment_application', 'side', true, 'compared with the payment and the document'),
    ('payment_application', 'applied_before_cents', true, 'the earlier applications are added up again'),
    ('attachment_part', '*', true, 'the bytes must match the digests of the part and the file'),
    ('ledger_head', 'next_transaction_id', true, 'must be one more than the last transaction'),
    ('ledger_head', 'next_line_id', true, 'must be one more than the last line'),
    ('ledger_head', 'next_posting_no', true, 'must be one more than the last entry of the chain'),
    ('ledger_head', 'last_hash', true, 'must be the hash of the last entry'),
    ('number_sequence', '*', true, 'compared with the highest document number'),
    ('document', 'applied_cents', true, 'the applied amounts are added up again'),
    ('document', 'open_cents', true, 'must be the total less the applied amount'),
    ('payment', 'applied_cents', true, 'the applied amounts are added up again'),
    ('payment', 'unapplied_cents', true, 'must be the amount less the applied amount'),
    ('*', 'row_version', false, 'a change counter that is only compared with open forms'),
    ('membership', 'last_sign_in_at', false, 'shown in the user list, and determines which company opens at sign-in'),
    ('session', 'last_seen_at', false, 'changes with every request, and can only end a session within its time limit'),
    ('idempotency', '*', false, 'the responses to repeated requests, stored for seven days and used for nothing else'),
    ('job', '*', false, 'waiting work, changed by each attempt. An email contains only its user until it is sent'),
    ('api_key', 'last_used_at', false, 'the time of the last request, which is only shown'),
    ('sign_in_place', '*', false, 'only determines which limit counts failed sign-ins'),
    ('rate_limit', '*', false, 'counts attempts for a few minutes'),
    ('installation', '*', false, 'the time of the last backup, which is only shown'),
    ('proof_key', '*', false, 'the encryption authenticates the key, and outsiders compare its public part'),
    ('migration', '*', false, 'compared with the program files at every start');
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

-- The triggers only seal rows that the runtime role writes. Rows that the owner changes keep their previous seals. If a
-- row was changed outside Evenkeel, it keeps its old seal when other columns change later, and `verify` still reports
-- it.
-- If a table's columns change, its rows get new seals, except rows whose seals were already wrong. A migration that
-- changes rows must seal them afterward (`update t r set seal = seal_of(r) where …`).
do $$
declare
  t record;
  body text;
  known text;
  guard record;
  -- The statements that add the constraints again that rows of the table may violate.
  guards text[] := '{}';
  again text;
  digest constant text := 'sha256(record_send(row(%s)))';
  -- Citus doesn't allow a stable function of a row in an update, and doesn't pass session functions to other servers.
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
      -- Sealing changes rows, which would have to meet these constraints, too.
      for guard in
        select k.conname as name, pg_get_constraintdef(k.oid) as definition from pg_constraint k
        where k.conrelid = t.oid and k.contype = 'c' and not k.convalidated
      loop
        execute format('alter table %I drop constraint %I', t.name, guard.name);
        guards := guards || format('alter table %I add constraint %I %s', t.name, guard.name, guard.definition);
      end loop;
      execute format('update %1$I r set seal = seal_of(row(r.*)::%1$I)', t.name)
        || case when known is null then '' else format(' where r.seal = %s(row(r.*)::%I)', before, t.name) end;
      foreach again in array guards loop
        execute again;
      end loop;
      guards := '{}';
    end if;
    if known is not null then
      execute format('drop function %s(%I)', before, t.name);
    end if;
    if t.is_forced then
      execute format('alter table %I force row level security', t.name);
    end if;
    -- The triggers don't call a function of the row, because postings write many rows and the call would be most of
    -- a seal's cost. In addition, the rows of a distributed table don't have the table's type.
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
