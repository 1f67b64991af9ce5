import { endpoints } from '@evenkeel/contract/all';
import { AREAS } from '@evenkeel/contract/areas';
import { auditCalls } from '@evenkeel/contract/audit';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { entityCalls } from '@evenkeel/contract/entities';
import { keyCalls, opensToKeys } from '@evenkeel/contract/keys';
import { addDays, addMonths, formatDate } from '@evenkeel/core/dates';
import { grouped } from '@evenkeel/core/reports/report';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { todayIn } from '../../platform/clock.ts';
import { openPool } from '../../platform/db/connect.ts';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Key House');
});
afterAll(() => t.close());

const everything = AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]);
const today = () => todayIn('America/New_York');

type Wanted = Partial<Parameters<typeof bodyOf>[1]>;
const usual = ['Manage Billing', 'Manage Customers', 'Manage Products'];
const bodyOf = (
  person: Person,
  wanted: { name?: string; permissions?: string[]; addresses?: string[]; requestsPerMinute?: number; endsOn?: string },
) => ({
  name: 'Web shop',
  userId: person.userId,
  permissions: person === company.administrator ? everything : usual,
  endsOn: addMonths(today(), 6),
  ...wanted,
});

/** Creates a key for a user, as the company's administrator. */
const create = (person: Person, wanted: Wanted = {}, house = company) =>
  t.call(keyCalls.createApiKey, { token: house.administrator.token, body: bodyOf(person, wanted) as never });

const refused = (person: Person, wanted: Wanted) =>
  t.refused(keyCalls.createApiKey, { token: company.administrator.token, body: bodyOf(person, wanted) as never });

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const guarded = endpoints.filter(({ needs }) => needs !== 'public');

/** Calls an endpoint. If the call is a write, its body is invalid, so that nothing changes. */
async function knock(endpoint: Endpoint, token: string, address?: string) {
  const { method, path, body, takes } = endpoint;
  const sent =
    body === undefined && takes === undefined ? {} : { body: '{', headers: { 'content-type': 'text/plain' } };
  const url = `/api${path.replaceAll(/\{\w+\}/g, '987654321')}`;
  const answer = await t.request({ method, url, token, ...sent, ...(address === undefined ? {} : { address }) });
  return { status: answer.status, message: (answer.body as { message?: string } | undefined)?.message };
}

const isRefused = ({ status }: { status: number }): boolean => status === 401 || status === 403;

const customers = (token: string, address?: string) =>
  t.request({ method: 'GET', url: '/api/customer', token, ...(address === undefined ? {} : { address }) });

test('a key is shown once, and only its hash and its first eight characters are stored', async () => {
  const { key, record } = await create(company.bookkeeper, { permissions: ['View Billing', 'Manage Customers'] });
  expect(key).toMatch(/^ek_[\w-]{43}$/);
  expect(record).toMatchObject({
    name: 'Web shop',
    prefix: key.slice(0, 8),
    userName: 'Bob Person',
    permissions: ['View Billing', 'Manage Customers'],
    requestsPerMinute: 120,
    status: 'active',
    lastUsedAt: null,
  });
  const stored = await installation(t.pool, sql<{ text: string }>`select k::text as text from api_key k`);
  expect(stored.map(({ text }) => text).join()).not.toContain(key.slice(8));
  const listed = await t.call(keyCalls.listApiKeys, { token: company.administrator.token });
  expect(listed.find(({ id }) => id === record.id)).toEqual(record);
  expect(JSON.stringify(listed)).not.toContain(key.slice(8));
});

