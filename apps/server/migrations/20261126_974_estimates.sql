-- Estimates: documents of the receivable that post nothing. Their states are 11 and up, so that `is_draft` and
-- `is_posted` are false of all of them: no sum, list or ageing of what is owed has one.
alter table document
  -- The estimate that an invoice was made from.
  add column estimate_id bigint,
  -- The person who accepted or declined an estimate through its private link, with a note, as typed there, and when.
  add column answered_by text not null default '',
  add column answer_note text not null default '',
  add column answered_at timestamptz,
  add constraint document_estimate_id_fkey foreign key (company_id, estimate_id) references document (company_id, id),
  drop constraint document_open,
  add constraint document_open check (
    open_cents = case when deleted or status in (1, 5) or status > 10 then 0 else total_cents - applied_cents end)
    not valid,
  drop constraint document_applied,
  add constraint document_applied check (
    case when deleted or status in (1, 5) or status > 10 then applied_cents = 0
      else applied_cents between least(0, total_cents) and greatest(0, total_cents) end) not valid,
  drop constraint document_status_check,
  add constraint document_status_check check (
    case kind when 'estimate' then status between 11 and 16 else status between 1 and 6 end),
  add constraint document_of_estimate check (kind = 'invoice' or estimate_id is null),
  add constraint document_answered check (
    kind = 'estimate' or answered_at is null and answered_by = '' and answer_note = '');
-- Rows that two edits at once left wrong stay as they are until somebody corrects them: `verify` names them.
do $$
declare
  guard record;
begin
  for guard in select unnest(array['document_open', 'document_applied']) as name loop
    begin
      execute format('alter table document validate constraint %I', guard.name);
    exception when check_violation then
      raise warning 'some rows of document do not hold "%": run evenkeel verify', guard.name;
    end;
  end loop;
end $$;
create index document_estimate on document (company_id, estimate_id) where estimate_id is not null;
-- The estimates of a state: those that wait for their invoice are counted on the dashboard.
create index document_estimate_status on document (company_id, status) where kind = 'estimate' and not deleted;

-- The line of that estimate which a line invoices: quantities are invoiced once.
alter table invoice_line
  add column estimate_line_id bigint,
  add constraint invoice_line_estimate_line_id_fkey
    foreign key (company_id, estimate_line_id) references invoice_line (company_id, id);
create index invoice_line_estimate on invoice_line (company_id, estimate_line_id) where estimate_line_id is not null;

-- Estimates are found by searches as a kind of their own, write-offs by their invoices.
create or replace function search_of_document(company bigint) returns setof search_entry
language sql stable
as $$
  select d.company_id, case when d.kind = 'creditmemo' then 10 when d.kind = 'estimate' then 11
      when d.side = 'receivable' then 2 else 3 end::smallint,
    d.id, search_fold(d.document_number),
    search_fold(concat_ws(' ', '', d.document_number, e.displayname, search_dollars(d.total_cents),
      case when d.side = 'payable' and d.open_cents <> d.total_cents then search_dollars(d.open_cents) end, '')),
    d.total_cents, coalesce(d.invoice_date, d.document_date), d.open_cents <> 0 or d.is_draft
  from document d
  cross join lateral (
    select e.displayname from entity e where e.company_id = company and e.id = d.entity_id offset 0) e
  where d.company_id = company and not d.deleted and d.kind <> 'writeoff'
$$;
create or replace function search_put_document(company bigint, ids bigint[], may_exist boolean) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
begin
  if may_exist then
    delete from search_entry s
    where s.company_id = company and s.kind = any('{2,3,10,11}') and s.id = any(ids)
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
