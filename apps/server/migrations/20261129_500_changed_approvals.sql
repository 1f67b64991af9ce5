-- A person who decides on a proposal can change its input first. Counts the changes, so that an outdated form can't
-- overwrite a newer one.
alter table agent_proposal add column row_version integer not null default 0;
-- The input that the agent sent. Null if `input` is still that input.
alter table agent_proposal add column sent_input jsonb;
-- The person who last changed the input.
alter table agent_proposal add column changed_at timestamptz;
alter table agent_proposal add column changed_by bigint;
alter table agent_proposal add column changed_person text;
