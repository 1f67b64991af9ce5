-- The search index: one row for each record that a search finds. Statement triggers update it, because many statements
-- write records. `verify` creates the rows again and compares, and `rebuild` writes them.

-- Folds a text for searches: lowercase letters without accents, and blanks as the only separators. Each letter is
-- folded separately, so a part of a text is a part of the folded text too.
create function search_fold(text) returns text
language sql immutable strict parallel safe
as $$
  select case when octet_length($1) = length($1) then lower(translate($1, e'\n\r\t\v\f', '     '))
    else translate(replace(replace(replace(replace(
      lower(regexp_replace(normalize(translate($1, e'\n\r\t\v\f', '     '), NFKD), '[\u0300-\u036f]', '', 'g')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđłıħð', 'odlihd') end
$$;

-- Formats cents as dollars, such as 1250.00.
create function search_dollars(cents bigint) returns text
language sql immutable strict parallel safe
as $$ select abs(cents) / 100 || '.' || lpad((abs(cents) % 100)::text, 2, '0') $$;

-- Returns whether a text matches a pattern of `like`. The operator is our own, so that always/search.sql can add an
-- index for it.
create function search_has(text, text) returns boolean
language sql immutable strict parallel safe
as $$ select $1 like $2 $$;
create operator @~ (
  leftarg = text, rightarg = text, function = search_has, restrict = likesel, join = likejoinsel);

create table search_entry (
  company_id bigint not null,
  -- The API's numbers: 0 customer, 1 vendor, 2 invoice, 3 bill, 4 product, 5 package deal, 6 customer payment, 7 bill
  -- payment, 8 journal entry, 9 account, 10 credit memo, 11 estimate, 12 unbilled work item, 13 scheduled invoice, 14
  -- scheduled bill, 15 scheduled journal entry, 16 write-off.
  kind smallint not null,
  id bigint not null,
  -- The folded number or name, shortened where a description takes its place. For an account, the number and name.
  key text collate "C" not null,
  -- The folded text to search, with a blank before and after each word.
  words text collate "C" not null,
  amount_cents bigint,
  day date,
  -- The record is a draft, or has an open or unapplied amount. Always true for names.
  is_open boolean not null,
  primary key (company_id, kind, id)
);
-- The best plan of a search depends on how many entries contain its words. A larger sample tells rare words from common
-- ones.
alter table search_entry alter words set statistics 500;
-- Finds the newest of a kind, and a range of days.
create index search_entry_newest on search_entry (company_id, kind, is_open, day, id);
create index search_entry_key on search_entry (company_id, key);
create index search_entry_amount on search_entry (company_id, amount_cents);

-- The functions search_of_… return a company's entries, one function for each table. `offset 0` makes PostgreSQL look
-- up names by key. A plan from a time when the table was small would read all of it.

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
  select d.company_id, case when d.kind = 'creditmemo' then 10 when d.kind = 'estimate' then 11
      when d.kind = 'writeoff' then 16 when d.side = 'receivable' then 2 else 3 end::smallint,
    d.id, search_fold(d.document_number),
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
  select p.company_id, case when p.side = 'receivable' then 6 else 7 end::smallint, p.id, search_fold(p.payment_number),
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
    search_fold(case when a.account_number = '' then a.account_name else a.account_number || ' ' || a.account_name end),
    search_fold(concat_ws(' ', '', a.account_number, a.account_name, a.account_type, a.description, '')),
    null::bigint, null::date, true
  from account a
  where a.company_id = company and a.active
$$;

-- A journal entry never changes. Its reversals are found with it.
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

create function search_of_work_item(company bigint) returns setof search_entry
language sql stable
as $$
  select w.company_id, 12::smallint, w.id, left(search_fold(w.description), 200),
    search_fold(concat_ws(' ', '', w.description, e.displayname, search_dollars(w.total_cents), '')),
    w.total_cents, w.service_date, true
  from work_item w
  cross join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = w.entity_id offset 0) e
  where w.company_id = company and w.invoice_line_id is null
$$;

create function search_of_template(company bigint) returns setof search_entry
language sql stable
as $$
  select t.company_id, case when t.kind = 'invoice' then 13 when t.kind = 'expense' then 14 else 15 end::smallint,
    t.id, left(search_fold(t.name), 200),
    search_fold(concat_ws(' ', '', t.name, e.displayname, search_dollars(t.amount_cents), '')),
    t.amount_cents, t.next_date, t.next_date is not null and not t.paused
  from template t
  left join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = t.entity_id offset 0) e on true
  where t.company_id = company and not t.deleted
$$;

-- Returns all entries of a company, for `verify` and `rebuild`.
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
  union all select * from search_of_work_item(company)
  union all select * from search_of_template(company)
$$;

-- For each table, search_put_… updates the entries of some records, and search_keep_… is the trigger that calls it for
-- the records whose searched columns a statement changed. Without a company (a restore) they have no effect, because
-- `restore` creates the entries again. Entries are locked in the order of their IDs.
-- Some records show the name of their customer or vendor. The lock makes them wait for a change of that name, and a
-- change of the name wait for them.
do $$
declare
  t record;
  put text;
begin
  for t in
    select * from (values
      ('entity', '{0,1}', 'displayname, name, email_address, account_number, details, deleted', ''),
      ('document', '{2,3,10,11,16}', 'document_number, entity_id, total_cents, open_cents, document_date,'
        ' invoice_date, is_draft, deleted', 'entity_id'),
      ('payment', '{6,7}', 'payment_number, reference_number, check_number, description, entity_id, amount_cents,'
        ' unapplied_cents, payment_date, deleted', 'entity_id'),
      ('product', '{4}', 'name, version, description, sales_price_cents, active', ''),
      ('package', '{5}', 'name, description, active', ''),
      ('account', '{9}', 'account_number, account_name, account_type, description, active', ''),
      ('work_item', '{12}', 'description, entity_id, total_cents, service_date, invoice_line_id', 'entity_id'),
      ('template', '{13,14,15}', 'kind, name, entity_id, amount_cents, next_date, paused, deleted', 'entity_id'))
      as t (name, kinds, columns, named)
  loop
    put := format($code$
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
    -- The text of search_put_document keeps the indentation that it has in older databases.
    execute case when t.name = 'document' then replace(put, e'\n      ', e'\n') else put end;
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

-- Updates the entries of records that show a changed customer or vendor.
create function search_put_renamed(company bigint, entities bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  perform search_put_document(company, array(
    select d.id from document d where d.company_id = company and d.entity_id = any(entities)), true);
  perform search_put_payment(company, array(
    select p.id from payment p where p.company_id = company and p.entity_id = any(entities)), true);
  perform search_put_work_item(company, array(
    select w.id from work_item w
    where w.company_id = company and w.entity_id = any(entities) and w.invoice_line_id is null), true);
  perform search_put_template(company, array(
    select t.id from template t where t.company_id = company and t.entity_id = any(entities)), true);
end $$;

-- Adds the entry of a journal entry with its lines, which follow it. One statement adds all of them.
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
  select array_agg(distinct a.transaction_id) into ids from added a where a.line_no = 1;
  select array_agg(t.id) into ids
  from unnest(ids) i (id)
  cross join lateral (
    select * from journal_transaction t where t.company_id = company and t.id = i.id offset 0) t
  where t.source_type = 'journal' and t.source_id = t.id;
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
