import { isIP } from 'node:net';
import { ApiKeyRecord, keyCalls, REQUESTS_PER_MINUTE } from '@evenkeel/contract/keys';
import { addMonths, type IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { Ctx, Rights } from '../../platform/http/context.ts';
import { apiKeys, keyHasEnded, newKey } from '../../platform/http/keys.ts';
import { type Input, type Route, route } from '../../platform/http/route.ts';
import { holds, isOpen, memberships, users } from '../../platform/http/session.ts';
import { known } from './roles.ts';

const subject: Subject<typeof ApiKeyRecord> = { name: 'apikey', schema: ApiKeyRecord, idOf: ({ id }) => id };

interface KeyRow extends Omit<ApiKeyRecord, 'createdAt' | 'lastUsedAt' | 'revokedAt' | 'status' | 'userName'> {
  firstName: string;
  lastName: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  hasEnded: boolean;
}

const selected = sql`
  select ${apiKeys.columns('k', ['id', 'name', 'prefix', 'userId', 'permissions', 'addresses', 'requestsPerMinute'])},
    ${apiKeys.columns('k', ['endsOn', 'createdAt', 'lastUsedAt', 'revokedAt'])},
    ${users.columns('u', ['firstName', 'lastName'])}, ${keyHasEnded} or not ${isOpen} as "hasEnded"
  from api_key k
  join app_user u on u.id = k.user_id
  join membership m on m.user_id = k.user_id and m.company_id = k.company_id
  where k.company_id = ${COMPANY}`;

function shown({ firstName, lastName, hasEnded, ...row }: KeyRow): ApiKeyRecord {
  const { createdAt, lastUsedAt, revokedAt } = row;
  return {
    ...row,
    userName: `${firstName} ${lastName}`.trim(),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    status: revokedAt !== null ? 'revoked' : hasEnded ? 'ended' : 'active',
  };
}

async function listKeys({ tx }: Ctx): Promise<ApiKeyRecord[]> {
  return (await tx.rows(sql<KeyRow>`${selected} order by k.id desc`)).map(shown);
}

/**
 * Creates a key for a user, with some of the user's permissions and an expiration date at most one year away.
 * Administrators can't give a key more permissions than the user has, and a key never gets an administrator's own
 * rights.
 */
async function createKey(ctx: Ctx, { body }: Input<typeof keyCalls.createApiKey>) {
  const name = (body.name ?? '').trim();
  if (name === '') throw refuse('Please enter a name', { name: 'Please enter a name' });
  const userId = body.userId ?? 0;
  const user = await ctx.tx.row(
    sql<Rights>`
      select ${memberships.columns('m', ['roleName', 'systemRole', 'permissions'])} from membership m
      where m.company_id = ${COMPANY} and m.user_id = ${userId} and ${isOpen} for share`,
  );
  if (user === undefined) throw refuse('Please select a user', { userId: 'Please select a user' });
  const { key, ...stored } = newKey();
  const wanted = {
    ...stored,
    companyId: ctx.companyId,
    userId,
    name,
    permissions: readPermissions(body.permissions, user),
    addresses: readAddresses(body.addresses ?? []),
    requestsPerMinute: readRequests(body.requestsPerMinute ?? REQUESTS_PER_MINUTE.usual),
    endsOn: readLastDay(body.endsOn, ctx.today),
    createdBy: ctx.userId,
  };
  const { id } = await ctx.tx.one(apiKeys.insert(wanted, ['id']));
  const made = shown(await ctx.tx.one(sql<KeyRow>`${selected} and k.id = ${id}`));
  return { key, record: record(ctx, subject, { after: made }) };
}

function readPermissions(chosen: readonly string[], user: Rights): string[] {
  const no = (message: string) => refuse(message, { permissions: message });
  if (chosen.length === 0) throw no('Please select at least one permission');
  const wrong = chosen.find((permission) => !known.has(permission));
  if (wrong !== undefined) throw no(`The permission "${wrong}" does not exist`);
  const missing = chosen.find((permission) => !holds(user, permission));
  if (missing !== undefined) throw no(`The user doesn't have the permission "${missing}"`);
  // Manage includes View, so each area needs only one of them.
  const held = new Set(chosen);
  return [...known].filter((name) => held.has(name) && (name.startsWith('Manage ') || !held.has(manageOf(name))));
}

const manageOf = (permission: string): string => permission.replace('View ', 'Manage ');

/** Returns the addresses without spaces or duplicates. Each is an IPv4 or IPv6 address, or a network in CIDR form. */
function readAddresses(given: readonly string[]): string[] {
  const addresses = [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))];
  const wrong = addresses.find((text) => !isAddress(text));
  if (wrong === undefined) return addresses;
  const message = `"${wrong}" is not an address such as 203.0.113.24 or a network such as 198.51.100.0/28`;
  throw refuse(message, { addresses: message });
}

function isAddress(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function readRequests(requests: number): number {
  const { most } = REQUESTS_PER_MINUTE;
  const message = `Please enter a number from 1 to ${most}`;
  if (requests < 1 || requests > most) throw refuse(message, { requestsPerMinute: message });
  return requests;
}

function readLastDay(day: IsoDate | null | undefined, today: IsoDate): IsoDate {
  const no = (message: string) => refuse(message, { endsOn: message });
  if (day === null || day === undefined) throw no('Please enter an expiration date');
  if (day < today) throw no("The expiration date can't be in the past");
  if (day > addMonths(today, 12)) throw no('The expiration date can be at most one year from today');
  return day;
}

/** Revokes a key. Revoking it again changes nothing. */
async function revokeKey(ctx: Ctx, { params: { id } }: Input<typeof keyCalls.revokeApiKey>) {
  const lock = { lock: 'for update' } as const;
  const [, [row]] = await ctx.tx.inOrder([
    apiKeys.find({ companyId: ctx.companyId, id }, lock),
    sql<KeyRow>`${selected} and k.id = ${id}`,
  ]);
  if (row === undefined) throw notFound('API key');
  if (row.revokedAt !== null) return { ok: true as const };
  const revokedAt = await ctx.tx.one(
    sql<{ at: Date }>`
      update api_key set revoked_at = now() where company_id = ${COMPANY} and id = ${id} returning revoked_at as at`,
  );
  record(ctx, subject, { before: shown(row), after: shown({ ...row, revokedAt: revokedAt.at }) });
  return { ok: true as const };
}

export const apiKeyRoutes: Route[] = [
  route(keyCalls.listApiKeys, listKeys),
  route(keyCalls.createApiKey, createKey),
  route(keyCalls.revokeApiKey, revokeKey),
];
