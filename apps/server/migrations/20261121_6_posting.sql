-- The one door to the journal: ledger_post writes transactions, lines, hash chain and monthly totals in one call.
-- Triggers guard what any other way in would do. Nothing here waits for the end of a transaction.

-- What a transaction's hash covers: every stored column of the transaction (the hash itself apart) and of its lines, in
-- the order of their numbers. No two contents have the same bytes: fields end with |, texts carry their length, dates
-- and moments are the hexadecimal digits of their binary form. Posting and verification both use this function.
create function ledger_canonical(t journal_transaction, lines journal_line[]) returns bytea
language sql immutable
return replace(
  t.company_id || '|' || t.id || '|' || t.posting_no || '|' || encode(date_send(t.posting_date), 'hex') || '|'
  || t.source_type || '|' || t.source_id || '|' || t.created_by || '|'
  || encode(timestamptz_send(t.created_at), 'hex') || '|'
  || encode(t.previous_hash, 'hex') || '|' || octet_length(t.description) || ':' || t.description
  || coalesce((
    select string_agg(
      '|' || l.company_id || '|' || l.id || '|' || l.transaction_id || '|' || l.line_no || '|'
      || encode(date_send(l.posting_date), 'hex') || '|' || l.account_id || '|' || l.amount_cents || '|'
      || l.basis::text || '|' || coalesce(l.entity_id::text, '') || '|' || coalesce(l.profit_center_id::text, '') || '|'
      || coalesce(l.location_id::text, '') || '|' || coalesce(l.reverses::text, '') || '|'
      || octet_length(l.description) || ':' || l.description, '' order by l.line_no)
    from unnest(lines) l), ''),
  '\', '\\')::bytea;

-- The hash of a transaction: the chain's previous hash, then the canonical bytes.
create function ledger_hash(t journal_transaction, lines journal_line[]) returns bytea
language sql immutable
return sha256(t.previous_hash || ledger_canonical(t, lines));

-- The first day of a date's month, the key of ledger_month.
create function ledger_month_of(d date) returns date
language sql immutable
return d - (extract(day from d)::integer - 1);

-- Posts transactions of one company and answers the id of the first one (the others follow without a gap), the document
-- number taken and the moment. It runs as its caller, so grants and row-level security hold, and it begins by locking
-- the company's head: postings of a company stand in a line, and an aborted one leaves no gap.
-- transactions: [{source_type, source_id, posting_date, description, lines: [{account, amount, basis, description,
-- entity, profit_center, location, reverses}, …]}, …]; amounts in cents. number_kind 'invoice' or 'payment' takes the
-- next number and completes empty descriptions ("label number"). A source_id of 0 means the transaction's own id.
-- Errors: EK001 the books are closed (detail: through which date), EK002 a transaction does not balance, EK003 there is
-- no ledger, or a transaction without lines.
create function ledger_post(
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
    insert into ledger_month
      select h.company_id, l.account_id, ledger_month_of(l.posting_date), l.basis, coalesce(l.profit_center_id, 0),
        coalesce(l.location_id, 0), sum(l.amount_cents), count(*)
      from ledger_head h, unnest(made.lines) l
      where h.company_id = company
      group by 1, 2, 3, 4, 5, 6
      order by 1, 2, 3, 4, 5, 6
      on conflict (company_id, account_id, month, basis, profit_center_id, location_id) do update
        set amount_cents = ledger_month.amount_cents + excluded.amount_cents,
          line_count = ledger_month.line_count + excluded.line_count;
    head.next_transaction_id := head.next_transaction_id + 1;
    head.next_line_id := head.next_line_id + made.lines_count;
    head.next_posting_no := head.next_posting_no + 1;
    head.last_hash := txn.hash;
  end loop;

  update ledger_head h
    set next_transaction_id = head.next_transaction_id,
      next_line_id = head.next_line_id,
      next_posting_no = head.next_posting_no,
      next_invoice_number = head.next_invoice_number,
      next_payment_number = head.next_payment_number,
      last_hash = head.last_hash
    where h.company_id = company;
end $$;

-- Every statement that adds lines: each transaction it touches must balance in both views and get all its lines at once
-- (they are numbered from 1, so a second statement would meet the unique key), and a reversing line must negate exactly
-- a line that is itself no reversal.
create function ledger_guard_lines() returns trigger
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
  if not reversing then
    return null;
  end if;
  perform from added a
  join journal_line r on r.company_id = a.company_id and r.id = a.reverses
  where r.reverses is not null
    or (a.account_id, -a.amount_cents, a.basis) <> (r.account_id, r.amount_cents, r.basis)
    or (a.entity_id, a.profit_center_id, a.location_id)
      is distinct from (r.entity_id, r.profit_center_id, r.location_id);
  if found then
    raise exception 'a line does not negate the line it reverses' using errcode = 'EK002';
  end if;
  return null;
end $$;

create trigger journal_line_guard after insert on journal_line
  referencing new table as added for each statement execute function ledger_guard_lines();

-- The journal is append-only for every role, the owner too.
create function ledger_refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'the journal is append-only: no % on %', lower(tg_op), tg_table_name using errcode = 'EK004';
end $$;

create trigger journal_line_append_only before update or delete or truncate on journal_line
  for each statement execute function ledger_refuse_change();
create trigger journal_transaction_append_only before update or delete or truncate on journal_transaction
  for each statement execute function ledger_refuse_change();
