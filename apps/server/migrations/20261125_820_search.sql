-- One index of what people look for: a row for each record that a search shows. Statement triggers keep it, because
-- records are written in many places; `verify` makes the rows anew and compares, `rebuild` writes them.

-- A text as it is searched: small letters without accents, and no sign that divides words but a blank. Each letter is
-- folded by itself, so a part of a text is a part of the folded text too.
create function search_fold(text) returns text
language sql immutable strict parallel safe
as $$
  select case when octet_length($1) = length($1) then lower(translate($1, e'\n\r\t\v\f', '     '))
    else translate(replace(replace(replace(replace(
      lower(regexp_replace(normalize(translate($1, e'\n\r\t\v\f', '     '), NFKD), '[\u0300-\u036f]', '', 'g')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđłıħð', 'odlihd') end
$$;

-- Cents as dollars: 1250.00.
create function search_dollars(cents bigint) returns text
language sql immutable strict parallel safe
as $$ select abs(cents) / 100 || '.' || lpad((abs(cents) % 100)::text, 2, '0') $$;

-- Whether a text has a pattern of `like`. It is an operator of our own, so that always/search.sql can give it an index.
create function search_has(text, text) returns boolean
language sql immutable strict parallel safe
as $$ select $1 like $2 $$;
create operator @~ (
  leftarg = text, rightarg = text, function = search_has, restrict = likesel, join = likejoinsel);

create table search_entry (
  company_id bigint not null,
  -- As the API names them: 0 customer, 1 vendor, 2 invoice, 3 bill, 4 product, 5 package deal, 6 customer payment,
  -- 7 bill payment, 8 journal entry, 9 account.
  kind smallint not null,
  id bigint not null,
  -- Its own number or name, folded; an account's number and name.
  key text collate "C" not null,
  -- All that is searched, folded; a blank before and behind each word.
  words text collate "C" not null,
  amount_cents bigint,
  day date,
  -- Something is left to pay or to apply, or it is a draft; names always are.
  is_open boolean not null,
  primary key (company_id, kind, id)
);
-- The plan of a search depends on how many entries have its words: a finer sample tells rare words from common ones.
alter table search_entry alter words set statistics 500;
-- The newest of a kind, and those of a range of days.
create index search_entry_newest on search_entry (company_id, kind, is_open, day, id);
create index search_entry_key on search_entry (company_id, key);
create index search_entry_amount on search_entry (company_id, amount_cents);

-- Deleted documents and payments have no entry, but their lines stay in registers: searches there look through them.
create index document_deleted on document (company_id) where deleted;
create index payment_deleted on payment (company_id) where deleted;

-- The entries that a company's records want, one function for each table. `offset 0` has names looked up by key: a plan
-- that was made while the table was small would read all of it.
create function search_of_entity(company bigint) returns setof search_entry
language sql stable
as $$
  select e.company_id, e.kind, e.id, search_fold(e.displayname),
    search_fold(concat_ws(' ', '', e.displayname, e.name, e.email_address, e.account_number, e.details ->> 'dba',
      e.details ->> 'primaryContactName', e.details ->> 'primaryContactPhone', '')),
    null::bigint, null::date, true
  from entity e
  where e.company_id = company and not e.deleted
$$;
create function search_of_document(company bigint) returns setof search_entry
language sql stable
as $$
  select d.company_id, case d.side when 'receivable' then 2 else 3 end::smallint, d.id, search_fold(d.document_number),
    search_fold(concat_ws(' ', '', d.document_number, e.displayname, search_dollars(d.total_cents),
      case when d.side = 'payable' and d.open_cents <> d.total_cents then search_dollars(d.open_cents) end, '')),
    d.total_cents, coalesce(d.invoice_date, d.document_date), d.open_cents <> 0 or d.is_draft
  from document d
  cross join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = d.entity_id offset 0) e
  where d.company_id = company and not d.deleted
$$;
create function search_of_payment(company bigint) returns setof search_entry
language sql stable
as $$
  select p.company_id, case p.side when 'receivable' then 6 else 7 end::smallint, p.id, search_fold(p.payment_number),
    search_fold(concat_ws(' ', '', p.payment_number, p.reference_number, p.check_number, e.displayname, p.description,
      search_dollars(p.amount_cents), '')),
    p.amount_cents, p.payment_date, p.unapplied_cents <> 0
  from payment p
  cross join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = p.entity_id offset 0) e
  where p.company_id = company and not p.deleted
$$;
create function search_of_product(company bigint) returns setof search_entry
language sql stable
as $$
  select p.company_id, 4::smallint, p.id, search_fold(p.name),
    search_fold(concat_ws(' ', '', p.name, p.version, p.description, search_dollars(p.sales_price_cents), '')),
    p.sales_price_cents, null::date, true
  from product p
  where p.company_id = company and p.active
$$;
create function search_of_package(company bigint) returns setof search_entry
language sql stable
as $$
  select k.company_id, 5::smallint, k.id, search_fold(k.name),
    search_fold(concat_ws(' ', '', k.name, k.description, '')), null::bigint, null::date, true
  from package k
  where k.company_id = company and k.active
$$;
create function search_of_account(company bigint) returns setof search_entry
language sql stable
as $$
  select a.company_id, 9::smallint, a.id,
    search_fold(case a.account_number when '' then a.account_name else a.account_number || ' ' || a.account_name end),
    search_fold(concat_ws(' ', '', a.account_number, a.account_name, a.account_type, a.description, '')),
    null::bigint, null::date, true
  from account a
  where a.company_id = company and a.active
$$;
-- Journal entries never change; their reversals are found with them.
create function search_of_journal(company bigint) returns setof search_entry
language sql stable
as $$
  select t.company_id, 8::smallint, t.id, t.id::text,
    search_fold(concat_ws(' ', '', t.id, t.description, l.memos, search_dollars(l.amount_cents), '')),
    l.amount_cents, t.posting_date, false
  from journal_transaction t
  cross join lateral (
    select string_agg(distinct l.description, ' ') as memos,
      greatest(coalesce(sum(l.amount_cents) filter (where l.basis <> 'C' and l.amount_cents > 0), 0),
        coalesce(sum(l.amount_cents) filter (where l.basis <> 'A' and l.amount_cents > 0), 0))::bigint as amount_cents
    from journal_line l
    where l.company_id = company and l.transaction_id = t.id) l
  where t.company_id = company and t.source_type = 'journal' and t.source_id = t.id
$$;

-- All entries that a company wants: for `verify` and `rebuild`.
create function search_wanted(company bigint) returns setof search_entry
language sql stable
as $$
  select * from search_of_entity(company)
  union all select * from search_of_document(company)
  union all select * from search_of_payment(company)
  union all select * from search_of_product(company)
  union all select * from search_of_package(company)
  union all select * from search_of_journal(company)
  union all select * from search_of_account(company)
$$;

-- For each table: search_put_… brings the entries of some records to what they want, and search_keep_… is its trigger,
-- which calls it for the records whose searched columns a statement changed. Without a company (a restore) nothing is
-- kept: the entries are made anew then. Entries are taken in the order of their ids.
-- Documents and payments carry the name of their customer or vendor: the lock has them wait for one that is renamed at
-- that moment, and a renaming for them.
do $$
declare
  t record;
begin
  for t in
    select * from (values
      ('entity', '{0,1}', 'displayname, name, email_address, account_number, details, deleted', ''),
      ('document', '{2,3}', 'document_number, entity_id, total_cents, open_cents, document_date, invoice_date,'
        ' is_draft, deleted', 'entity_id'),
      ('payment', '{6,7}', 'payment_number, reference_number, check_number, description, entity_id, amount_cents,'
        ' unapplied_cents, payment_date, deleted', 'entity_id'),
      ('product', '{4}', 'name, version, description, sales_price_cents, active', ''),
      ('package', '{5}', 'name, description, active', ''),
      ('account', '{9}', 'account_number, account_name, account_type, description, active', ''))
      as t (name, kinds, columns, named)
  loop
    execute format($code$
      create function search_put_%1$s(company bigint, ids bigint[], may_exist boolean) returns void
      language plpgsql
      set plan_cache_mode = force_generic_plan
      as $body$
      begin
        if may_exist then
          delete from search_entry s
          where s.company_id = company and s.kind = any(%2$L) and s.id = any(ids)
            and s.id <> all(array(select w.id from search_of_%1$s(company) w where w.id = any(ids)));
        end if;
        insert into search_entry as s (company_id, kind, id, key, words, amount_cents, day, is_open)
        select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
        from search_of_%1$s(company) w
        where w.id = any(ids)
        order by w.id
        on conflict (company_id, kind, id) do update
          set key = excluded.key, words = excluded.words, amount_cents = excluded.amount_cents, day = excluded.day,
            is_open = excluded.is_open
          where (s.key, s.words, s.amount_cents, s.day, s.is_open) is distinct from
            (excluded.key, excluded.words, excluded.amount_cents, excluded.day, excluded.is_open);
      end $body$ $code$, t.name, t.kinds);
    execute format($code$
      create function search_keep_%1$s() returns trigger
      language plpgsql
      set plan_cache_mode = force_generic_plan
      as $body$
      declare
        company bigint := nullif(current_setting('app.company_id', true), '')::bigint;
        ids bigint[];
      begin
        if company is null then
          return null;
        elsif tg_op = 'INSERT' then
          select array_agg(b.id) into ids from became b;
        elsif tg_op = 'UPDATE' then
          select array_agg(c.id) into ids
          from (select id, %2$s from became except select id, %2$s from was) c;
        else
          select array_agg(w.id) into ids from was w;
        end if;
        if ids is not null then
          %3$s
          perform search_put_%1$s(company, ids, tg_op <> 'INSERT');
          %4$s
        end if;
        return null;
      end $body$ $code$, t.name, t.columns,
      case t.named when '' then '' else format(
        'perform from entity e where e.company_id = company and e.id = any(array('
        ' select r.%I from %I r where r.company_id = company and r.id = any(ids))) order by e.id for share;',
        t.named, t.name) end,
      case t.name when 'entity' then
        'if tg_op = ''UPDATE'' then perform search_put_renamed(company, ids); end if;' else '' end);
    execute format('create trigger search_inserted after insert on %1$I'
      ' referencing new table as became for each statement execute function search_keep_%1$s()', t.name);
    execute format('create trigger search_updated after update on %1$I referencing old table as was new table as became'
      ' for each statement execute function search_keep_%1$s()', t.name);
    execute format('create trigger search_deleted after delete on %1$I'
      ' referencing old table as was for each statement execute function search_keep_%1$s()', t.name);
  end loop;
end $$;

-- The documents and payments of customers or vendors that were changed: those that carry another name are written.
create function search_put_renamed(company bigint, entities bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  perform search_put_document(company, array(
    select d.id from document d where d.company_id = company and d.entity_id = any(entities)), true);
  perform search_put_payment(company, array(
    select p.id from payment p where p.company_id = company and p.entity_id = any(entities)), true);
end $$;

-- A journal entry gets its entry with its lines, which follow it. They are all that is added in one statement.
create function search_keep_journal() returns trigger
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
  select array_agg(distinct a.transaction_id) into ids
  from added a
  where a.line_no = 1 and exists (
    select from journal_transaction t
    where t.company_id = company and t.id = a.transaction_id and t.source_type = 'journal' and t.source_id = t.id
    offset 0);
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
create trigger search_inserted after insert on journal_line
  referencing new table as added for each statement execute function search_keep_journal();

-- The entries of the companies that there are. Forced row-level security hides the records from their owner too.
do $$
declare
  name text;
  records constant text[] :=
    '{company,entity,document,payment,product,package,account,journal_transaction,journal_line}';
begin
  foreach name in array records loop
    execute format('alter table %I no force row level security', name);
  end loop;
  insert into search_entry (company_id, kind, id, key, words, amount_cents, day, is_open)
  select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
  from company c
  cross join lateral search_wanted(c.company_id) w;
  foreach name in array records loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
