-- The record that the first fault of a check is about, by its kind in the audit log.
alter table health_check add column record_kind text;
alter table health_check add column record_id bigint;
