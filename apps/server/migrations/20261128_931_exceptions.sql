-- Few changes have a reason, so that the report of exceptions reads only those.
create index audit_log_reason on audit_log (company_id, at) where reason is not null;
