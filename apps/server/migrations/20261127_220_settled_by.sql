-- The user who created or skipped a date of a schedule. Null if the schedule did so, and for earlier dates.
alter table template_occurrence add column settled_by bigint;
