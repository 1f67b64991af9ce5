import type { IsoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { hasEnded, isOpen, memberships } from '../../platform/http/session.ts';
import { tokens } from './tokens.sql.ts';

/** A user's company, or a pending invitation. */
export interface CompanyOf {
  companyId: number;
  companyName: string;
  roleName: string;
  endsOn: IsoDate | null;
  isAccepted: boolean;
}

/** Returns a user's companies, sorted by name, except those where the user's last day has passed. */
export const companiesOf = (userId: number) => sql<CompanyOf>`
  select ${memberships.columns('m', ['companyId', 'companyName', 'roleName', 'endsOn'])},
    m.accepted_at is not null as "isAccepted"
  from membership m where m.user_id = ${userId} and not ${hasEnded}
  order by lower(m.company_name), m.company_id`;

/** Accepts an invitation. Returns no row if it was already accepted or revoked, or if its last day has passed. */
export const accept = (userId: number, companyId: number) => sql<{ userId: number }>`
  update membership m set accepted_at = now(), first_name = null, last_name = null
  where m.user_id = ${userId} and m.company_id = ${companyId} and m.accepted_at is null and not ${hasEnded}
  returning m.user_id as "userId"`;

/** Returns one row while an invitation is pending. */
export const findInvited = (userId: number, companyId: number) => sql<{ companyId: number }>`
  select m.company_id as "companyId" from membership m
  where m.user_id = ${userId} and m.company_id = ${companyId} and m.accepted_at is null and not ${hasEnded}`;

/** Returns one row while the user has access to the company. */
export const findOpen = (userId: number, companyId: number) => sql<{ companyId: number }>`
  select m.company_id as "companyId" from membership m
  where m.user_id = ${userId} and m.company_id = ${companyId} and ${isOpen}`;

/** Invalidates the links that let a user join a company. */
export const retireInvitations = (userId: number, joinsCompanyId: number) =>
  tokens.update({ userId, joinsCompanyId, usedAt: null }, { usedAt: sql`now()` });

/**
 * Removes a member: deletes the sessions in the company, the links to it, and the account if the user belongs to no
 * other company.
 */
export const removeMember = (userId: number, companyId: number) => [
  sql`delete from membership where user_id = ${userId} and company_id = ${companyId}`,
  sql`delete from session where user_id = ${userId} and company_id = ${companyId}`,
  retireInvitations(userId, companyId),
  sql`delete from app_user u where u.id = ${userId} and not exists (select from membership m where m.user_id = u.id)`,
];
