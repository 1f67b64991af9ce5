-- Sessions in several companies that were entered from one sign-in: signing out of one ends them all. The family is the
-- hash of the first session's token.
alter table session add column family bytea;
update session set family = token_hash;
alter table session alter column family set not null;
create index session_family on session (family);
