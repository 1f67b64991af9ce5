-- A job has a key: while one of its kind waits, the same work is not asked for twice. It is done in the name of a
-- person, or of nobody where the server asks by itself.
alter table job add column key text, add column user_id bigint;
update job set key = id::text;
alter table job alter column key set not null;
create unique index job_waiting on job (company_id, kind, key) where done_at is null;
