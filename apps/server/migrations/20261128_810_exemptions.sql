-- The reason why a customer is exempt from sales tax (`exemptReasons` in core), and the last day of the certificate
-- whose number is in `tax_permit_no`.
alter table entity add column exempt_reason text
  check (exempt_reason in ('resale', 'nonprofit', 'government', 'agriculture', 'manufacturing', 'other'));
alter table entity add column exempt_until date;
