-- The parts of the lists of open documents from the kept sums: a list of 100,000 of them was read whole for its chips.
-- late: posted, with a due date of its own and something unpaid, which is overdue once that day is past. undated: the
-- same without a due date, which is overdue once its own days are past. held: on hold.
alter table document_open_sum
  add column late_count bigint not null default 0,
  add column late_cents bigint not null default 0,
  add column undated_count bigint not null default 0,
  add column undated_cents bigint not null default 0,
  add column held_count bigint not null default 0,
  add column held_cents bigint not null default 0;

-- Adds what a statement changed, as before. Rows are taken in the order of their key, so that two who change the same
-- ones meet at the first; a transaction that takes the ledger's head has it by then. Without a company (a restore)
-- nothing is added: the sums are made anew then.
do $$
declare
  -- The changed rows of a statement, each with the sign of what it adds.
  changed constant text := $code$
    select array_agg(row(c.company_id, c.side, c.is_draft, c.document_date, c.due_date, c.document_count, c.total_cents,
        c.open_cents, c.positive_cents, c.kind, c.late_count, c.late_cents, c.undated_count,
        c.undated_cents, c.held_count, c.held_cents)::document_open_sum
        order by c.side, c.kind, c.is_draft, c.document_date, c.due_date) into changes
    from (
      select d.company_id, d.side, d.kind, d.is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, sum(d.sign) as document_count,
        sum(d.sign * d.total_cents)::bigint as total_cents, sum(d.sign * d.open_cents)::bigint as open_cents,
        sum(d.sign * greatest(d.open_cents, 0))::bigint as positive_cents,
        coalesce(sum(d.sign) filter (
          where d.is_posted and d.due_date is not null and d.open_cents > 0), 0) as late_count,
        coalesce(sum(d.sign * d.open_cents)
          filter (where d.is_posted and d.due_date is not null and d.open_cents > 0), 0)::bigint as late_cents,
        coalesce(sum(d.sign) filter (
          where d.is_posted and d.due_date is null and d.open_cents > 0), 0) as undated_count,
        coalesce(sum(d.sign * d.open_cents)
          filter (where d.is_posted and d.due_date is null and d.open_cents > 0), 0)::bigint as undated_cents,
        coalesce(sum(d.sign) filter (where d.status = 4 and d.open_cents <> 0), 0) as held_count,
        coalesce(sum(d.sign * d.open_cents) filter (where d.status = 4), 0)::bigint as held_cents
      from (%s) d
      where not d.deleted and (d.open_cents <> 0 or d.is_draft)
      group by d.company_id, d.side, d.kind, d.is_draft, d.document_date, 6) c
    where (c.document_count, c.total_cents, c.open_cents, c.positive_cents, c.late_count, c.late_cents,
      c.undated_count, c.undated_cents, c.held_count, c.held_cents) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);$code$;
begin
  execute format($code$
    create or replace function document_open_add() returns trigger
    language plpgsql
    set plan_cache_mode = force_generic_plan
    as $body$
    declare
      company bigint := nullif(current_setting('app.company_id', true), '')::bigint;
      changes document_open_sum[];
    begin
      if company is null then
        return null;
      elsif tg_op = 'INSERT' then %1$s
      elsif tg_op = 'UPDATE' then %2$s
      else %3$s
      end if;
      if changes is null then
        return null;
      end if;
      insert into document_open_sum as s
        select c.* from ledger_head h, unnest(changes) c where h.company_id = company
        on conflict (company_id, side, kind, is_draft, document_date, due_date) do update
          set document_count = s.document_count + excluded.document_count,
            total_cents = s.total_cents + excluded.total_cents,
            open_cents = s.open_cents + excluded.open_cents,
            positive_cents = s.positive_cents + excluded.positive_cents,
            late_count = s.late_count + excluded.late_count,
            late_cents = s.late_cents + excluded.late_cents,
            undated_count = s.undated_count + excluded.undated_count,
            undated_cents = s.undated_cents + excluded.undated_cents,
            held_count = s.held_count + excluded.held_count,
            held_cents = s.held_cents + excluded.held_cents;
      -- A day on which nothing is open any more is no row.
      if tg_op <> 'INSERT' then
        delete from document_open_sum s
        using unnest(changes) c
        where s.company_id = company and s.document_count = 0 and s.open_cents = 0
          and (s.side, s.kind, s.is_draft, s.document_date, s.due_date)
            = (c.side, c.kind, c.is_draft, c.document_date, c.due_date);
      end if;
      return null;
    end $body$ $code$,
    format(changed, 'select 1 as sign, b.* from became b'),
    format(changed, 'select 1 as sign, b.* from became b union all select -1, w.* from was w'),
    format(changed, 'select -1 as sign, w.* from was w'));
end $$;

-- Forced row-level security hides the rows from their owner too; it is set again below.
alter table document no force row level security;
alter table document_open_sum no force row level security;
update document_open_sum s
set late_count = d.late_count, late_cents = d.late_cents, undated_count = d.undated_count,
  undated_cents = d.undated_cents, held_count = d.held_count, held_cents = d.held_cents
from (
  select d.company_id, d.side, d.kind, d.is_draft, d.document_date,
    coalesce(d.due_date, d.invoice_date, d.document_date) as due_date,
    count(*) filter (where d.is_posted and d.due_date is not null and d.open_cents > 0) as late_count,
    coalesce(sum(d.open_cents) filter (where d.is_posted and d.due_date is not null and d.open_cents > 0), 0)
      as late_cents,
    count(*) filter (where d.is_posted and d.due_date is null and d.open_cents > 0) as undated_count,
    coalesce(sum(d.open_cents) filter (where d.is_posted and d.due_date is null and d.open_cents > 0), 0)
      as undated_cents,
    count(*) filter (where d.status = 4 and d.open_cents <> 0) as held_count,
    coalesce(sum(d.open_cents) filter (where d.status = 4), 0) as held_cents
  from document d
  where not d.deleted and (d.open_cents <> 0 or d.is_draft)
  group by d.company_id, d.side, d.kind, d.is_draft, d.document_date, 6) d
where (d.company_id, d.side, d.kind, d.is_draft, d.document_date, d.due_date)
  = (s.company_id, s.side, s.kind, s.is_draft, s.document_date, s.due_date);
alter table document force row level security;
alter table document_open_sum force row level security;
