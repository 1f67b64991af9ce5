-- Copies the data of 0.1.0 into the tables of the baseline. platform/db/upgrade.ts has put each table of 0.1.0 aside as
-- the temporary table released_<name>. The columns of a database's table have their types, and those of a backup are
-- text. A backup has no sessions, links, and limits. The company is set because triggers then update the search index
-- and the totals of open documents.

create index on released_payment_application (company_id, invoice_id);
create index on released_payment_application (company_id, payment_id);
analyze released_payment_application;

-- Copies a table's rows into a table of the baseline: the columns of the same name, and those that `others` has an
-- expression for. Without a company, the table belongs to the installation.
create function pg_temp.copy_released(source text, target regclass, company bigint, others jsonb default '{}')
returns void
language plpgsql
as $$
declare
  wanted record;
begin
  if to_regclass('pg_temp.released_' || source) is null then
    return;
  end if;
  select string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns,
    string_agg(coalesce(others ->> a.attname, format('o.%I::%s', a.attname, format_type(a.atttypid, a.atttypmod))), ', '
      order by a.attnum) as expressions
  into wanted
  from pg_attribute a
  left join pg_attribute o on o.attrelid = to_regclass('pg_temp.released_' || source) and o.attname = a.attname
  where a.attrelid = target and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and (o.attname is not null or others ? a.attname);
  execute format('insert into %s (%s) select %s from pg_temp.released_%s o', target, wanted.columns, wanted.expressions,
      source)
    || case when company is null then '' else format(' where o.company_id::bigint = %s', company) end;
end $$;

-- The audit log gets its chain: one lane with the rows in the order of their IDs. The names of users and records are
-- those that can still be found.
create function pg_temp.chain_released(company bigint) returns void
language plpgsql
as $$
declare
  entry audit_log;
  next_no bigint := 1;
  previous bytea := '';
begin
  for entry in
    select a.company_id, a.id, a.at, a.user_id, a.action, a.subject_type, a.subject_id, a.before, a.after, a.reason,
      coalesce(trim(u.first_name || ' ' || u.last_name), ''), '', '', null,
      left(coalesce(a.row ->> 'invoiceNumber', a.row ->> 'paymentNumber', a.row ->> 'displayname',
        a.row ->> 'displayName', a.row ->> 'name', a.row ->> 'roleName', a.row ->> 'accountNameLabel',
        a.row ->> 'fileName', a.row ->> 'profitcentername', a.row ->> 'locationname', a.row ->> 'categoryName',
        a.row ->> 'settingName', a.row ->> 'text', ''), 200),
      round(coalesce(a.row ->> 'invoiceAmount', a.row ->> 'paymentAmount', a.row ->> 'totalAmount', a.row ->> 'amount')
        ::numeric * 100),
      1, null, null
    from (
      select o.company_id::bigint, o.id::bigint, o.at::timestamptz, o.user_id::bigint, o.action, o.subject_type,
        o.subject_id::bigint, o.before::text::json, o.after::text::json, o.reason,
        coalesce(o.after, o.before)::text::json as row
      from pg_temp.released_audit_log o
      where o.company_id::bigint = company) a
    left join app_user u on u.id = a.user_id
    order by a.id
  loop
    entry.lane_no := next_no;
    previous := audit_hash(entry, previous);
    entry.hash := previous;
    insert into audit_log values (entry.*);
    next_no := next_no + 1;
  end loop;
  if next_no > 1 then
    insert into audit_lane (company_id, lane, next_no, last_hash) values (company, 1, next_no, previous);
  end if;
end $$;

select pg_temp.copy_released('app_user', 'app_user', null);
select pg_temp.copy_released('membership', 'membership', null, '{
  "company_name": "(select c.displayname from pg_temp.released_company c where c.company_id = o.company_id)",
  "first_name": "(select u.first_name from app_user u where u.id = o.user_id::bigint and u.password_hash is null)",
  "last_name": "(select u.last_name from app_user u where u.id = o.user_id::bigint and u.password_hash is null)",
  "invited_at": "(select u.created_at from app_user u where u.id = o.user_id::bigint)",
  "accepted_at": "(select u.created_at from app_user u where u.id = o.user_id::bigint and u.password_hash is not null)"
}');
select pg_temp.copy_released('session', 'session', null, '{"family": "o.token_hash::bytea"}');
select pg_temp.copy_released('token', 'token', null, jsonb_build_object('joins_company_id',
  '(select m.company_id from membership m where m.user_id = o.user_id::bigint and o.kind = ''invite'')'));
select pg_temp.copy_released('rate_limit', 'rate_limit', null);
select pg_temp.copy_released('installation', 'installation', null);
-- First-time setup is for new companies. A company with customers, products, or transactions has been set up.
select pg_temp.copy_released('company', 'company', null, jsonb_build_object('setup_completed',
  'o.setup_completed::boolean'
  ' or exists (select from pg_temp.released_entity e where e.company_id = o.company_id)'
  ' or exists (select from pg_temp.released_product p where p.company_id = o.company_id)'
  ' or exists (select from pg_temp.released_journal_transaction t where t.company_id = o.company_id)'));

do $$
declare
  company bigint;
  name text;
  applied constant text := 'coalesce((select sum(a.amount_cents::bigint) from pg_temp.released_payment_application a'
    ' where a.company_id = o.company_id and a.%s = o.id), 0)';
