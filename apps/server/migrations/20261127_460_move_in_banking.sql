-- An import also creates bank accounts with their opening reconciliations, payment types, and sales tax. A receipt is a
-- line in Undeposited Funds that was not deposited at the end of the history, and a check has the number of a bank
-- account's last check.
alter table move_in_record drop constraint move_in_record_kind_check;
alter table move_in_record add constraint move_in_record_kind_check
  check (kind in ('transaction', 'account', 'party', 'item', 'profitCenter', 'location', 'document', 'reversal',
    'bankAccount', 'bankReconciliation', 'receipt', 'check', 'paymentType', 'tax', 'taxItem'));

-- The numbers from first_number to next_number - 1, which Evenkeel skipped because documents from another program may
-- have them. move_id is the import that brought the documents, or null for the opening balances.
create table number_skip (
  company_id bigint not null references company,
  kind text not null,
  first_number bigint not null check (first_number > 0),
  next_number bigint not null check (next_number > first_number),
  move_id bigint,
  primary key (company_id, kind, first_number)
);
