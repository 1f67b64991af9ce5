import type { IsoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { COMPANY } from '../db/query.ts';
import { hasEnded, hasFactor, memberships, users } from '../http/session.ts';
import { pageClauses, searchClause, type PageRequest, type SortColumn } from '../db/page.ts';

/** Users of one company: the membership says whose they are (these tables have no row-level security). */
export interface UserRow {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  roleId: number;
  userRole: string;
  systemRole: boolean;
  termsFlag: boolean;
  isInvited: boolean;
  createdAt: Date;
  lastSignInAt: Date | null;
  secondFactor: boolean;
  endsOn: IsoDate | null;
  hasEnded: boolean;
  rowVersion: number;
}

const columns = sql`
  ${users.columns('u', ['id', 'firstName', 'lastName', 'email', 'termsFlag', 'rowVersion'])},
  ${memberships.columns('m', ['roleId', 'systemRole', 'endsOn'])}, ${hasEnded} as "hasEnded", m.role_name as "userRole",
  u.password_hash is null as "isInvited", u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt",
  ${hasFactor(sql`u.id`)} as "secondFactor"`;

const displayName: SortColumn = { expression: sql`lower(u.first_name || ' ' || u.last_name)`, type: 'text' };
const sorts = {
  displayName,
  email: { expression: sql`lower(u.email)`, type: 'text' },
  userRole: { expression: sql`lower(m.role_name)`, type: 'text' },
  lastSignInAt: {
    expression: sql`coalesce(to_char(u.last_sign_in_at at time zone 'UTC', 'YYYYMMDDHH24MISS'), '')`,
    type: 'text',
  },
} satisfies Record<string, SortColumn>;

export type ListRequest = PageRequest & { q?: string | undefined };

/** Filtered by name, e-mail address or role; an empty filter keeps all. */
const filtered = ({ q }: ListRequest) => sql`
  membership m join app_user u on u.id = m.user_id
  where m.company_id = ${COMPANY}
    ${searchClause(q, { texts: [sql`(u.first_name || ' ' || u.last_name || ' ' || u.email || ' ' || m.role_name)`] })}`;

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

/** Locked in a fixed order, so that two administrators who remove each other at once wait for one another. */
export const lockAdministrators = () => sql<{ userId: number }>`
  select user_id as "userId" from membership
  where company_id = ${COMPANY} and system_role and role_name = 'Administrator' order by user_id for update`;

/** Copies role and time zone; nothing is inserted when the role is not the company's. */
export const insertMembership = (userId: number, roleId: number, endsOn: IsoDate | null) => sql<{ roleId: number }>`
  insert into membership (user_id, company_id, role_id, role_name, system_role, time_zone, permissions,
    second_factor_rule, ends_on)
  select ${userId}, r.company_id, r.id, r.role_name, r.system_role, c.time_zone, r.permissions,
    c.second_factor_rule, ${endsOn}
  from role r join company c on c.company_id = r.company_id
  where r.company_id = ${COMPANY} and r.id = ${roleId} for share of r, c
  returning role_id as "roleId"`;

export const moveToRole = (userId: number, roleId: number) => sql<{ roleId: number }>`
  with chosen as (
    select id, role_name, system_role, permissions from role
    where company_id = ${COMPANY} and id = ${roleId} for share
  )
  update membership m set role_id = r.id, role_name = r.role_name, system_role = r.system_role,
    permissions = r.permissions
  from chosen r where m.company_id = ${COMPANY} and m.user_id = ${userId} returning m.role_id as "roleId"`;

/** Membership, sessions and links go with it. */
export const deleteUser = (id: number) => sql`
  delete from app_user u using membership m
  where u.id = ${id} and m.user_id = u.id and m.company_id = ${COMPANY}`;
