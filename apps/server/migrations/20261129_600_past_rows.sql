-- Earlier versions of the rows that reports read, so that a report can be run as it was at an earlier time. See
-- "Reports as they were known" in docs/accounting.md. The journal and the audit log only grow, so they need none.
create table past_row (
  company_id bigint not null references company,
  -- The table of the row.
  relation text not null,
  -- The row's primary key without the company.
  key text not null,
  -- The start of the transaction that ended this version. Several changes in one transaction end only one version.
  until timestamptz not null,
  -- The order of the changes of a row, because a transaction that began first can change it last.
  kept_at timestamptz not null default clock_timestamp(),
  -- The time when the row was inserted.
  born timestamptz not null,
  -- The whole row, without its seal.
  content jsonb not null,
  primary key (company_id, relation, key, until)
);
-- Finds the versions that ended after a given time.
create index past_row_until on past_row (company_id, relation, until);

-- Earlier versions of this company's rows are known from this time on. New companies have all of them.
alter table company add column past_since timestamptz not null default now();
alter table company alter column past_since set default '-infinity';

-- Adds the time of insertion to each table whose versions are kept. Only changes by the program end a version. A
-- migration that changes rows changes them in all reports, as if they had always been so.
do $migration$
declare
  t record;
begin
  for t in
    select * from (values
      ('document', 'w.id::text'),
      ('invoice_line', 'w.id::text'),
      ('payment', 'w.id::text'),
      ('payment_application', $$concat_ws(' ', w.payment_id, w.document_id, w.recognition_date - date '2000-01-01')$$),
      ('payment_refund', $$concat_ws(' ', w.refund_id, w.payment_id)$$),
      ('bank_document', 'w.id::text'),
      ('reconciliation', 'w.id::text'),
      ('reconciliation_line', 'w.line_id::text'),
      ('budget_amount', 'w.id::text')) list (name, key)
  loop
    execute format('alter table %I add column born timestamptz not null default ''-infinity''', t.name);
    execute format('alter table %I alter column born set default now()', t.name);
    execute format($code$
      create function keep_past_%1$s() returns trigger
      language plpgsql
      set plan_cache_mode = force_generic_plan
      as $body$
      begin
        insert into past_row (company_id, relation, key, until, born, content)
        select w.company_id, %1$L, %2$s, now(), w.born, to_jsonb(w) - 'seal' from was w where w.born < now()
        on conflict do nothing;
        return null;
      end $body$ $code$, t.name, t.key);
    execute format('create trigger keep_past_updated after update on %1$I referencing old table as was'
      ' for each statement when (current_user = ''evenkeel_app'') execute function keep_past_%1$s()', t.name);
    execute format('create trigger keep_past_deleted after delete on %1$I referencing old table as was'
      ' for each statement when (current_user = ''evenkeel_app'') execute function keep_past_%1$s()', t.name);
  end loop;
end $migration$;

-- A mark that moves to another line is a new row with another key.
create function reconciliation_line_born() returns trigger
language plpgsql
as $$
begin
  new.born := now();
  return new;
end $$;
create trigger born before update of line_id on reconciliation_line
  for each row execute function reconciliation_line_born();
