import type { IsoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { hasEnded, hasFactor, memberships, users } from '../../platform/http/session.ts';
import { pageClauses, searchClause, type PageRequest, type SortColumn } from '../../platform/db/page.ts';

/**
 * SQL statements for the users in one company. The membership determines the company, because these tables have no
 * row-level security.
 */
export interface UserRow {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  roleId: number;
  userRole: string;
  systemRole: boolean;
  /** Whether the user also belongs to another company. */
  isElsewhere: boolean;
  /** Whether the terms were accepted, according to the request that added the user or to a later request. */
  termsFlag: boolean;
  /** Whether the user accepted any version of the terms. */
  hasAccepted: boolean;
  isInvited: boolean;
  invitedAt: Date;
  lastSignInAt: Date | null;
  secondFactor: boolean;
  endsOn: IsoDate | null;
  hasEnded: boolean;
  rowVersion: number;
}

/** The names that the inviter entered, until the invitation is accepted. */
const firstName = sql`coalesce(m.first_name, u.first_name)`;
const lastName = sql`coalesce(m.last_name, u.last_name)`;

const columns = sql`
  ${users.columns('u', ['id', 'email', 'termsFlag', 'rowVersion'])}, ${firstName} as "firstName",
  u.terms_accepted_at is not null as "hasAccepted",
  ${lastName} as "lastName", ${hasEnded} as "hasEnded",
  ${memberships.columns('m', ['roleId', 'systemRole', 'endsOn', 'invitedAt', 'lastSignInAt'])},
  m.role_name as "userRole", m.accepted_at is null as "isInvited",
  exists (select from membership e
    where e.user_id = u.id and e.company_id <> m.company_id and e.accepted_at is not null) as "isElsewhere",
  m.accepted_at is not null and ${hasFactor(sql`u.id`)} as "secondFactor"`;

const displayName: SortColumn = { expression: sql`lower(${firstName} || ' ' || ${lastName})`, type: 'text' };
const sorts = {
  displayName,
  email: { expression: sql`lower(u.email)`, type: 'text' },
  userRole: { expression: sql`lower(m.role_name)`, type: 'text' },
  lastSignInAt: {
    expression: sql`coalesce(to_char(m.last_sign_in_at at time zone 'UTC', 'YYYYMMDDHH24MISS'), '')`,
    type: 'text',
  },
} satisfies Record<string, SortColumn>;

export type ListRequest = PageRequest & { q?: string | undefined };

/** Filters by name, email address, or role. An empty filter returns all users. */
const filtered = ({ q }: ListRequest) => sql`
  membership m join app_user u on u.id = m.user_id
  where m.company_id = ${COMPANY}
    ${searchClause(q, { texts: [sql`(${firstName} || ' ' || ${lastName} || ' ' || u.email || ' ' || m.role_name)`] })}`;

export function listUsers(request: ListRequest) {
  const page = pageClauses(request, sorts, { id: sql`u.id`, initial: displayName });
  return sql<UserRow & { sortKey: string }>`
    select ${columns}, ${page.key} from ${filtered(request)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export const countUsers = (request: ListRequest) => sql<{ total: number }>`
  select count(*)::int as total from ${filtered(request)}`;

export const findUser = (id: number) => sql<UserRow>`
  select ${columns} from membership m join app_user u on u.id = m.user_id
  where m.company_id = ${COMPANY} and u.id = ${id}`;

export const lockUser = (id: number) => sql<UserRow>`
  select ${columns} from membership m join app_user u on u.id = m.user_id
  where m.company_id = ${COMPANY} and u.id = ${id} for update`;

/**
 * Locks the administrators in a fixed order. If two administrators remove each other at the same time, one of the
 * requests waits for the other. An invited administrator does not count yet.
 */
export const lockAdministrators = () => sql<{ userId: number; isAccepted: boolean }>`
  select user_id as "userId", accepted_at is not null as "isAccepted" from membership
  where company_id = ${COMPANY} and system_role and role_name = 'Administrator' order by user_id for update`;

export interface NewMember {
  userId: number;
  roleId: number;
  endsOn: IsoDate | null;
  firstName: string;
  lastName: string;
}

/**
 * Inserts a membership that gives no access until it is accepted, with copies of the role, name, and time zone. Inserts
 * nothing if the role doesn't belong to the company.
 */
export const inviteMember = ({ userId, roleId, endsOn, ...names }: NewMember) => sql<{ roleId: number }>`
  insert into membership (user_id, company_id, company_name, role_id, role_name, system_role, time_zone, permissions,
    second_factor_rule, ends_on, first_name, last_name)
  select ${userId}, r.company_id, c.displayname, r.id, r.role_name, r.system_role, c.time_zone, r.permissions,
    c.second_factor_rule, ${endsOn}, ${names.firstName}, ${names.lastName}
  from role r join company c on c.company_id = ${COMPANY}
  where r.company_id = ${COMPANY} and r.id = ${roleId} for share of r, c
  returning role_id as "roleId"`;

export const moveToRole = (userId: number, roleId: number) => sql<{ roleId: number }>`
  with chosen as materialized (
    select id, role_name, system_role, permissions from role
    where company_id = ${COMPANY} and id = ${roleId} for share
  )
  update membership m set role_id = r.id, role_name = r.role_name, system_role = r.system_role,
    permissions = r.permissions
  from chosen r where m.company_id = ${COMPANY} and m.user_id = ${userId} returning m.role_id as "roleId"`;

interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  termsFlag: boolean;
}

/**
 * Returns and locks the user with an email address. If no user has the address, creates one. An existing user is not
 * changed.
 */
export const userOfAddress = (user: NewUser) => sql<{ id: number }>`
  ${users.insert(user)}
  on conflict (lower(email)) do update set email = app_user.email returning id`;

export const isMember = (userId: number) => sql<{ userId: number }>`
  select user_id as "userId" from membership where company_id = ${COMPANY} and user_id = ${userId}`;