describe('every endpoint', () => {
  test('a key with all administrator permissions can call every endpoint that is not reserved for people', async () => {
    const { key } = await create(company.administrator, { requestsPerMinute: 600 });
    // Hundreds of requests at the same time would make a busy machine reject some of them with 503.
    const doors: [string, string][] = [];
    for (const endpoint of guarded) {
      doors.push([nameOf(endpoint), isRefused(await knock(endpoint, key)) ? 'out' : 'in']);
    }
    const byRecord = new Set(['GET /audit']);
    const expected = guarded.map((endpoint) => [
      nameOf(endpoint),
      opensToKeys(endpoint) && !byRecord.has(nameOf(endpoint)) ? 'in' : 'out',
    ]);
    expect(doors).toEqual(expected);
  });

  test("endpoints for users, roles, keys, closing dates, and the user's account are closed to keys", () => {
    const open = endpoints.filter(opensToKeys).map(nameOf);
    const words = 'useradmin|users|userroles|apikeys|closingdate|closingreview|signinrules|user|login|logout';
    const closed = new RegExp(`/(${words})(/|$)|^\\w+ /account(/|$)`, 'i');
    expect(open.filter((name) => closed.test(name))).toEqual([]);
    expect(open.length).toBeGreaterThan(150);
  });

  test("an endpoint is closed to a key without its permission, even if the key's user has it", async () => {
    const groups = grouped(
      guarded.filter(({ needs }) => [needs].flat().some((need) => everything.includes(need))),
      ({ needs }) => [needs].flat().join(),
    );
    for (const group of groups.values()) {
      const needed = new Set([group[0]?.needs ?? []].flat());
      const rest = everything.filter(
        (one) => !needed.has(one as never) && !needed.has(one.replace('Manage', 'View') as never),
      );
      const { key } = await create(company.administrator, { permissions: rest, requestsPerMinute: 600 });
      const doors = await Promise.all(group.map(async (each) => [nameOf(each), (await knock(each, key)).status]));
      expect(doors).toEqual(group.map((each) => [nameOf(each), 403]));
    }
  });

  test('endpoints reject a key that is expired, revoked, used too often, or used from another address', async () => {
    const made = await Promise.all(
      [{}, {}, { addresses: ['203.0.113.24'] }, { requestsPerMinute: 1 }].map((one) =>
        create(company.administrator, one),
      ),
    );
    const [ended, revoked, elsewhere, busy] = made.map(({ key }) => key) as [string, string, string, string];
    const ids = made.map(({ record: { id } }) => id);
    await installation(t.pool, sql`update api_key set ends_on = ${addDays(today(), -1)} where id = ${ids[0]}`);
    await t.call(keyCalls.revokeApiKey, { token: company.administrator.token, params: { id: ids[1] ?? 0 } });
    await customers(busy);
    for (const endpoint of guarded) {
      const answers = await Promise.all([ended, revoked, elsewhere, busy].map((key) => knock(endpoint, key)));
      expect([nameOf(endpoint), ...answers]).toEqual([
        nameOf(endpoint),
        { status: 401, message: `This API key expired on ${formatDate(addDays(today(), -1))}` },
        { status: 401, message: 'This API key was revoked' },
        { status: 403, message: "This API key can't be used from your network address" },
        { status: 429, message: 'This API key can make 1 request per minute. Wait and try again.' },
      ]);
    }
  });
});

test("after a role changes or access ends, a key's next request has only the remaining permissions", async () => {
  const person = await t.signIn(company, 'Bookkeeper');
  const { key } = await create(person);
  const read = () => t.refused(catalogueCalls.createCategory, { token: key, body: {} as never });
  expect((await read()).status).toBe(422);
  await installation(
    t.pool,
    sql`update membership set permissions = '{View Products}' where user_id = ${person.userId}`,
  );
  expect((await read()).status).toBe(403);
  await installation(t.pool, sql`update membership set ends_on = '2020-01-01' where user_id = ${person.userId}`);
  expect(await read()).toMatchObject({ status: 401, message: expect.stringContaining('no longer has access') });
  await installation(t.pool, sql`delete from membership where user_id = ${person.userId}`);
  expect(await read()).toMatchObject({ status: 401, message: 'Please sign in' });
});

test('a key reads and writes only its own company', async () => {
  const { key } = await create(company.administrator);
  const made = await t.call(entityCalls.createCustomer, {
    token: t.world.other.administrator.token,
    body: { name: 'Someone else', emailAddress: 'else@else.example' } as never,
  });
  const { status } = await t.refused(entityCalls.getCustomer, { token: key, params: { id: made.id } as never });
  expect(status).toBe(404);
  const list = await customers(key);
  expect([list.status, JSON.stringify(list.body)]).toEqual([200, expect.not.stringContaining('Someone else')]);
});

