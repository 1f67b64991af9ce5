-- The live lines of documents that were edited: those that neither reverse another nor are reversed. An edit reads
-- them here, and not every line that was ever posted for the document. A document without a row has reversed nothing:
-- all its lines are live. The program keeps the rows with each posting; `verify` compares them with the lines and
-- `rebuild` makes them anew.
create table journal_live (
  company_id bigint not null references company,
  source_type text not null,
  source_id bigint not null,
  line_ids bigint[] not null,
  primary key (company_id, source_type, source_id)
) with (fillfactor = 70);

-- Forced row-level security hides the rows from their owner too; it is set again below.
alter table journal_transaction no force row level security;
alter table journal_line no force row level security;
insert into journal_live (company_id, source_type, source_id, line_ids)
select t.company_id, t.source_type, t.source_id,
  coalesce(array_agg(l.id order by l.id) filter (where l.reverses is null and r.id is null), '{}')
from journal_transaction t
join journal_line l on l.company_id = t.company_id and l.transaction_id = t.id
left join journal_line r on r.company_id = l.company_id and r.reverses = l.id
group by 1, 2, 3
having bool_or(l.reverses is not null or r.id is not null);
alter table journal_transaction force row level security;
alter table journal_line force row level security;

-- The program numbers, chains and writes by sets what it posts, edits as well as new documents: one way to the journal.
drop function ledger_post(bigint, bigint, jsonb, boolean, text, text);
