-- The second factor of a user: the secret that the authenticator shares, sealed by the program (db/box.ts). Until it is
-- confirmed by a code it asks for nothing. Like the user it is read before the company is known.
create table second_factor (
  user_id bigint primary key references app_user on delete cascade,
  secret_box bytea not null,
  -- The salt of the recovery codes' hashes.
  salt bytea not null,
  -- The 30 seconds of the last code that was taken: no code of these or of earlier ones is taken again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz
);

-- Codes for who lost the authenticator: argon2id with the salt of the factor, so that one hash finds one of them.
create table recovery_code (
  user_id bigint not null references second_factor on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The company requires a second factor of these members; memberships carry a copy, as they carry the time zone.
alter table company add column second_factor_rule text not null default 'nobody'
  check (second_factor_rule in ('nobody', 'administrators', 'everybody'));
alter table membership add column second_factor_rule text not null default 'nobody'
  check (second_factor_rule in ('nobody', 'administrators', 'everybody'));
