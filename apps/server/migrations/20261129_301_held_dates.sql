-- The checklist for closing lists the dates of schedules that are on hold, which are few among all settled dates.
create index template_occurrence_held on template_occurrence (company_id, due_date) where state = 'held';
