-- Customers and vendors are looked for by what begins with, then by what contains, the typed words: the name as it is
-- compared, and all that is searched, both in small letters. Stored, because row-level security lets an index be
-- entered by a plain comparison of a column, never by what a function makes of one.
alter table entity
  add column name_key text collate "C" not null generated always as (lower(btrim(displayname))) stored,
  add column search_text text collate "C" not null generated always as (lower(
    displayname || e'\n' || email_address || e'\n' || coalesce(details ->> 'dba', '') || e'\n'
    || coalesce(details ->> 'primaryContactPhone', ''))) stored;
create index entity_choice on entity (company_id, kind, name_key, id) where not deleted;
