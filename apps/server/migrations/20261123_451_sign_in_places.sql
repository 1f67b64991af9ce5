-- Networks from which a user has signed in. Guesses from elsewhere are limited for the account as a whole; a place that
-- is known keeps its own limit, so nobody locks the owner out. It is read before the company is known.
create table sign_in_place (
  user_id bigint not null references app_user on delete cascade,
  network text not null,
  last_at timestamptz not null default now(),
  primary key (user_id, network)
);
