-- The number of the customer's purchase order, which the customer expects on the invoice. The note to the customer is
-- in `note`, like the reason of a credit memo.
alter table document add column po_number text not null default '';
