import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Runnable } from '../db/query.ts';
import { installation } from '../db/tx.ts';
import type { Services, SessionUser } from './context.ts';

/** A secret of 256 bits as it is handed out; only its hash is stored (security rule 1). */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

interface SessionRow {
  userId: number;
  companyId: number;
  email: string;
  firstName: string;
  lastName: string;
  roleId: number;
  roleName: string;
  systemRole: boolean;
  permissions: string[];
  timeZone: string;
  termsVersion: string | null;
  isSeenLongAgo: boolean;
}

/** `Bearer <token>` → the token; undefined for anything else. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\w-]{43})$/i.exec(header ?? '')?.[1];
}

/**
 * The user of a session that is alive: one statement finds user, company, permissions and time zone as they are now, so
 * that logout, deletion and a change of role hold from the next request on.
 */
export async function findSession(services: Services, token: string): Promise<SessionUser | undefined> {
  const { pool, config, legal } = services;
  const tokenHash = hashOf(token);
  const [row] = await installation(
    pool,
    sql<SessionRow>`
      select s.user_id as "userId", s.company_id as "companyId", u.email, u.first_name as "firstName",
        u.last_name as "lastName", m.role_id as "roleId", m.role_name as "roleName", m.system_role as "systemRole",
        m.permissions, m.time_zone as "timeZone", u.terms_version as "termsVersion",
        s.last_seen_at < now() - interval '1 minute' as "isSeenLongAgo"
      from session s
      join app_user u on u.id = s.user_id
      join membership m on m.user_id = s.user_id and m.company_id = s.company_id
      where s.token_hash = ${tokenHash} and s.expires_at > now()
        and s.last_seen_at > now() - make_interval(hours => ${config.sessionIdleHours})`,
  );
  if (row === undefined) return undefined;
  if (row.isSeenLongAgo) touch(pool, tokenHash);
  const { termsVersion, isSeenLongAgo: _, ...user } = row;
  return { ...user, termsAccepted: termsVersion === legal.termsVersion, tokenHash };
}

/** At most once a minute, and nobody waits for it. */
function touch(pool: Pool, tokenHash: Buffer): void {
  const seen = sql`
    update session set last_seen_at = now()
    where token_hash = ${tokenHash} and last_seen_at < now() - interval '1 minute'`;
  installation(pool, seen).catch(() => undefined);
}

/** The statement that opens a session; `config` says how long it may live. */
export function sessionInsert(
  token: string,
  owner: { userId: number; companyId: number },
  config: Config,
): Runnable<unknown> {
  return sql`
    insert into session (token_hash, user_id, company_id, expires_at)
    values (${hashOf(token)}, ${owner.userId}, ${owner.companyId},
      now() + make_interval(days => ${config.sessionMaxDays}))`;
}