begin
  for company in select r.company_id::bigint from pg_temp.released_company r order by 1 loop
    execute format('set local app.company_id = %L', company);
    foreach name in array '{setting,role,profit_center,location,account_category,account,banking_account,payment_type,
      sales_tax_scenario,sales_tax_item,entity,extended_property,product_category,product,ledger_head,
      journal_transaction,journal_line,journal_draft,idempotency}'::text[]
    loop
      perform pg_temp.copy_released(name, name::regclass, company);
    end loop;

    -- Two simultaneous edits could leave a wrong open or unapplied amount. Both follow from the applications.
    perform pg_temp.copy_released('invoice', 'document', company, jsonb_build_object(
      'document_number', 'o.invoice_number', 'document_date', 'o.invoice_date::date', 'invoice_date', 'null::date',
      'entity_id', 'o.customer_id::bigint', 'control_account_id', 'o.ar_account_id::bigint', 'side', '''receivable''',
      'kind', '''invoice''', 'applied_cents', format(applied, 'invoice_id'),
      'open_cents', 'case when o.deleted::boolean or o.status::integer in (1, 5) then 0 else o.total_cents::bigint - '
        || format(applied, 'invoice_id') || ' end'));
    perform pg_temp.copy_released('invoice_line', 'invoice_line', company);
    perform pg_temp.copy_released('payment', 'payment', company, jsonb_build_object(
      'entity_id', 'o.customer_id::bigint', 'control_account_id', 'o.ar_account_id::bigint', 'side', '''receivable''',
      'applied_cents', format(applied, 'payment_id'),
      'unapplied_cents', 'case when o.deleted::boolean then 0 else o.amount_cents::bigint end - '
        || format(applied, 'payment_id')));
    perform pg_temp.copy_released('payment_application', 'payment_application', company, jsonb_build_object(
      'document_id', 'o.invoice_id::bigint', 'side', '''receivable''',
      'applied_before_cents', 'sum(o.amount_cents::bigint) over (partition by o.invoice_id::bigint'
        ' order by o.recognition_date::date, o.payment_id::bigint) - o.amount_cents::bigint'));

    insert into number_sequence (company_id, kind, next_number)
    select h.company_id::bigint, n.kind, n.next_number
    from pg_temp.released_ledger_head h
    cross join lateral (values
      ('invoice', h.next_invoice_number::bigint, 10001), ('payment', h.next_payment_number::bigint, 1))
      n (kind, next_number, first_number)
    where h.company_id::bigint = company and n.next_number > n.first_number;

    insert into ledger_total
      (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents, line_count)
    select l.company_id, g.grain, g.begins, l.account_id, l.basis, coalesce(l.profit_center_id, 0),
      coalesce(l.location_id, 0), sum(l.amount_cents), count(*)
    from journal_line l,
      lateral (values ('D'::"char", l.posting_date), ('M', ledger_month_of(l.posting_date))) g (grain, begins)
    where l.company_id = company
    group by 1, 2, 3, 4, 5, 6, 7;

    insert into journal_live (company_id, source_type, source_id, line_ids)
    select t.company_id, t.source_type, t.source_id,
      coalesce(array_agg(l.id order by l.id) filter (where l.reverses is null and r.id is null), '{}')
    from journal_transaction t
    join journal_line l on l.company_id = t.company_id and l.transaction_id = t.id
    left join journal_line r on r.company_id = l.company_id and r.reverses = l.id
    where t.company_id = company
    group by 1, 2, 3
    having bool_or(l.reverses is not null or r.id is not null);

    perform pg_temp.copy_released('job', 'job', company, '{"key": "o.id::text"}');
    perform pg_temp.chain_released(company);

    -- A company with invoices is not new, so its users don't see the first steps.
    insert into first_steps_dismissal (company_id, user_id)
    select m.company_id, m.user_id
    from membership m
    where m.company_id = company and exists (
      select from document d where d.company_id = company and not d.deleted);
  end loop;
  set local app.company_id = '';
end $$;

-- New rows get IDs after those that 0.1.0 gave, including those of deleted rows.
do $$
declare
  column_of record;
  highest bigint;
begin
  for column_of in
    select c.relname as table, a.attname as name,
      pg_get_serial_sequence(format('%I', c.relname), a.attname) as sequence, s.last_value as used
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_temp.released_sequence s
      on s.name = case c.relname when 'document' then 'invoice' else c.relname end || '_' || a.attname || '_seq'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''
  loop
    execute format('select max(%I) from %I', column_of.name, column_of.table) into highest;
    -- Payment types of 0.1.0 have IDs below the first one of the sequence.
    perform setval(column_of.sequence, greatest(highest, column_of.used))
    where greatest(highest, column_of.used) >= (
      select s.seqstart from pg_sequence s where s.seqrelid = column_of.sequence::regclass);
  end loop;
end $$;

-- A job of the company seals its account numbers, because only the program has the key.
insert into job (company_id, kind, key, payload)
select distinct b.company_id, 'numbers', 'numbers', '{}'::jsonb from banking_account b where b.account_number <> '';

-- A restored database has seals already. always/seals.sql adds them to an upgraded one.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'seal'
  loop
    execute format('update %1$I r set seal = seal_of(row(r.*)::%1$I)', name);
  end loop;
end $$;
