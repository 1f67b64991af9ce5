-- A bank account may be called a credit card though its GL account is not of that type: the API keeps what it is sent.
alter table banking_account add column credit_cards boolean not null default false;
