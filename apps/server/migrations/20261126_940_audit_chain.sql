-- The audit log is chained as the journal is, without a line in front of it. A company has lanes: a transaction takes
-- the first one that nobody holds, so nobody waits, and there are as many as ever wrote at once. Each row's hash covers
-- its columns, its place in its lane and the hash before it. The lane's head is the last thing that a save locks.
create table audit_lane (
  company_id bigint not null references company,
  lane integer not null,
  next_no bigint not null default 1,
  last_hash bytea not null default '',
  primary key (company_id, lane)
);

-- A person's name and device as they were then, and how the record is called: sessions, people and records come and go.
alter table audit_log
  add column person text not null default '',
  add column by_kind text not null default '',
  add column by_name text not null default '',
  add column session_id bigint,
  add column title text not null default '',
  add column amount_cents bigint,
  add column lane integer,
  add column lane_no bigint,
  add column hash bytea;
-- Rows come in the order of time, so a small index of places finds a range of days; each posting pays for it.
create index audit_log_at on audit_log using brin (at);

-- The hash of a row behind another: what the trigger below writes, and `verify` makes again.
create function audit_hash(a audit_log, previous bytea) returns bytea
language sql stable
return sha256(previous || record_send(row(a.company_id, a.id, a.at, a.user_id, a.action, a.subject_type, a.subject_id,
  a.before, a.after, a.reason, a.person, a.by_kind, a.by_name, a.session_id, a.title, a.amount_cents, a.lane,
  a.lane_no)));

-- Rows of before: their seals were the digest of each, so one that no longer holds stays out of the chain and is named.
create function pg_temp.chain_step(before bytea, value bytea) returns bytea
language sql immutable
return sha256(before || value);
create aggregate pg_temp.chain(bytea) (sfunc = pg_temp.chain_step, stype = bytea, initcond = '');

alter table audit_log no force row level security;
alter table audit_lane no force row level security;
do $$
declare
  holds text := 'true';
begin
  if to_regprocedure('seal_of(audit_log)') is not null then
    holds := 'seal is not distinct from pg_temp.sealed(r)';
    execute 'create function pg_temp.sealed(r audit_log) returns bytea language sql stable as '
      || quote_literal((select prosrc from pg_proc where oid = to_regprocedure('seal_of(audit_log)')));
  end if;
  execute 'update audit_log r set lane = 1 where ' || holds;
  update audit_log a set person = trim(u.first_name || ' ' || u.last_name) from app_user u where u.id = a.user_id;
  update audit_log a set
    title = left(coalesce(s.row ->> 'invoiceNumber', s.row ->> 'paymentNumber', s.row ->> 'transferNumber',
      s.row ->> 'depositNumber', s.row ->> 'displayname', s.row ->> 'displayName', s.row ->> 'name',
      s.row ->> 'roleName', s.row ->> 'accountNameLabel', s.row ->> 'fileName', s.row ->> 'profitcentername',
      s.row ->> 'locationname', s.row ->> 'categoryName', s.row ->> 'settingName', s.row ->> 'text', ''), 200),
    amount_cents = round(coalesce(s.row ->> 'invoiceAmount', s.row ->> 'paymentAmount', s.row ->> 'totalAmount',
      s.row ->> 'statementBalance', s.row ->> 'amount')::numeric * 100)
  from (select company_id, id, coalesce(after, before) as row from audit_log) s
  where s.company_id = a.company_id and s.id = a.id;
  update audit_log a set lane_no = s.no
  from (select company_id, id, row_number() over (partition by company_id order by id) as no
    from audit_log where lane = 1) s
  where s.company_id = a.company_id and s.id = a.id;
  update audit_log a set hash = s.hash
  from (
    select company_id, id, pg_temp.chain(record_send(row(r.company_id, r.id, r.at, r.user_id, r.action,
      r.subject_type, r.subject_id, r.before, r.after, r.reason, r.person, r.by_kind, r.by_name, r.session_id, r.title,
      r.amount_cents, r.lane, r.lane_no))) over (partition by company_id order by id) as hash
    from audit_log r where lane = 1) s
  where s.company_id = a.company_id and s.id = a.id;
  insert into audit_lane (company_id, lane, next_no, last_hash)
  select distinct on (company_id) company_id, lane, lane_no + 1, hash from audit_log where lane = 1
  order by company_id, lane_no desc;
end $$;
alter table audit_log force row level security;
alter table audit_lane force row level security;

-- The hash takes the place of the seal.
drop trigger if exists seal on audit_log;
drop trigger if exists seal_again on audit_log;
drop function if exists seal_new_audit_log();
drop function if exists pg_temp.sealed(audit_log);
drop function if exists seal_of(audit_log);
alter table audit_log drop column if exists seal;

-- Puts a row behind the last one of a lane: the first lane that no other transaction holds, a new one where all are
-- held. Only the rows of the role of requests are chained, as with seals: a restored row keeps its hash, and one that
-- was written behind the product has none.
create function audit_link() returns trigger
language plpgsql
as $$
declare
  head audit_lane;
begin
  loop
    select * into head from audit_lane where company_id = new.company_id order by lane limit 1 for update skip locked;
    exit when found;
    insert into audit_lane (company_id, lane)
    select new.company_id, coalesce(max(lane), 0) + 1 from audit_lane where company_id = new.company_id
    on conflict do nothing;
  end loop;
  new.lane := head.lane;
  new.lane_no := head.next_no;
  new.hash := sha256(head.last_hash || record_send(row(new.company_id, new.id, new.at, new.user_id, new.action,
    new.subject_type, new.subject_id, new.before, new.after, new.reason, new.person, new.by_kind, new.by_name,
    new.session_id, new.title, new.amount_cents, new.lane, new.lane_no)));
  update audit_lane set next_no = head.next_no + 1, last_hash = new.hash
  where company_id = new.company_id and lane = head.lane;
  return new;
end $$;
create trigger audit_link before insert on audit_log for each row
  when (current_user = 'evenkeel_app') execute function audit_link();

-- Nobody changes it, whatever the role.
create function audit_refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'the audit log is append-only: no % on it', lower(tg_op) using errcode = 'EK004';
end $$;
create trigger audit_append_only before update or delete or truncate on audit_log for each statement
  execute function audit_refuse_change();
