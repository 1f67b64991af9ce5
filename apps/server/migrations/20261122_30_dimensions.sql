-- Profit centers, locations and account categories are kept by people now: a location has an address of its own, and a
-- category that accounts belong to is deactivated instead of removed.
alter table location add column address1 text not null default '';
alter table location add column address2 text not null default '';
alter table location add column city text not null default '';
alter table location add column state text not null default '';
alter table location add column county text not null default '';
alter table location add column country text not null default '';
alter table location add column postal_code text not null default '';
alter table location drop column details;
alter table account_category add column active boolean not null default true;
