-- Federal rules for 1099 forms, whose state is US. Each applies to a form or a box (core/taxes/ids), or to all of them.
alter table tax_rule add for_form text
  check (for_form in ('nec', 'misc', 'nec1', 'misc1', 'misc2', 'misc3', 'misc6', 'misc10'));
drop index tax_rule_day;
create unique index tax_rule_day on tax_rule
  (company_id, state, topic, coalesce(for_frequency, -1), coalesce(for_form, ''), effective_from);
