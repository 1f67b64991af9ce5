-- The last part of a line (of a credited invoice or of an estimate) takes the cents that rounding the
-- other parts left.
alter table invoice_line add column rest_cents bigint not null default 0
  check (rest_cents = 0 or credited_line_id is not null or estimate_line_id is not null);
