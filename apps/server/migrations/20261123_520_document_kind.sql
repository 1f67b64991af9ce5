-- Every document names its kind, and the rows themselves say whether they stand in the ledger. The kinds stand in the
-- program's table (core/side.ts), so that a new one needs no list in the database; `verify` refuses a kind that it does
-- not know.

-- A generated column takes its values while the table is rewritten: no row is updated, and no guard is asked again for
-- rows that never held it.
alter table document
  add column kind text not null generated always as (case side when 'payable' then 'expense' else 'invoice' end) stored,
  add column is_posted boolean not null generated always as (status in (2, 3, 4, 6)) stored,
  add column is_draft boolean not null generated always as (status = 1) stored;
alter table document
  alter column kind drop expression,
  add constraint document_kind check (kind <> '');

-- Numbers of the company's own are counted for each kind.
drop index document_number;
create unique index document_number on document (company_id, kind, document_number) where side = 'receivable';
-- The list of one kind in the order of its numbers.
drop index document_list;
create index document_list on document (company_id, side, kind, lpad(document_number, 20, '0'), id) where not deleted;
-- Drafts and documents with something open; nothing is open on a void one.
drop index document_open;
create index document_open on document (company_id, side, is_posted, due_date)
  include (entity_id, total_cents, open_cents)
  where not deleted and (open_cents <> 0 or is_draft);

-- The journal takes any kind that the program knows.
alter table journal_transaction drop constraint journal_transaction_source_type_check;
alter table journal_transaction add constraint journal_transaction_source_type check (source_type <> '');

-- The sums of what is open, by kind too: a list counts its own kind, a balance all of a side.
alter table document_open_sum
  add column kind text not null generated always as (case side when 'payable' then 'expense' else 'invoice' end) stored,
  drop constraint document_open_sum_pkey;
alter table document_open_sum
  alter column kind drop expression,
  add primary key (company_id, side, kind, is_draft, document_date, due_date);

-- As before, with the kind: adds what a statement changed. Rows are taken in the order of their key, so that two who
-- change the same ones meet at the first; a transaction that takes the ledger's head has it by then. Without a company
-- (a restore) nothing is added: the sums are made anew then.
create or replace function document_open_add() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  company bigint := nullif(current_setting('app.company_id', true), '')::bigint;
  changes document_open_sum[];
begin
  if company is null then
    return null;
  elsif tg_op = 'INSERT' then
    select array_agg(row(c.*)::document_open_sum order by c.side, c.kind, c.is_draft, c.document_date, c.due_date)
      into changes
    from (
      select d.company_id, d.side, d.is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, count(*), sum(d.total_cents)::bigint,
        sum(d.open_cents)::bigint, sum(greatest(d.open_cents, 0))::bigint, d.kind
      from became d
      where not d.deleted and (d.open_cents <> 0 or d.is_draft)
      group by d.company_id, d.side, d.kind, d.is_draft, d.document_date, 5) c;
  elsif tg_op = 'UPDATE' then
    select array_agg(row(c.*)::document_open_sum order by c.side, c.kind, c.is_draft, c.document_date, c.due_date)
      into changes
    from (
      select d.company_id, d.side, d.is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, sum(sign), sum(sign * d.total_cents)::bigint,
        sum(sign * d.open_cents)::bigint, sum(sign * greatest(d.open_cents, 0))::bigint, d.kind
      from (select 1 as sign, * from became union all select -1, * from was) d
      where not d.deleted and (d.open_cents <> 0 or d.is_draft)
      group by d.company_id, d.side, d.kind, d.is_draft, d.document_date, 5
      having sum(sign) <> 0 or sum(sign * d.total_cents) <> 0 or sum(sign * d.open_cents) <> 0
        or sum(sign * greatest(d.open_cents, 0)) <> 0) c;
  else
    select array_agg(row(c.*)::document_open_sum order by c.side, c.kind, c.is_draft, c.document_date, c.due_date)
      into changes
    from (
      select d.company_id, d.side, d.is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, -count(*), -sum(d.total_cents)::bigint,
        -sum(d.open_cents)::bigint, -sum(greatest(d.open_cents, 0))::bigint, d.kind
      from was d
      where not d.deleted and (d.open_cents <> 0 or d.is_draft)
      group by d.company_id, d.side, d.kind, d.is_draft, d.document_date, 5) c;
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
        positive_cents = s.positive_cents + excluded.positive_cents;
  -- A day on which nothing is open any more is no row.
  if tg_op <> 'INSERT' then
    delete from document_open_sum s
    using unnest(changes) c
    where s.company_id = company and s.document_count = 0 and s.open_cents = 0
      and (s.side, s.kind, s.is_draft, s.document_date, s.due_date)
        = (c.side, c.kind, c.is_draft, c.document_date, c.due_date);
  end if;
  return null;
end $$;
