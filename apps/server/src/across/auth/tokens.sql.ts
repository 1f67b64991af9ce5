import { sql } from 'kysely';
import { table } from '../../platform/db/table.ts';
import { FROM_THE_FUTURE } from '../../platform/http/limits.ts';
import { hashOf } from '../../platform/http/session.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';

/** Links that are sent by email or printed. Each link works once, and only the hash of its secret is stored. */
export type TokenKind = 'verify' | 'reset' | 'invite' | 'join' | 'first' | 'email';

/** The number of minutes during which a link works. The first-start link works until it is used. */
const MINUTES: Record<TokenKind, number> = {
  verify: 60,
  reset: 60,
  email: 60,
  invite: 7 * 24 * 60,
  join: 7 * 24 * 60,
  first: 100 * 365 * 24 * 60,
};

export const tokens = table('token', {
  tokenHash: 'token_hash',
  kind: 'kind',
  userId: 'user_id',
  newEmail: 'new_email',
  joinsCompanyId: 'joins_company_id',
  expiresAt: 'expires_at',
  usedAt: 'used_at',
}).typed<{ kind: TokenKind }>();

/** The address that an 'email' link confirms, or the company that an invitation is for. */
interface TokenFor {
  newEmail?: string;
  joinsCompanyId?: number;
}

export const insertToken = (kind: TokenKind, secret: string, userId: number | null, about: TokenFor = {}) => {
  const expiresAt = sql`now() + make_interval(mins => ${MINUTES[kind]})`;
  return tokens.insert({ tokenHash: hashOf(secret), kind, userId, ...about, expiresAt });
};

export interface LiveToken {
  kind: TokenKind;
  userId: number | null;
  email: string | null;
  /** The address that the confirmation was sent to. */
  newEmail: string | null;
  /** The company that an invitation is for. */
  joinsCompanyId: number | null;
}

/**
 * Whether a link is unused and not expired. Links that were created while the clock was ahead are invalid too, because
 * they would otherwise work for too long.
 */
const isLive = sql`t.used_at is null and t.expires_at > now() and t.created_at <= ${FROM_THE_FUTURE}`;

export const findLiveToken = (secret: string, kinds: readonly TokenKind[]) => sql<LiveToken>`
  select t.kind, t.user_id as "userId", u.email, t.new_email as "newEmail",
    t.joins_company_id as "joinsCompanyId"
  from token t left join app_user u on u.id = t.user_id
  where t.token_hash = ${hashOf(secret)} and t.kind = any(${[...kinds]})
    and ${isLive}`;

/** The name of the invited person, as the administrator entered it, and the company. */
interface Invitation {
  email: string;
  firstName: string;
  lastName: string;
  companyName: string;
}

export const findInvitation = (secret: string) => sql<Invitation>`
  select u.email, m.first_name as "firstName", m.last_name as "lastName", m.company_name as "companyName"
  from token t
  join app_user u on u.id = t.user_id
  join membership m on m.user_id = u.id and m.company_id = t.joins_company_id
  where t.token_hash = ${hashOf(secret)} and t.kind = 'invite' and ${isLive}`;

/** Uses up a link. Only one of two simultaneous requests gets the row. */
export const useToken = (secret: string, kinds: readonly TokenKind[]) => sql<LiveToken>`
  update token t set used_at = now()
  where t.token_hash = ${hashOf(secret)} and t.kind = any(${[...kinds]})
    and ${isLive}
  returning t.kind, t.user_id as "userId", t.new_email as "newEmail",
    t.joins_company_id as "joinsCompanyId", (select u.email from app_user u where u.id = t.user_id) as email`;

/** Invalidates a user's other open links of these kinds when one of them is used. */
export const retireTokens = (userId: number, kinds: readonly TokenKind[]) =>
  tokens.update({ userId, kind: kinds, usedAt: null }, { usedAt: sql`now()` });

export const deleteOldTokens = () => sql`
  delete from token where expires_at < now() - interval '7 days' or used_at < now() - interval '7 days'
    or created_at > ${FROM_THE_FUTURE}`;

export const deleteDeadSessions = (idleHours: number) => sql`
  delete from session where expires_at < now() or created_at > ${FROM_THE_FUTURE}
    or last_seen_at not between now() - make_interval(hours => ${idleHours}) and ${FROM_THE_FUTURE}`;

export const deleteFirstTokens = () => tokens.delete({ kind: 'first', usedAt: null });

/**
 * Returns whether the installation still needs its first administrator, because no company exists except the demo
 * company.
 */
export const installationState = () => sql<{ empty: boolean; demo: boolean }>`
  with demo as (
    select m.company_id from membership m join app_user u on u.id = m.user_id where u.email = ${DEMO_EMAIL})
  select exists (select from demo) as demo,
    not exists (select from membership m where m.company_id not in (select company_id from demo)) as empty`;

/** Makes the first-start link usable again after a rejected registration. */
export const reviveToken = (secret: string) =>
  tokens.update({ tokenHash: hashOf(secret), kind: 'first' }, { usedAt: null });
