-- The user who posted a payment, or 0 for payments posted before. The dialogs for payments and refunds start with the
-- type and account of the user's last one.
alter table payment add column created_by bigint not null default 0;
create index payment_created_by on payment (company_id, created_by, side, (amount_cents < 0), id)
  where not deleted and amount_cents <> 0;
-- Finds the last check of a bank account, so that check numbers continue.
create index payment_check on payment (company_id, bank_account_id, id)
  where not deleted and amount_cents <> 0 and (side = 'payable') = (amount_cents > 0);
