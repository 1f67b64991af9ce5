-- The time at which a job may run at the earliest, and at which an email is sent. Null means as soon as possible.
-- `run_at` can't be later, because a job that waits for hours is treated as postponed by a wrong clock.
alter table job add column not_before timestamptz;
alter table mail add column send_at timestamptz;
