-- The person who created or skipped a date of a schedule; null where the schedule did so by itself, or for earlier dates.
alter table template_occurrence add column settled_by bigint;
