-- Totals by day beside those by month, in one table, so that a posting adds to both in one statement: a balance at any
-- date is the months before and the days of that month, and no report sums lines. It takes the place of ledger_month,
-- so that no program that knows months alone can post beside it.
create table ledger_total (
  company_id bigint not null,
  -- D: of one day; M: of the month that begins on that day.
  grain "char" not null check (grain in ('D', 'M')),
  basis "char" not null,
  begins date not null,
  account_id bigint not null,
  -- 0: of lines that name none.
  profit_center_id bigint not null,
  location_id bigint not null,
  amount_cents bigint not null check (amount_cents between -9007199254740991 and 9007199254740991),
  line_count bigint not null,
  primary key (company_id, grain, begins, account_id, basis, profit_center_id, location_id)
) with (fillfactor = 50);
-- One account's months are many, its days at most those of two months: these the key finds well enough.
create index ledger_total_account on ledger_total (company_id, account_id, begins) where grain = 'M';

-- Forced row-level security hides the rows from their owner too; it is set again below.
alter table journal_line no force row level security;
insert into ledger_total
  (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents, line_count)
with day as (
  select l.company_id, l.posting_date as begins, l.account_id, l.basis, coalesce(l.profit_center_id, 0) as center,
    coalesce(l.location_id, 0) as location, sum(l.amount_cents) as amount, count(*) as lines
  from journal_line l
  group by 1, 2, 3, 4, 5, 6)
select company_id, 'D'::"char", begins, account_id, basis, center, location, amount, lines from day
union all
select company_id, 'M', ledger_month_of(begins), account_id, basis, center, location, sum(amount), sum(lines) from day
group by 1, 3, 4, 5, 6, 7;
alter table journal_line force row level security;
drop table ledger_month;

-- Adds lines of a company to its totals, behind the lock of its head. Rows are taken in the order of their key.
create function ledger_add_totals(company bigint, lines journal_line[]) returns void
language plpgsql security invoker
as $$
begin
  insert into ledger_total as t
    (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents, line_count)
  select h.company_id, g.grain, g.begins, l.account_id, l.basis, coalesce(l.profit_center_id, 0),
    coalesce(l.location_id, 0), sum(l.amount_cents), count(*)
  from ledger_head h, unnest(lines) l,
    lateral (values ('D'::"char", l.posting_date), ('M', ledger_month_of(l.posting_date))) g (grain, begins)
  where h.company_id = company
  group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (company_id, grain, begins, account_id, basis, profit_center_id, location_id) do update
    set amount_cents = t.amount_cents + excluded.amount_cents, line_count = t.line_count + excluded.line_count;
end $$;

-- Posts transactions of one company and answers the id of the first one (the others follow without a gap), the document
-- number taken and the moment. It runs as its caller, so grants and row-level security hold, and it begins by locking
-- the company's head: postings of a company stand in a line, and an aborted one leaves no gap.
-- transactions: [{source_type, source_id, posting_date, description, lines: [{account, amount, basis, description,
-- entity, profit_center, location, reverses}, …]}, …]; amounts in cents. number_kind 'invoice', 'payment' or
-- 'expensepayment' takes the next number and completes empty descriptions ("label number"). A source_id of 0 means the
-- transaction's own id.
-- Errors: EK001 the books are closed (detail: through which date), EK002 a transaction does not balance, EK003 there is
-- no ledger, or a transaction without lines.
create or replace function ledger_post(
  company bigint, poster bigint, transactions jsonb, may_post_closed boolean, number_kind text, number_label text,
  out first_id bigint, out document_number bigint, out posted_at timestamptz)
language plpgsql security invoker
-- Planning anew for each call would cost a tenth of it; the plans are the same.
set plan_cache_mode = force_generic_plan
as $$
declare
  head ledger_head;
  want record;
  made record;
  txn journal_transaction;
  name text;
  added journal_line[] := '{}';
begin
  select * into head from ledger_head h where h.company_id = company for update;
  if not found then
    raise exception 'company % has no ledger', company using errcode = 'EK003';
  end if;
  first_id := head.next_transaction_id;
  posted_at := clock_timestamp();
  if number_kind = 'invoice' then
    document_number := head.next_invoice_number;
    head.next_invoice_number := document_number + 1;
  elsif number_kind = 'payment' then
    document_number := head.next_payment_number;
    head.next_payment_number := document_number + 1;
  elsif number_kind = 'expensepayment' then
    document_number := head.next_expense_payment_number;
    head.next_expense_payment_number := document_number + 1;
  end if;
  name := coalesce(number_label || ' ' || document_number, '');

  for want in
    select * from jsonb_to_recordset(transactions)
      as t (source_type text, source_id bigint, posting_date date, description text, lines jsonb)
  loop
    if want.posting_date <= head.closing_date and not may_post_closed then
      raise exception 'the books are closed' using errcode = 'EK001', detail = to_char(head.closing_date, 'YYYY-MM-DD');
    end if;
    select count(*) as lines_count, sum(l.amount) filter (where l.basis <> 'C') as accrual,
      sum(l.amount) filter (where l.basis <> 'A') as cash,
      array_agg(row(company, head.next_line_id + l.no - 1, head.next_transaction_id, l.no, want.posting_date, l.account,
        l.amount, l.basis, case when l.description = '' then name else l.description end, l.entity, l.profit_center,
        l.location, l.reverses)::journal_line) as lines
    into made
    from rows from (jsonb_to_recordset(want.lines) as (account bigint, amount bigint, basis "char", description text,
        entity bigint, profit_center bigint, location bigint, reverses bigint))
      with ordinality
      as l (account, amount, basis, description, entity, profit_center, location, reverses, no);
    if made.lines_count = 0 then
      raise exception 'a transaction without lines' using errcode = 'EK003';
    end if;
    if coalesce(made.accrual, 0) <> 0 or coalesce(made.cash, 0) <> 0 then
      raise exception 'a transaction does not balance: accrual %, cash % cents', made.accrual, made.cash
        using errcode = 'EK002';
    end if;
    txn.company_id := company;
    txn.id := head.next_transaction_id;
    txn.posting_no := head.next_posting_no;
    txn.posting_date := want.posting_date;
    txn.source_type := want.source_type;
    txn.source_id := case when want.source_id = 0 then txn.id else want.source_id end;
    txn.description := case when want.description = '' then name else want.description end;
    txn.created_by := poster;
    txn.created_at := posted_at;
    txn.previous_hash := head.last_hash;
    txn.hash := ledger_hash(txn, made.lines);
    insert into journal_transaction values (txn.*);
    insert into journal_line select l.* from ledger_head h, unnest(made.lines) l where h.company_id = company;
    added := added || made.lines;
    head.next_transaction_id := head.next_transaction_id + 1;
    head.next_line_id := head.next_line_id + made.lines_count;
    head.next_posting_no := head.next_posting_no + 1;
    head.last_hash := txn.hash;
  end loop;
  if cardinality(added) > 0 then
    perform ledger_add_totals(company, added);
  end if;

  update ledger_head h
    set next_transaction_id = head.next_transaction_id,
      next_line_id = head.next_line_id,
      next_posting_no = head.next_posting_no,
      next_invoice_number = head.next_invoice_number,
      next_payment_number = head.next_payment_number,
      next_expense_payment_number = head.next_expense_payment_number,
      last_hash = head.last_hash
    where h.company_id = company;
end $$;
