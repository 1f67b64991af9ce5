-- What lists count and the start page sums up of open documents and drafts, by the days that decide how old they are:
-- some hundred rows a company, however many documents are open. A trigger keeps them with each statement that writes
-- documents; `verify` compares them with the documents and `rebuild` makes them anew.
create table document_open_sum (
  company_id bigint not null references company,
  side text not null,
  is_draft boolean not null,
  document_date date not null,
  -- Without a due date it is the document's own date.
  due_date date not null,
  document_count bigint not null,
  total_cents bigint not null,
  open_cents bigint not null,
  -- Of those that are open above zero: what an average age is weighted by.
  positive_cents bigint not null,
  primary key (company_id, side, is_draft, document_date, due_date)
) with (fillfactor = 70);

-- Adds what a statement changed. Rows are taken in the order of their key, so that two who change the same ones meet
-- at the first; a transaction that takes the ledger's head has it by then. Without a company (a restore) nothing is
-- added: the sums are made anew then.
create function document_open_add() returns trigger
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
    select array_agg(row(c.*)::document_open_sum order by c.side, c.is_draft, c.document_date, c.due_date) into changes
    from (
      select d.company_id, d.side, d.status = 1 as is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, count(*), sum(d.total_cents)::bigint,
        sum(d.open_cents)::bigint, sum(greatest(d.open_cents, 0))::bigint
      from became d
      where not d.deleted and (d.open_cents <> 0 or d.status = 1) and d.status <> 5
      group by 1, 2, 3, 4, 5) c;
  elsif tg_op = 'UPDATE' then
    select array_agg(row(c.*)::document_open_sum order by c.side, c.is_draft, c.document_date, c.due_date) into changes
    from (
      select d.company_id, d.side, d.status = 1 as is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, sum(sign), sum(sign * d.total_cents)::bigint,
        sum(sign * d.open_cents)::bigint, sum(sign * greatest(d.open_cents, 0))::bigint
      from (select 1 as sign, * from became union all select -1, * from was) d
      where not d.deleted and (d.open_cents <> 0 or d.status = 1) and d.status <> 5
      group by 1, 2, 3, 4, 5
      having sum(sign) <> 0 or sum(sign * d.total_cents) <> 0 or sum(sign * d.open_cents) <> 0
        or sum(sign * greatest(d.open_cents, 0)) <> 0) c;
  else
    select array_agg(row(c.*)::document_open_sum order by c.side, c.is_draft, c.document_date, c.due_date) into changes
    from (
      select d.company_id, d.side, d.status = 1 as is_draft, d.document_date,
        coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, -count(*), -sum(d.total_cents)::bigint,
        -sum(d.open_cents)::bigint, -sum(greatest(d.open_cents, 0))::bigint
      from was d
      where not d.deleted and (d.open_cents <> 0 or d.status = 1) and d.status <> 5
      group by 1, 2, 3, 4, 5) c;
  end if;
  if changes is null then
    return null;
  end if;
  insert into document_open_sum as s
    select c.* from ledger_head h, unnest(changes) c where h.company_id = company
    on conflict (company_id, side, is_draft, document_date, due_date) do update
      set document_count = s.document_count + excluded.document_count,
        total_cents = s.total_cents + excluded.total_cents,
        open_cents = s.open_cents + excluded.open_cents,
        positive_cents = s.positive_cents + excluded.positive_cents;
  -- A day on which nothing is open any more is no row.
  if tg_op <> 'INSERT' then
    delete from document_open_sum s
    using unnest(changes) c
    where s.company_id = company and s.document_count = 0 and s.open_cents = 0
      and (s.side, s.is_draft, s.document_date, s.due_date) = (c.side, c.is_draft, c.document_date, c.due_date);
  end if;
  return null;
end $$;

create trigger document_open_inserted after insert on document
  referencing new table as became for each statement execute function document_open_add();
create trigger document_open_updated after update on document
  referencing old table as was new table as became for each statement execute function document_open_add();
create trigger document_open_deleted after delete on document
  referencing old table as was for each statement execute function document_open_add();

-- Forced row-level security hides the rows from their owner too; it is set again below.
alter table document no force row level security;
insert into document_open_sum
select d.company_id, d.side, d.status = 1, d.document_date, coalesce(d.due_date, d.invoice_date, d.document_date),
  count(*), sum(d.total_cents), sum(d.open_cents), sum(greatest(d.open_cents, 0))
from document d
where not d.deleted and (d.open_cents <> 0 or d.status = 1) and d.status <> 5
group by 1, 2, 3, 4, 5;
alter table document force row level security;
