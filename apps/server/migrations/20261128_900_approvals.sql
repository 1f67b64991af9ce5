-- The changes of agents that exceed the policy of their key wait for a person, who approves or rejects them.
alter table agent_proposal drop constraint agent_proposal_status_check;
alter table agent_proposal add constraint agent_proposal_status_check
  check (status in ('proposed', 'waiting', 'committed', 'approved', 'rejected', 'undone'));
-- The agent's own words about the change.
alter table agent_proposal add column message text not null default '';
-- Why the change waits.
alter table agent_proposal add column why text;
-- The person who approved or rejected the change, or undid it later, and the reason for a rejection.
alter table agent_proposal add column decided_at timestamptz;
alter table agent_proposal add column decided_by bigint;
alter table agent_proposal add column decided_person text;
alter table agent_proposal add column reason text;
create index agent_proposal_status on agent_proposal (company_id, status, id);

-- Counts the changes of the policy, so that an outdated form can't overwrite it.
alter table api_key add column row_version integer not null default 0;
