-- The list of users tells when each signed in last; sessions are deleted when they end.
alter table app_user add column last_sign_in_at timestamptz;
