-- Credit memos: documents of the receivable that are below zero, with the lines of an invoice turned.
alter table document
  -- The invoice that a credit memo was made from.
  add column credited_id bigint,
  -- The reason that is printed on a credit memo.
  add column note text not null default '',
  add constraint document_credited_id_fkey foreign key (company_id, credited_id) references document (company_id, id),
  drop constraint document_receivable,
  add constraint document_sign check (
    side = 'payable' or case kind when 'creditmemo' then total_cents <= 0 else total_cents >= 0 end) not valid,
  add constraint document_of_credit check (kind = 'creditmemo' or credited_id is null);
-- Rows that two edits at once left wrong stay as they are until somebody corrects them: `verify` names them.
do $$
begin
  alter table document validate constraint document_sign;
exception when check_violation then
  raise warning 'some rows of document do not hold "document_sign": run evenkeel verify';
end $$;
create index document_credited on document (company_id, credited_id) where credited_id is not null;

-- The line of that invoice which a line credits: quantities are credited once.
alter table invoice_line
  add column credited_line_id bigint,
  add constraint invoice_line_credited_line_id_fkey
    foreign key (company_id, credited_line_id) references invoice_line (company_id, id);
create index invoice_line_credited on invoice_line (company_id, credited_line_id) where credited_line_id is not null;

-- Credit memos are found by searches as a kind of their own.
create or replace function search_of_document(company bigint) returns setof search_entry
language sql stable
as $$
  select d.company_id, case when d.kind = 'creditmemo' then 10 when d.side = 'receivable' then 2 else 3 end::smallint,
    d.id, search_fold(d.document_number),
    search_fold(concat_ws(' ', '', d.document_number, e.displayname, search_dollars(d.total_cents),
      case when d.side = 'payable' and d.open_cents <> d.total_cents then search_dollars(d.open_cents) end, '')),
    d.total_cents, coalesce(d.invoice_date, d.document_date), d.open_cents <> 0 or d.is_draft
  from document d
  cross join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = d.entity_id offset 0) e
  where d.company_id = company and not d.deleted
$$;
create or replace function search_put_document(company bigint, ids bigint[], may_exist boolean) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  if may_exist then
    delete from search_entry s
    where s.company_id = company and s.kind = any('{2,3,10}') and s.id = any(ids)
      and s.id <> all(array(select w.id from search_of_document(company) w where w.id = any(ids)));
  end if;
  insert into search_entry as s (company_id, kind, id, key, words, amount_cents, day, is_open)
  select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
  from search_of_document(company) w
  where w.id = any(ids)
  order by w.id
  on conflict (company_id, kind, id) do update
    set key = excluded.key, words = excluded.words, amount_cents = excluded.amount_cents, day = excluded.day,
      is_open = excluded.is_open
    where (s.key, s.words, s.amount_cents, s.day, s.is_open) is distinct from
      (excluded.key, excluded.words, excluded.amount_cents, excluded.day, excluded.is_open);
end $$;
