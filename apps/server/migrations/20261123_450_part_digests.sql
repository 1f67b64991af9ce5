-- Each part of a file has a digest of its own, so that it is checked before it is sent. Rows have seals from now on
-- (always/seals.sql).
alter table attachment_part add column digest bytea;
alter table attachment_part no force row level security;
update attachment_part set digest = sha256(bytes);
alter table attachment_part force row level security;
alter table attachment_part
  alter column digest set not null,
  add constraint attachment_part_digest check (length(digest) = 32);