test('a change made with a key is in the audit log under the key and its user, without a session', async () => {
  const { key } = await create(company.bookkeeper, { name: 'Night job' });
  await t.call(entityCalls.createCustomer, {
    token: key,
    body: { name: 'Made by a program', emailAddress: 'made@else.example' } as never,
  });
  const { token } = company.administrator;
  const log = await t.call(auditCalls.listAudit, {
    token,
    query: { kind: 'customer', limit: 1, desc: 'true' } as never,
  });
  const [entry] = 'items' in log ? log.items : log;
  expect(entry).toMatchObject({ title: 'Made by a program', person: 'Bob Person', byKind: 'key', byName: 'Night job' });
  const kept = await t.call(auditCalls.listAudit, {
    token,
    query: { kind: 'apikey', limit: 1, desc: 'true' } as never,
  });
  const [creation] = 'items' in kept ? kept.items : kept;
  expect(creation).toMatchObject({ action: 'create', title: 'Night job', person: 'Ada Admin' });
});

test('if a key lacks a permission, the error names the missing permission', async () => {
  const { key } = await create(company.administrator, { permissions: ['View Billing'] });
  const sent = { token: key, body: { name: 'Fairlawn', emailAddress: 'f@fairlawn.example' } as never };
  expect(await t.refused(entityCalls.createCustomer, sent)).toMatchObject({
    status: 403,
    message: 'This API key doesn\'t have the permission "Manage Customers"',
  });
  // A record's history requires the permission for the record's area.
  expect(
    await t.refused(auditCalls.listAudit, { token: key, query: { kind: 'vendor', record: 1 } as never }),
  ).toMatchObject({ status: 403, message: 'This API key doesn\'t have the permission "View Vendors"' });
  expect(await t.refused(entityCalls.createCustomer, { ...sent, token: company.stranger.token })).toMatchObject({
    status: 403,
    message: 'Your access has changed. Please sign in again.',
  });
});

