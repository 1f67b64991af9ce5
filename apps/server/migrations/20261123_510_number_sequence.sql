-- Numbers are rows: each kind of document counts by itself, and a new kind needs no column. A kind has its row from its
-- first number on; before that the program knows where it begins. Postings change the rows under the lock of the
-- company's ledger_head.
create table number_sequence (
  company_id bigint not null references company,
  kind text not null,
  next_number bigint not null check (next_number > 0),
  primary key (company_id, kind)
) with (fillfactor = 10);

-- Forced row-level security hides the rows from their owner too.
alter table ledger_head no force row level security;
insert into number_sequence (company_id, kind, next_number)
select h.company_id, n.kind, n.next_number
from ledger_head h
cross join lateral (values
  ('invoice', h.next_invoice_number, 10001),
  ('payment', h.next_payment_number, 1),
  ('expensepayment', h.next_expense_payment_number, 1)) n (kind, next_number, first_number)
where n.next_number > n.first_number;
alter table ledger_head force row level security;

alter table ledger_head drop column next_invoice_number;
alter table ledger_head drop column next_payment_number;
alter table ledger_head drop column next_expense_payment_number;
