-- An event without a row in the audit log: a document that a payment or an edit settled. Such an event contains its
-- record, the record's number, and the request that caused it. For other events, these columns are null.
alter table webhook_delivery add column title text;
alter table webhook_delivery add column data json;
alter table webhook_delivery add column request_id text;
alter table webhook_delivery add column idempotency_key text;
