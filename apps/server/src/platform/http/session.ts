import type { Endpoint } from '@evenkeel/contract/endpoint';
import { opensToKeys } from '@evenkeel/contract/keys';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { type RawBuilder, sql } from 'kysely';
import { createHash, randomBytes } from 'node:crypto';
import { todayIn } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Pool } from '../db/connect.ts';
import type { Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';
import { installation } from '../db/tx.ts';
import type { Actor, By, Rights, Services, SessionUser } from './context.ts';
import { FROM_THE_FUTURE } from './limits.ts';

/** Returns a new secret of 256 bits for the client. Only its hash is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the stored hash of a secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The sessions, which are in an installation table, because they are read before the company is known. */
export const sessions = table('session', {
  tokenHash: 'token_hash',
  id: 'id',
  userId: 'user_id',
  companyId: 'company_id',
  device: 'device',
  network: 'network',
  isNewPlace: 'is_new_place',
  family: 'family',
  createdAt: 'created_at',
  lastSeenAt: 'last_seen_at',
  expiresAt: 'expires_at',
});

export const users = table('app_user', {
  id: 'id',
  email: 'email',
  newEmail: 'new_email',
  passwordHash: 'password_hash',
  passwordChangedAt: 'password_changed_at',
  firstName: 'first_name',
  lastName: 'last_name',
  emailVerifiedAt: 'email_verified_at',
  termsVersion: 'terms_version',
  termsAcceptedAt: 'terms_accepted_at',
  termsFlag: 'terms_flag',
  rowVersion: 'row_version',
});

/**
 * A user's membership in a company. The role, time zone, and company name are copied to it, so that one read finds the
 * session, rights, and current date.
 */
export const memberships = table('membership', {
  userId: 'user_id',
  companyId: 'company_id',
  companyName: 'company_name',
  roleId: 'role_id',
  roleName: 'role_name',
  systemRole: 'system_role',
  timeZone: 'time_zone',
  permissions: 'permissions',
  secondFactorRule: 'second_factor_rule',
  endsOn: 'ends_on',
  firstName: 'first_name',
  lastName: 'last_name',
  invitedAt: 'invited_at',
  acceptedAt: 'accepted_at',
  lastSignInAt: 'last_sign_in_at',
  requestKey: 'request_key',
});

/** Whether the last day of a membership `m` has passed, in the company's time zone. */
export const hasEnded = sql`coalesce(m.ends_on < (now() at time zone m.time_zone)::date, false)`;

/**
 * Whether a membership `m` gives access to its company: the invitation was accepted, and the last day has not passed.
 */
export const isOpen = sql`(m.accepted_at is not null and not ${hasEnded})`;

/**
 * The current membership `m` of a user, for a lateral join. If a company is given, this is the membership in that
 * company. Otherwise, this is the active membership that was used last. Invitations come before expired memberships.
 */
export const memberOf = (userId: RawBuilder<unknown>, companyId: number | null = null) => sql`
  lateral (select m.* from membership m where m.user_id = ${userId}
    order by m.company_id is distinct from ${companyId}::bigint, ${isOpen} desc, ${hasEnded},
      m.last_sign_in_at desc nulls last, m.company_id
    limit 1) m on true`;

/** The operator's rule for all companies (SECOND_FACTOR), which the server stores at startup. */
const OPERATOR_RULE = 'second factor rule';
const operatorRule = sql`coalesce((select i.value from installation i where i.key = ${OPERATOR_RULE}), '')`;

/** Stores the operator's rule in the database, where each session lookup reads it. */
export const keepOperatorRule = ({ secondFactor }: Pick<Config, 'secondFactor'>) =>
  secondFactor === 'company'
    ? sql`delete from installation where key = ${OPERATOR_RULE}`
    : sql`
        insert into installation (key, value) values (${OPERATOR_RULE}, ${secondFactor})
        on conflict (key) do update set value = excluded.value`;

/** Whether the company of a membership `m`, or the operator, requires two-step verification from this member. */
export const isFactorRequired = sql`('everybody' in (m.second_factor_rule, ${operatorRule})
  or 'administrators' in (m.second_factor_rule, ${operatorRule})
    and m.system_role and m.role_name = 'Administrator')`;

/** Whether a user has two-step verification: a confirmed authenticator app or a passkey. */
export function hasFactor(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(exists (select from second_factor f where f.user_id = ${userId} and f.confirmed_at is not null)
    or exists (select from passkey k where k.user_id = ${userId}))`;
}

/** Whether two-step verification is required and the member hasn't set it up. */
export const isFactorMissing = sql`(${isFactorRequired}
  and not ${hasFactor(sql`m.user_id`)})`;

/** Whether a session `s` is valid: not expired, not idle too long, and not created while the clock was ahead. */
export const isAlive = ({ sessionIdleHours }: Config) => sql`(
  s.expires_at > now() and s.created_at <= ${FROM_THE_FUTURE}
  and s.last_seen_at between now() - make_interval(hours => ${sessionIdleHours}) and ${FROM_THE_FUTURE})`;

interface SessionRow extends Omit<SessionUser, 'termsAccepted'> {
  termsVersion: string | null;
  isSeenLongAgo: boolean;
}

/** Returns the session token or API key in `Bearer <token>`, or undefined for any other header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ((?:ek_)?[\w-]{43})$/i.exec(header ?? '')?.[1];
}

/** Returns whether a bearer token is an API key, which is longer than a session token because of its prefix. */
export const isKey = (token: string): boolean => token.length > 43;

/** Returns the user of a valid session, or undefined. */
export type FindSession = (token: string) => Promise<SessionUser | undefined>;

/**
 * Opens the session lookup. One statement reads the current user, company, permissions, and time zone, so that a
 * sign-out, deletion, or role change takes effect with the next request. Lookups in the same turn of the event loop
 * share this statement, which is sent after the last of them, so that no request gets an outdated result.
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
      select ${sessions.columns('s', ['tokenHash', 'userId', 'companyId', 'device'])}, s.id as "sessionId",
        ${users.columns('u', ['email', 'firstName', 'lastName', 'termsVersion'])},
        ${memberships.columns('m', ['roleId', 'roleName', 'systemRole', 'permissions', 'timeZone'])},
        s.last_seen_at < now() - interval '1 minute' as "isSeenLongAgo", ${isFactorMissing} as "secondFactorMissing"
      from session s
      join app_user u on u.id = s.user_id
      join membership m on m.user_id = s.user_id and m.company_id = s.company_id
      where s.token_hash = any(${hashes}::bytea[]) and ${isAlive(config)} and ${isOpen}`,
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

/** This update runs at most once a minute, and requests don't wait for it. */
function touch(pool: Pool, hashes: readonly Buffer[]): void {
  const seen = sql`
    update session set last_seen_at = now()
    where token_hash = any(${hashes}::bytea[]) and last_seen_at < now() - interval '1 minute'`;
  installation(pool, seen).catch(() => undefined);
}

/** The device and network that a session is opened from. */
export interface Origin {
  device: string;
  network: string;
  isNewPlace: boolean;
}

/** Returns the statement that opens a session. The maximum lifetime comes from `config`. */
export function sessionInsert(
  token: string,
  { userId, companyId, origin }: { userId: number; companyId: number; origin?: Origin },
  config: Config,
): Runnable<unknown> {
  const expiresAt = sql`now() + make_interval(days => ${config.sessionMaxDays})`;
  const tokenHash = hashOf(token);
  return sessions.insert({ tokenHash, family: tokenHash, userId, companyId, ...origin, expiresAt });
}

/**
 * Opens a session in another company, in addition to the session with this token. The new session expires no later than
 * the first session. Returns no row if the first session has already ended.
 */
export function sessionBeside(
  tokenHash: Buffer,
  { token, companyId, device, network }: { token: string; companyId: number; device: string; network: string },
): Runnable<{ userId: number }> {
  return sql<{ userId: number }>`
    insert into session (token_hash, user_id, company_id, device, network, family, expires_at)
    select ${hashOf(token)}, s.user_id, ${companyId}::bigint, ${device}, ${network}, s.family, s.expires_at
    from session s where s.token_hash = ${tokenHash}
    returning user_id as "userId"`;
}

export const ADMINISTRATOR = 'Administrator';
export const SUPERUSER = 'Superuser';

/**
 * Returns the actor for a session or API key, with the current date. `cause` is the request, which appears in the audit
 * log and in webhook events.
 */
export function actorOf(user: SessionUser, cause: Pick<By, 'requestId' | 'idempotencyKey'> = {}): Actor {
  const { companyId, userId, roleName, systemRole, permissions, timeZone, sessionId, device, key } = user;
  const person = `${user.firstName} ${user.lastName}`.trim();
  const by: By =
    key === undefined
      ? { kind: 'session', name: device, sessionId, person, ...cause }
      : { kind: 'key', name: key.name, keyId: key.id, person, ...cause };
  return { companyId, userId, by, roleName, systemRole, permissions, today: todayIn(timeZone) };
}

/**
 * Returns an actor for the server, which acts with all rights, on a user's behalf, and on the given date. `by` is the
 * cause of the action.
 */
export function serverActor(
  { companyId, userId }: { companyId: number; userId: number },
  today: IsoDate,
  by: Pick<By, 'kind' | 'name'> = { kind: 'server', name: '' },
): Actor {
  return {
    companyId,
    userId,
    by: { ...by, person: '' },
    roleName: ADMINISTRATOR,
    systemRole: true,
    permissions: [],
    today,
  };
}

export function isAdministrator({ systemRole, roleName }: Rights): boolean {
  return systemRole && roleName === ADMINISTRATOR;
}

/** Returns whether the user's role has the permission. Manage includes View. */
export function holds({ systemRole, roleName, permissions }: Rights, permission: string): boolean {
  if (systemRole && (roleName === ADMINISTRATOR || roleName === SUPERUSER)) return true;
  return (
    permissions.includes(permission) ||
    (permission.startsWith('View ') && permissions.includes(permission.replace('View ', 'Manage ')))
  );
}

/** Throws 401, 403, 409 `terms_required`, or 409 `second_factor_required` unless the caller may use the endpoint. */
export function authorise(endpoint: Endpoint, user: SessionUser | undefined): void {
  const { needs } = endpoint;
  if (needs === 'public') return;
  if (user === undefined) throw new Failure('unauthenticated', 'Please sign in');
  if (user.key !== undefined && !opensToKeys(endpoint)) {
    throw forPeople();
  }
  if (needs === 'session') return;
  if (!user.termsAccepted) throw new Failure('terms_required', 'Accept the terms of service first');
  if (user.secondFactorMissing) throw new Failure('second_factor_required', 'Set up two-step verification first');
  requirePermission(user, endpoint);
}

/**
 * Throws 403 unless the caller has the permission that an endpoint requires. A permission that depends on the record is
 * checked when the call runs.
 */
export function requirePermission(caller: Caller, { needs }: Endpoint): void {
  if (needs === 'public' || needs === 'session' || needs === 'signed-in' || needs === 'by record') return;
  if (needs !== ADMINISTRATOR) requireOneOf(caller, typeof needs === 'string' ? [needs] : needs);
  else if (!isAdministrator(caller)) throw forbidden();
}

const forPeople = (): Failure => new Failure('forbidden', "API keys can't make this call. Only a signed-in user can.");

const forbidden = (): Failure => new Failure('forbidden', 'Your access has changed. Please sign in again.');

/** The session or API key of a caller, or the caller's actor. */
type Caller = Rights & (Pick<SessionUser, 'key'> | Pick<Actor, 'by'>);

/** Returns whether a caller has one of the permissions. */
export const hasOneOf = (caller: Rights, permissions: readonly string[]): boolean =>
  permissions.some((permission) => holds(caller, permission));

/** Throws 403 unless the caller has one of the permissions. For a key, the message lists the permissions. */
export function requireOneOf(caller: Caller, permissions: readonly string[]): void {
  if (hasOneOf(caller, permissions)) return;
  const isProgram = 'by' in caller ? caller.by.kind === 'key' : caller.key !== undefined;
  if (!isProgram) throw forbidden();
  if (permissions.length === 0) throw forPeople();
  const missing = permissions.map((permission) => `"${permission}"`).join(' or ');
  throw new Failure('forbidden', `This API key doesn't have the permission ${missing}`);
}
