-- The bad debts whose tax a filed return claims (`BadDebtClaim` in core). Amounts are in cents.
alter table tax_return add column bad_debts jsonb not null default '[]'::jsonb;
