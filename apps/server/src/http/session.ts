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
  tokenHash: Buffer;
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

/** Answers the user of a session that is alive, or undefined. */
export type FindSession = (token: string) => Promise<SessionUser | undefined>;

/**
 * Finds sessions: one statement answers user, company, permissions and time zone as they are now, so that logout,
 * deletion and a change of role hold from the next request on. Look-ups of the same turn of the event loop share it;
 * it is sent behind the last of them, so nobody is answered from before his request.
 */
export function openSessions(services: Services): FindSession {
  let turn: { hashes: Map<string, Buffer>; found: Promise<Map<string, SessionUser>> } | undefined;
  const begin = () => {
    const hashes = new Map<string, Buffer>();
    const found = new Promise<Map<string, SessionUser>>((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve(findSessions(services, [...hashes.values()]));
      });
    });
    return { hashes, found };
  };
  return async (token) => {
    turn ??= begin();
    const hash = hashOf(token);
    const key = hash.toString('hex');
    turn.hashes.set(key, hash);
    return (await turn.found).get(key);
  };
}

async function findSessions(services: Services, hashes: readonly Buffer[]): Promise<Map<string, SessionUser>> {
  const { pool, config, legal } = services;
  const rows = await installation(
    pool,
    sql<SessionRow>`
      select s.token_hash as "tokenHash", s.user_id as "userId", s.company_id as "companyId", u.email,
        u.first_name as "firstName", u.last_name as "lastName", m.role_id as "roleId", m.role_name as "roleName",
        m.system_role as "systemRole", m.permissions, m.time_zone as "timeZone", u.terms_version as "termsVersion",
        s.last_seen_at < now() - interval '1 minute' as "isSeenLongAgo"
      from session s
      join app_user u on u.id = s.user_id
      join membership m on m.user_id = s.user_id and m.company_id = s.company_id
      where s.token_hash = any(${hashes}::bytea[]) and s.expires_at > now()
        and s.last_seen_at > now() - make_interval(hours => ${config.sessionIdleHours})`,
  );
  const seen = rows.filter((row) => row.isSeenLongAgo).map((row) => row.tokenHash);
  if (seen.length > 0) touch(pool, seen);
  return new Map(
    rows.map(({ termsVersion, isSeenLongAgo: _, ...user }) => [
      user.tokenHash.toString('hex'),
      { ...user, termsAccepted: termsVersion === legal.termsVersion },
    ]),
  );
}

/** At most once a minute, and nobody waits for it. */
function touch(pool: Pool, hashes: readonly Buffer[]): void {
  const seen = sql`
    update session set last_seen_at = now()
    where token_hash = any(${hashes}::bytea[]) and last_seen_at < now() - interval '1 minute'`;
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
