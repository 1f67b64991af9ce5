-- Days until an invoice or bill is due, where a customer or vendor has terms of its own; null takes the company's.
alter table entity add column terms_days smallint check (terms_days between 0 and 999);
