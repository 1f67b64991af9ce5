-- The keys that sign proofs of the books for outsiders (Ed25519). The newest one is used. A new one is created if the
-- installation's key can't decrypt it, for example after a restore without that key.
create table proof_key (
  id bigint primary key check (id > 0),
  private_key_box bytea not null,
  created_at timestamptz not null default now()
);
