-- A line's transaction and the line that it takes back are looked up once for each statement, by the guard, and no
-- longer row by row by foreign keys. Nothing is lost: the journal is append-only for every role, so what a line refers
-- to never leaves, and `verify` looks for both. A backup orders the two tables by itself (cli/tables.sql.ts).
create or replace function ledger_guard_lines() returns trigger
language plpgsql
as $$
declare
  unbalanced boolean;
  reversing boolean;
begin
  select bool_or(t.accrual <> 0 or t.cash <> 0 or t.first_no <> 1 or t.last_no <> t.lines_count), bool_or(t.reversing)
  into unbalanced, reversing
  from (
    select coalesce(sum(a.amount_cents) filter (where a.basis <> 'C'), 0) as accrual,
      coalesce(sum(a.amount_cents) filter (where a.basis <> 'A'), 0) as cash,
      min(a.line_no) as first_no, max(a.line_no) as last_no, count(*) as lines_count,
      bool_or(a.reverses is not null) as reversing
    from added a
    group by a.company_id, a.transaction_id) t;
  if unbalanced then
    raise exception 'a transaction does not balance, or its lines are not numbered from 1' using errcode = 'EK002';
  end if;
  -- One line of each: they are numbered from 1. `offset 0` has rows looked up by key: the planner would read all of a
  -- table that was small when it was counted last.
  perform from added a
  where a.line_no = 1 and not exists (
    select from journal_transaction t where t.company_id = a.company_id and t.id = a.transaction_id offset 0);
  if found then
    raise exception 'a line has no transaction' using errcode = 'foreign_key_violation';
  end if;
  if not reversing then
    return null;
  end if;
  perform from added a
  left join lateral (
    select * from journal_line l where l.company_id = a.company_id and l.id = a.reverses offset 0) r on true
  where a.reverses is not null and (r.id is null or r.reverses is not null
    or (a.account_id, -a.amount_cents, a.basis) <> (r.account_id, r.amount_cents, r.basis)
    or (a.entity_id, a.profit_center_id, a.location_id)
      is distinct from (r.entity_id, r.profit_center_id, r.location_id));
  if found then
    raise exception 'a line does not negate the line it reverses' using errcode = 'EK002';
  end if;
  return null;
end $$;

alter table journal_line
  drop constraint journal_line_company_id_transaction_id_fkey,
  drop constraint journal_line_company_id_reverses_fkey;