test('a repeated request gets a marked response, or is rejected while the first request is still running', async () => {
  const { key } = await create(company.administrator);
  const post = (token: string, name: string, idempotencyKey = name) =>
    t.request({
      method: 'POST',
      url: '/api/customer',
      token,
      headers: { 'idempotency-key': idempotencyKey },
      body: { name, emailAddress: 'books@example.com' },
    });
  const first = await post(key, 'Replayed');
  const again = await post(key, 'Replayed');
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', first.body]);
  expect(await post(key, 'Other', 'Replayed')).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  const { key: another } = await create(company.administrator);
  expect(await post(another, 'Replayed')).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  // The lock holds the first request until the second request has been rejected.
  const owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
  const holder = await owner.connect();
  await holder.query('begin; lock table entity in access exclusive mode');
  const together = [post(key, 'Together'), post(key, 'Together')];
  const early = await Promise.race(together);
  await holder.query('rollback');
  holder.release();
  await owner.end();
  expect((await Promise.all(together)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(early).toMatchObject({
    status: 409,
    headers: { 'retry-after': '1' },
    body: { message: 'The first request with this Idempotency-Key is still running. Try again in a moment.' },
  });
  expect((await post(key, 'Together')).headers['idempotent-replayed']).toBe('true');
  // A person's second request waits for the first request.
  const { token } = company.administrator;
  const people = await Promise.all([post(token, 'Person'), post(token, 'Person')]);
  expect(people.map(({ status }) => status)).toEqual([200, 200]);
  expect(people.map(({ headers }) => headers['idempotent-replayed']).filter((one) => one === 'true')).toHaveLength(1);
});

test('a key works from an allowed address or network, including IPv4 addresses written as IPv6', async () => {
  const { key } = await create(company.administrator, {
    addresses: ['203.0.113.24', '198.51.100.0/28', '2001:db8::/32'],
  });
  const statuses = async (...from: string[]) =>
    Promise.all(from.map(async (one) => (await customers(key, one)).status));
  expect(await statuses('203.0.113.24', '198.51.100.15', '::ffff:198.51.100.1', '2001:db8:7::1')).toEqual([
    200, 200, 200, 200,
  ]);
  expect(await statuses('203.0.113.25', '198.51.100.16', '2001:db9::1', '127.0.0.1')).toEqual([403, 403, 403, 403]);
});

test('a key works on connections without a network address unless the key is limited to addresses', async () => {
  const [free, bound] = await Promise.all(
    [{}, { addresses: ['203.0.113.24'] }].map((one) => create(company.bookkeeper, one)),
  );
  expect([
    (await customers(free?.key ?? '', 'unix')).status,
    (await customers(bound?.key ?? '', 'unix')).status,
  ]).toEqual([200, 403]);
});

test('every response says how many requests are left in the current minute', async () => {
  const { key } = await create(company.administrator, { requestsPerMinute: 3 });
  const answers = await Promise.all(Array.from({ length: 5 }, () => customers(key)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429]);
  const left = answers.map(
    ({ headers }) => `${String(headers['ratelimit-remaining'])} of ${String(headers['ratelimit-limit'])}`,
  );
  expect(left.toSorted()).toEqual(['0 of 3', '0 of 3', '0 of 3', '1 of 3', '2 of 3']);
  const last = answers.find(({ status }) => status === 429);
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(last?.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
});

test('an invalid request to create a key is rejected with a message for the field', async () => {
  const cases: [Wanted, string, string][] = [
    [{ name: ' ' }, 'name', 'Please enter a name'],
    [{ permissions: [] }, 'permissions', 'Please select at least one permission'],
    [{ permissions: ['Manage Users'] }, 'permissions', 'The permission "Manage Users" does not exist'],
    [{ endsOn: addDays(today(), -1) }, 'endsOn', "The expiration date can't be in the past"],
    [
      { endsOn: addDays(addMonths(today(), 12), 1) },
      'endsOn',
      'The expiration date can be at most one year from today',
    ],
    [{ requestsPerMinute: 601 }, 'requestsPerMinute', 'Please enter a number from 1 to 600'],
    [{ requestsPerMinute: 0 }, 'requestsPerMinute', 'Please enter a number from 1 to 600'],
    ...['shop.example', '1.2.3.4/33', '1.2.3.4/', 'fe80::1%eth0'].map((address): [Wanted, string, string] => [
      { addresses: [address] },
      'addresses',
      `"${address}" is not an address such as 203.0.113.24 or a network such as 198.51.100.0/28`,
    ]),
  ];
  for (const [wanted, field, message] of cases) {
    expect(await refused(company.administrator, wanted)).toMatchObject({ status: 422, fields: { [field]: message } });
  }
  const reader = await refused(company.reader, { permissions: ['Manage Billing'] });
  expect(reader).toMatchObject({ status: 422, message: 'The user doesn\'t have the permission "Manage Billing"' });
  const stranger = await refused(t.world.other.bookkeeper, {});
  expect(stranger).toMatchObject({ status: 422, fields: { userId: 'Please select a user' } });
});

test('if two administrators revoke a key at the same time, the audit log gets only one entry', async () => {
  const { record } = await create(company.bookkeeper, { name: 'Old website' });
  const { token } = company.administrator;
  const revoke = () => t.call(keyCalls.revokeApiKey, { token, params: { id: record.id } });
  await Promise.all([revoke(), revoke()]);
  const log = await t.call(auditCalls.listAudit, { token, query: { kind: 'apikey', record: record.id } as never });
  const entries = 'items' in log ? log.items : log;
  expect(entries.map(({ action }) => action)).toEqual(['create', 'update']);
  const missing = await t.refused(keyCalls.revokeApiKey, {
    token: t.world.other.administrator.token,
    params: { id: record.id },
  });
  expect(missing.status).toBe(404);
});
