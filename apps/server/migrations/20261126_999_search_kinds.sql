-- Searches find work items that are not billed yet (12), what comes again (13 invoices, 14 bills, 15 journal entries)
-- and write-offs (16). A description may be longer than an index takes: keys hold its beginning.
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

create or replace function search_of_document(company bigint) returns setof search_entry
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

create or replace function search_wanted(company bigint) returns setof search_entry
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

-- The entries of a renamed customer or vendor, also those of work items and of what comes again.
create or replace function search_put_renamed(company bigint, entities bigint[]) returns void
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

-- Both are kept as payments are: by the same functions, with other names.
do $$
declare
  t record;
  put constant text := pg_get_functiondef('search_put_payment(bigint, bigint[], boolean)'::regprocedure);
  keep constant text := pg_get_functiondef('search_keep_payment()'::regprocedure);
  columns constant text := 'payment_number, reference_number, check_number, description, entity_id, amount_cents,'
    ' unapplied_cents, payment_date, deleted';
begin
  execute replace(pg_get_functiondef('search_put_document(bigint, bigint[], boolean)'::regprocedure),
    '{2,3,10,11}', '{2,3,10,11,16}');
  for t in
    select * from (values
      ('work_item', '{12}', 'description, entity_id, total_cents, service_date, invoice_line_id'),
      ('template', '{13,14,15}', 'kind, name, entity_id, amount_cents, next_date, paused, deleted'))
      as t (name, kinds, columns)
  loop
    execute replace(replace(put, '{6,7}', t.kinds), 'payment', t.name);
    execute replace(replace(keep, columns, t.columns), 'payment', t.name);
    execute format('create trigger search_inserted after insert on %1$I'
      ' referencing new table as became for each statement execute function search_keep_%1$s()', t.name);
    execute format('create trigger search_updated after update on %1$I referencing old table as was new table as became'
      ' for each statement execute function search_keep_%1$s()', t.name);
    execute format('create trigger search_deleted after delete on %1$I'
      ' referencing old table as was for each statement execute function search_keep_%1$s()', t.name);
  end loop;
end $$;

-- The entries of the companies that there are. Forced row-level security hides the records from their owner too.
do $$
declare
  name text;
  records constant text[] := '{company,entity,document,work_item,template}';
begin
  foreach name in array records loop
    execute format('alter table %I no force row level security', name);
  end loop;
  foreach name in array '{work_item,template,document}'::text[] loop
    execute format('insert into search_entry (company_id, kind, id, key, words, amount_cents, day, is_open)'
      ' select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open'
      ' from company c cross join lateral search_of_%s(c.company_id) w where w.kind > 11', name);
  end loop;
  foreach name in array records loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
