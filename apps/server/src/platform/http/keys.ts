import { isIP } from 'node:net';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import type { Pool } from '../db/connect.ts';
import { table } from '../db/table.ts';
import { installation } from '../db/tx.ts';
import type { Services, SessionUser } from './context.ts';
import { LimitReached, note } from './limits.ts';
import { hashOf, holds, isFactorMissing, isOpen, memberships, newSecret, users } from './session.ts';

/** API keys, which are stored in an installation table because they are read before the company is known. */
export const apiKeys = table('api_key', {
  id: 'id',
  tokenHash: 'token_hash',
  companyId: 'company_id',
  userId: 'user_id',
  name: 'name',
  prefix: 'prefix',
  permissions: 'permissions',
  addresses: 'addresses',
  requestsPerMinute: 'requests_per_minute',
  endsOn: 'ends_on',
  createdAt: 'created_at',
  createdBy: 'created_by',
  lastUsedAt: 'last_used_at',
  revokedAt: 'revoked_at',
  policy: 'policy',
});

const MARK = 'ek_';
/** The length of the stored prefix. The other 38 characters (228 bits) stay secret. */
const PREFIX_LENGTH = MARK.length + 5;

/** Returns a new key and the parts of it that are stored. */
export function newKey(): { key: string; prefix: string; tokenHash: Buffer } {
  const key = `${MARK}${newSecret()}`;
  return { key, prefix: key.slice(0, PREFIX_LENGTH), tokenHash: hashOf(key) };
}

/** Whether the last day of a key `k` has passed, in the time zone of its company's membership `m`. */
export const keyHasEnded = sql`(k.ends_on < (now() at time zone m.time_zone)::date)`;

interface KeyRow extends Omit<SessionUser, 'termsAccepted' | 'device' | 'sessionId' | 'key'> {
  keyId: number;
  name: string;
  chosen: readonly string[];
  requestsPerMinute: number;
  endsOn: IsoDate;
  isRevoked: boolean;
  hasEnded: boolean;
  isOpen: boolean;
  isAllowedHere: boolean;
  isSeenLongAgo: boolean;
  isAgent: boolean;
  termsVersion: string | null;
}

/**
 * Returns the user of a key, with only the permissions that both the key and the user have. Returns undefined for an
 * unknown key. Throws 401 for a revoked or expired key, and 403 for an address that isn't allowed. One statement reads
 * everything, so that each change takes effect with the next request.
 */
export async function findKey(services: Services, key: string, address: string): Promise<SessionUser | undefined> {
  const { pool, legal } = services;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '');
  // If the proxy is on a socket or sends an invalid header, the request has no IP address, and PostgreSQL would
  // reject the text.
  const from = isIP(plain) === 0 ? null : plain;
  const [row] = await installation(
    pool,
    sql<KeyRow>`
      select ${apiKeys.columns('k', ['tokenHash', 'userId', 'companyId', 'name', 'requestsPerMinute', 'endsOn'])},
        k.id as "keyId", k.permissions as chosen, k.revoked_at is not null as "isRevoked",
        k.policy is not null as "isAgent",
        ${keyHasEnded} as "hasEnded", ${isOpen} as "isOpen",
        k.addresses = '{}' or exists (
          select from unnest(k.addresses) a where ${from}::inet <<= a::inet) as "isAllowedHere",
        coalesce(k.last_used_at < now() - interval '1 minute', true) as "isSeenLongAgo",
        ${users.columns('u', ['email', 'firstName', 'lastName', 'termsVersion'])},
        ${memberships.columns('m', ['roleId', 'roleName', 'systemRole', 'permissions', 'timeZone'])},
        ${isFactorMissing} as "secondFactorMissing"
      from api_key k
      join app_user u on u.id = k.user_id
      join membership m on m.user_id = k.user_id and m.company_id = k.company_id
      where k.token_hash = ${hashOf(key)}`,
  );
  if (row === undefined) return undefined;
  const { keyId: id, name, chosen, requestsPerMinute, isAgent, termsVersion, ...user } = row;
  if (row.isRevoked) throw ended('This API key was revoked');
  if (row.hasEnded) throw ended(`This API key expired on ${formatDate(row.endsOn)}`);
  if (!row.isOpen) throw ended('The user of this API key no longer has access to the company');
  if (!row.isAllowedHere) throw new Failure('forbidden', "This API key can't be used from your network address");
  if (row.isSeenLongAgo) touch(pool, id);
  return {
    ...user,
    roleName: 'API key',
    systemRole: false,
    permissions: chosen.filter((permission) => holds(row, permission)),
    termsAccepted: termsVersion === legal.termsVersion,
    sessionId: 0,
    device: '',
    key: { id, name, requestsPerMinute, isAgent },
  };
}

const ended = (message: string): Failure => new Failure('unauthenticated', message);

/** This update runs at most once a minute, and requests don't wait for it. */
function touch(pool: Pool, id: number): void {
  const seen = sql`
    update api_key set last_used_at = now()
    where id = ${id} and coalesce(last_used_at < now() - interval '1 minute', true)`;
  installation(pool, seen).catch(() => undefined);
}

/** The number of requests that a key has left in the current minute. */
export interface KeyWindow {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts a request with a key. Throws 429 if the key exceeds its limit per minute. `tell` receives the window in either
 * case.
 */
export async function countRequest(
  { pool }: Services,
  { id, requestsPerMinute: most }: { id: number; requestsPerMinute: number },
  tell: (window: KeyWindow) => void,
): Promise<void> {
  const limit = { name: 'api key', most, seconds: 60 };
  const { count, wait } = await note(pool, limit, String(id));
  tell({ limit: most, remaining: Math.max(0, most - count), resetSeconds: Math.max(1, wait) });
  const message = `This API key can make ${most} request${most === 1 ? '' : 's'} per minute. Wait and try again.`;
  if (count > most) throw new LimitReached({ ...limit, message }, wait);
}
