-- While a table is empty, all of its indexes are equally good to the planner, and a long transaction that fills the
-- table, such as an import, keeps that plan. With an index that only starts with the company, each lookup would then
-- read all of the company's rows. Only one index returns the rows in the order that these lookups ask for, so the order
-- selects it.

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
    -- Lines are numbered from 1, so each transaction has one line 1.
    perform from unnest(own.ids) i (id)
    where i.id is distinct from (
      select t.id from journal_transaction t where t.company_id = own.company and t.id >= i.id order by t.id limit 1);
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

create or replace function search_of_journal(company bigint) returns setof search_entry
language sql stable
as $$
  select t.company_id, 8::smallint, t.id, t.id::text,
    search_fold(concat_ws(' ', '', t.id, t.description, l.memos, search_dollars(l.amount_cents), '')),
    l.amount_cents, t.posting_date, false
  from journal_transaction t
  cross join lateral (
    select string_agg(distinct o.description, ' ') as memos,
      greatest(coalesce(sum(o.amount_cents) filter (where o.basis <> 'C' and o.amount_cents > 0), 0),
        coalesce(sum(o.amount_cents) filter (where o.basis <> 'A' and o.amount_cents > 0), 0))::bigint as amount_cents
    from (
      select l.description, l.amount_cents, l.basis from journal_line l
      where l.company_id = company and l.transaction_id = t.id
      order by l.line_no offset 0) o) l
  where t.company_id = company and t.source_type = 'journal' and t.source_id = t.id
$$;

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
    select * from journal_transaction t where t.company_id = company and t.id >= i.id order by t.id limit 1) t
  where t.id = i.id and t.source_type = 'journal' and t.source_id = t.id;
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
