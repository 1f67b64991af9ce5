-- A record's document is kept once. The audit log holds the text that was answered, as it was answered (json keeps a
-- text, jsonb would write it anew); the stored answer of a keyed request names that row instead of repeating it. The
-- audit log is never deleted from, so there is no foreign key to check with every posting.
alter table audit_log alter column before type json using before::json;
alter table audit_log alter column after type json using after::json;

alter table idempotency add column audit_id bigint;
alter table idempotency alter column reply drop not null;
alter table idempotency add constraint idempotency_reply check ((reply is null) <> (audit_id is null));
