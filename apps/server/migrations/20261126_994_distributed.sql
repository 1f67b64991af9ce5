-- The schema can be spread over several servers (Citus), each company's rows in one place. Functions that name others
-- keep their bodies as text: a body that PostgreSQL has parsed ties tables and functions to each other, and such a knot
-- cannot be made anew on another server.
create or replace function ledger_canonical(t journal_transaction, lines journal_line[]) returns bytea
language sql immutable
as $$
  select replace(
    t.company_id || '|' || t.id || '|' || t.posting_no || '|' || encode(date_send(t.posting_date), 'hex') || '|'
    || t.source_type || '|' || t.source_id || '|' || t.created_by || '|'
    || encode(timestamptz_send(t.created_at), 'hex') || '|'
    || encode(t.previous_hash, 'hex') || '|' || octet_length(t.description) || ':' || t.description
    || coalesce((
      select string_agg(
        '|' || l.company_id || '|' || l.id || '|' || l.transaction_id || '|' || l.line_no || '|'
        || encode(date_send(l.posting_date), 'hex') || '|' || l.account_id || '|' || l.amount_cents || '|'
        || l.basis::text || '|' || coalesce(l.entity_id::text, '') || '|' || coalesce(l.profit_center_id::text, '')
        || '|' || coalesce(l.location_id::text, '') || '|' || coalesce(l.reverses::text, '') || '|'
        || octet_length(l.description) || ':' || l.description, '' order by l.line_no)
      from unnest(lines) l), ''),
    '\', '\\')::bytea
$$;
create or replace function ledger_hash(t journal_transaction, lines journal_line[]) returns bytea
language sql immutable
as $$ select sha256(t.previous_hash || ledger_canonical(t, lines)) $$;

-- Rows of a statement (`added`) lie beside no table, so a statement that reads tables takes them as lists. As before
-- otherwise.
create or replace function ledger_guard_lines() returns trigger
language plpgsql
as $$
declare
  unbalanced boolean;
  own record;
  marked record;
begin
  select bool_or(t.accrual <> 0 or t.cash <> 0 or t.first_no <> 1 or t.last_no <> t.lines_count)
  into unbalanced
  from (
    select coalesce(sum(a.amount_cents) filter (where a.basis <> 'C'), 0) as accrual,
      coalesce(sum(a.amount_cents) filter (where a.basis <> 'A'), 0) as cash,
      min(a.line_no) as first_no, max(a.line_no) as last_no, count(*) as lines_count
    from added a
    group by a.company_id, a.transaction_id) t;
  if unbalanced then
    raise exception 'a transaction does not balance, or its lines are not numbered from 1' using errcode = 'EK002';
  end if;
  for own in
    select a.company_id as company, array_agg(a.transaction_id) filter (where a.line_no = 1) as ids,
      array_agg(row(a.*)::journal_line) filter (where a.reverses is not null) as reversing
    from added a group by a.company_id
  loop
    -- One line of each: they are numbered from 1. `offset 0` has rows looked up by key: the planner would read all of a
    -- table that was small when it was counted last.
    perform from unnest(own.ids) i (id)
    where not exists (
      select from journal_transaction t where t.company_id = own.company and t.id = i.id offset 0);
    if found then
      raise exception 'a line has no transaction' using errcode = 'foreign_key_violation';
    end if;
    continue when own.reversing is null;
    perform from unnest(own.reversing) a
    left join lateral (
      select * from journal_line l where l.company_id = own.company and l.id = a.reverses offset 0) r on true
    where r.id is null or r.reverses is not null
      or (a.account_id, -a.amount_cents, a.basis) <> (r.account_id, r.amount_cents, r.basis)
      or (a.entity_id, a.profit_center_id, a.location_id)
        is distinct from (r.entity_id, r.profit_center_id, r.location_id);
    if found then
      raise exception 'a line does not negate the line it reverses' using errcode = 'EK002';
    end if;
    select m.line_id, m.reconciliation_id, c.bank_account_id, c.statement_date, b.name into marked
    from unnest(own.reversing) a
    cross join lateral (
      select * from reconciliation_line m where m.company_id = own.company and m.line_id = a.reverses offset 0) m
    join reconciliation c on c.company_id = own.company and c.id = m.reconciliation_id
    join banking_account b on b.company_id = own.company and b.id = c.bank_account_id
    limit 1;
    if found then
      raise exception 'line % is reconciled', marked.line_id using errcode = 'EK005', detail = jsonb_build_object(
        'lineId', marked.line_id, 'reconciliationId', marked.reconciliation_id, 'bankAccountId',
        marked.bank_account_id, 'name', marked.name, 'statementDate', marked.statement_date);
    end if;
  end loop;
  return null;
end $$;

create or replace function search_keep_journal() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  company bigint := nullif(current_setting('app.company_id', true), '')::bigint;
  ids bigint[];
begin
  if company is null then
    return null;
  end if;
  select array_agg(distinct a.transaction_id) into ids from added a where a.line_no = 1;
  select array_agg(t.id) into ids
  from unnest(ids) i (id)
  cross join lateral (
    select * from journal_transaction t where t.company_id = company and t.id = i.id offset 0) t
  where t.source_type = 'journal' and t.source_id = t.id;
  if ids is null then
    return null;
  end if;
  insert into search_entry (company_id, kind, id, key, words, amount_cents, day, is_open)
  select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
  from search_of_journal(company) w
  where w.id = any(ids)
  order by w.id;
  return null;
end $$;

-- Rows for a company's table take the company from a row of its own, by name; a lane's number is asked for first.
do $$
declare
  body text;
begin
  select replace(p.prosrc,
    e'insert into document_open_sum as s\n        select c.* from',
    e'insert into document_open_sum as s (company_id, side, is_draft, document_date, due_date, document_count,\n'
    '        total_cents, open_cents, positive_cents, kind, late_count, late_cents, undated_count, undated_cents,\n'
    '        held_count, held_cents)\n'
    '        select h.company_id, c.side, c.is_draft, c.document_date, c.due_date, c.document_count, c.total_cents,\n'
    '          c.open_cents, c.positive_cents, c.kind, c.late_count, c.late_cents, c.undated_count, c.undated_cents,\n'
    '          c.held_count, c.held_cents from')
  into body from pg_proc p where p.oid = 'document_open_add()'::regprocedure;
  execute format('create or replace function document_open_add() returns trigger language plpgsql'
    ' set plan_cache_mode = force_generic_plan as %L', body);
  select replace(p.prosrc,
    e'insert into audit_lane (company_id, lane)\n'
    '    select new.company_id, coalesce(max(lane), 0) + 1 from audit_lane where company_id = new.company_id\n',
    e'select coalesce(max(lane), 0) + 1 into new.lane from audit_lane where company_id = new.company_id;\n'
    '    insert into audit_lane (company_id, lane) values (new.company_id, new.lane)\n')
  into body from pg_proc p where p.oid = 'audit_link()'::regprocedure;
  execute format('create or replace function audit_link() returns trigger language plpgsql as %L', body);
end $$;

-- `case a when b` is no text that Citus can pass on in an insert from a select.
do $$
declare
  f record;
begin
  for f in
    select p.oid, p.prosrc from pg_proc p
    where p.oid in ('search_of_account(bigint)'::regprocedure, 'search_of_payment(bigint)'::regprocedure,
      'search_of_document(bigint)'::regprocedure)
  loop
    execute replace(pg_get_functiondef(f.oid), f.prosrc,
      regexp_replace(f.prosrc, '\mcase (\w\.\w+) when (''\w*'')', 'case when \1 = \2', 'g'));
  end loop;
end $$;
