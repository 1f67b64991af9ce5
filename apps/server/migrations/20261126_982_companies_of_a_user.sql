-- A person belongs to several companies, with one role in each. The company's name is copied, as its time zone is, so
-- that one read finds them all.
alter table membership drop constraint membership_pkey;
alter table membership add primary key (user_id, company_id);
alter table membership add column company_name text not null default '';
-- The names that the inviter wrote, until the invitation is accepted: who is invited, and knows Evenkeel already, tells
-- nothing of the own account before.
alter table membership add column first_name text;
alter table membership add column last_name text;
alter table membership add column invited_at timestamptz not null default now();
-- Without it the membership opens nothing yet.
alter table membership add column accepted_at timestamptz;
-- The company entered last is the first one at the next sign-in.
alter table membership add column last_sign_in_at timestamptz;

update membership m set company_name = c.displayname from company c where c.company_id = m.company_id;
update membership m set invited_at = u.created_at, last_sign_in_at = u.last_sign_in_at,
  accepted_at = case when u.password_hash is not null then u.created_at end,
  first_name = case when u.password_hash is null then u.first_name end,
  last_name = case when u.password_hash is null then u.last_name end
from app_user u where u.id = m.user_id;
alter table membership alter column company_name drop default;
alter table app_user drop column last_sign_in_at;

-- The place in the box that a secret was sealed for: the company in which it was set up.
alter table second_factor add column box_company_id bigint;
update second_factor f set box_company_id = m.company_id from membership m where m.user_id = f.user_id;
alter table second_factor alter column box_company_id set not null;

-- Links of invitations lead into one company; 'join' is for who has an account, and signs in to accept.
alter table token add column joins_company_id bigint;
update token t set joins_company_id = m.company_id from membership m where m.user_id = t.user_id and t.kind = 'invite';
alter table token drop constraint token_kind_check;
alter table token add constraint token_kind_check
  check (kind in ('verify', 'reset', 'invite', 'join', 'first', 'email'));
