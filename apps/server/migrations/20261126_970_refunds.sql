-- Refunds: payments below zero, numbered with the payments. A refund uses up credit memos by its applications, and
-- parts of payments by the rows below; both count as applied, so that nothing is left on it.
alter table payment
  drop constraint payment_amount_cents_check,
  drop constraint payment_unapplied,
  add constraint payment_unapplied check (case when amount_cents < 0 then unapplied_cents = 0 and applied_cents <= 0
    else applied_cents >= 0 and unapplied_cents >= 0 end and (not deleted or applied_cents = 0)) not valid;
do $$
begin
  alter table payment validate constraint payment_unapplied;
exception when check_violation then
  raise warning 'some rows of payment do not hold "payment_unapplied": run evenkeel verify';
end $$;

-- The part of a payment that a refund gives back: it is no longer to be applied.
create table payment_refund (
  company_id bigint not null,
  refund_id bigint not null,
  payment_id bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- The later of both dates, from which the part is gone.
  recognition_date date not null,
  primary key (company_id, refund_id, payment_id),
  foreign key (company_id, refund_id) references payment (company_id, id),
  foreign key (company_id, payment_id) references payment (company_id, id)
);
create index payment_refund_payment on payment_refund (company_id, payment_id);
create index payment_refund_later on payment_refund (company_id, recognition_date);
