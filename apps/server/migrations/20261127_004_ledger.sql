-- The ledger. The journal is append-only, and every balance is a sum over it.

-- One row per company, which a posting locks: counters, the end of the hash chain, and the closing date.
create table ledger_head (
  company_id bigint primary key references company,
  next_transaction_id bigint not null default 1,
  next_line_id bigint not null default 1,
  next_posting_no bigint not null default 1,
  closing_date date,
  last_hash bytea not null default '\x'::bytea
) with (fillfactor = 10);

-- The next number of each kind of document. A kind has a row after its first number; before that, the program knows
-- where it begins. Postings change rows under the lock of ledger_head.
create table number_sequence (
  company_id bigint not null references company,
  kind text not null,
  next_number bigint not null check (next_number > 0),
  primary key (company_id, kind)
) with (fillfactor = 10);

-- The program knows the kinds of source (core/documents/side.ts), and `verify` rejects an unknown one.
create table journal_transaction (
  company_id bigint not null,
  id bigint not null,
  posting_no bigint not null,
  posting_date date not null,
  source_type text not null constraint journal_transaction_source_type check (source_type <> ''),
  source_id bigint not null,
  description text not null,
  created_by bigint not null,
  created_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (company_id, id),
  unique (company_id, posting_no)
);
create index journal_transaction_source on journal_transaction (company_id, source_type, source_id);

-- ledger_guard_lines checks transaction_id and reverses once per statement, instead of foreign keys for each row. A
-- check of new rows is enough because no role can delete from the journal. cli/tables.sql.ts orders the tables in a
-- backup.
create table journal_line (
  company_id bigint not null,
  id bigint not null,
  transaction_id bigint not null,
  line_no integer not null check (line_no > 0),
  posting_date date not null,
  account_id bigint not null,
  amount_cents bigint not null check (amount_cents <> 0),
  basis "char" not null check (basis in ('A', 'B', 'C')),
  description text not null,
  entity_id bigint,
  profit_center_id bigint,
  location_id bigint,
  reverses bigint,
  primary key (company_id, id),
  unique (company_id, transaction_id, line_no),
  foreign key (company_id, account_id) references account (company_id, id),
  foreign key (company_id, entity_id) references entity (company_id, id),
  foreign key (company_id, profit_center_id) references profit_center (company_id, id),
  foreign key (company_id, location_id) references location (company_id, id)
);
create index journal_line_account on journal_line (company_id, account_id, posting_date, transaction_id, line_no)
  include (amount_cents, basis);
create unique index journal_line_reverses on journal_line (company_id, reverses)
  where reverses is not null;
-- The few reversing lines. An account register counts the pairs that it hides.
create index journal_line_reversal on journal_line (company_id, account_id, posting_date) where reverses is not null;
create index journal_line_date on journal_line (company_id, posting_date) include (account_id, amount_cents, basis);
-- Finds the entries that name a customer or vendor.
create index journal_line_entity on journal_line (company_id, entity_id, posting_date, transaction_id)
  where entity_id is not null;

-- The live lines of documents that were edited: lines that neither reverse another line nor are reversed. An edit reads
-- them here instead of every line ever posted for the document. If a document has no row, all its lines are live. The
-- program writes the rows with each posting, `verify` compares them with the lines, and `rebuild` creates them again.
create table journal_live (
  company_id bigint not null references company,
  source_type text not null,
  source_id bigint not null,
  line_ids bigint[] not null,
  primary key (company_id, source_type, source_id)
) with (fillfactor = 70);

-- Totals by day and by month, in one table so that a posting adds to both in one statement. A balance on a date is the
-- sum of the earlier months and the days of that month, so no report sums lines.
create table ledger_total (
  company_id bigint not null,
  -- D: a day. M: the month that begins on that day.
  grain "char" not null check (grain in ('D', 'M')),
  basis "char" not null,
  begins date not null,
  account_id bigint not null,
  -- 0 if the lines name none.
  profit_center_id bigint not null,
  location_id bigint not null,
  amount_cents bigint not null check (amount_cents between -9007199254740991 and 9007199254740991),
  line_count bigint not null,
  primary key (company_id, grain, begins, account_id, basis, profit_center_id, location_id)
) with (fillfactor = 50);
-- An account has many months. A read of its days covers two months at most, and the primary key is enough for that.
create index ledger_total_account on ledger_total (company_id, account_id, begins) where grain = 'M';

-- Drafts of journal entries ("Save Transaction"). Their IDs start far above those of transactions, so that a number
-- never names both.
create table journal_draft (
  company_id bigint not null references company,
  id bigint generated by default as identity (start with 1000000000001),
  transaction jsonb not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  row_version integer not null default 1,
  primary key (company_id, id)
);

-- Functions that name tables or other functions keep their bodies as text. PostgreSQL ties a parsed body to the objects
-- it names, and Citus can't create such objects on another server.

-- Returns the bytes that a transaction's hash covers: every stored column of the transaction except the hash, and of
-- its lines in the order of their numbers. No two contents have the same bytes: fields end with |, texts carry their
-- length, and dates and times are the hexadecimal digits of their binary form. Posting and verification both use it.
create function ledger_canonical(t journal_transaction, lines journal_line[]) returns bytea
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

-- Returns the hash of a transaction: of the chain's previous hash and the canonical bytes.
create function ledger_hash(t journal_transaction, lines journal_line[]) returns bytea
language sql immutable
as $$ select sha256(t.previous_hash || ledger_canonical(t, lines)) $$;

create function ledger_month_of(d date) returns date
language sql immutable
return d - (extract(day from d)::integer - 1);

-- Adds a company's lines to its totals, while its head is locked. Rows are locked in the order of their key.
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

-- Checks every statement that adds lines. Each transaction must balance on both bases and get all its lines in one
-- statement (they are numbered from 1, so a second statement would violate the unique key). It must exist. A reversing
-- line must negate a line that is not a reversal, and that line must not be reconciled. The program reads the marks of
-- a reconciliation before it posts, and this check also sees marks that were added since. A statement that reads tables
-- gets the added rows as lists, because Citus can't join them with a table.
create function ledger_guard_lines() returns trigger
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
create trigger journal_line_guard after insert on journal_line
  referencing new table as added for each statement execute function ledger_guard_lines();

-- The journal is append-only for every role, including the owner.
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
