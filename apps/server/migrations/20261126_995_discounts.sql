-- Early-payment discounts: so much percent off where a document is paid within so many days. Customers and vendors
-- have them among their terms; an invoice or bill keeps the one that it was made under; and a payment keeps the account
-- that those it takes are posted to. The part of an application that a discount pays is its `waived_cents`.
alter table entity
  add column discount_percent numeric(6, 3) check (discount_percent > 0 and discount_percent < 100),
  add column discount_days smallint check (discount_days between 0 and 999),
  add constraint entity_discount check ((discount_percent is null) = (discount_days is null));
alter table document
  add column discount_percent numeric(6, 3) check (discount_percent > 0 and discount_percent < 100),
  add column discount_until date,
  add constraint document_discount check ((discount_percent is null) = (discount_until is null));
alter table payment
  add column discount_account_id bigint,
  add constraint payment_discount_account_id_fkey
    foreign key (company_id, discount_account_id) references account (company_id, id);
