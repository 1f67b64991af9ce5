import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { endpoints } from '@evenkeel/contract/all';
import { type Endpoint, ErrorReply } from '@evenkeel/contract/endpoint';
import { openApi } from '@evenkeel/contract/openapi';
import { decode } from '@evenkeel/contract/wire';
import { installation } from '../db/tx.ts';
import { allRoutes } from '../routes.ts';
import { type RawAnswer, requestOf, startTestApp, type TestApp } from '../testing/app.ts';
import {
  addRecords,
  MISSING,
  notRecords,
  parametersOf,
  recordFor,
  type Records,
  references,
} from '../testing/records.ts';
import { multipart } from '../testing/files.ts';
import { allKeysOf, keysOf, sampleOf } from '../testing/sample.ts';

let t: TestApp;
let own: Records;
let foreign: Records;

beforeAll(async () => {
  t = await startTestApp();
  own = await addRecords(t.pool, t.world.company);
  foreign = await addRecords(t.pool, t.world.other);
});
afterAll(() => t.close());

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const bound = new Set(allRoutes.map((route) => route.endpoint));
const served = endpoints.filter((endpoint) => bound.has(endpoint));
const guarded = served.filter(({ needs }) => needs !== 'public');
const tokenOf = (): string => t.world.company.administrator.token;

interface Ask {
  token?: string;
  ids?: Records;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls an endpoint with ids of the records given (or missing ones) and a body that its schema takes. */
function ask(endpoint: Endpoint, { token, ids, body, headers }: Ask = {}): Promise<RawAnswer> {
  const pairs = parametersOf(endpoint).map((name) => [name, (ids && recordFor(endpoint, name, ids)) ?? MISSING]);
  const file =
    endpoint.takes === 'file' ? multipart('sample.pdf', '%PDF-1.7 sample') : { headers: {}, body: undefined };
  const sample = endpoint.body === undefined ? file.body : sampleOf(endpoint.body);
  const params = Object.fromEntries(pairs);
  const sent = { params, headers: { ...file.headers, ...headers }, body: body ?? sample };
  return t.request({ ...requestOf(endpoint, sent), token });
}

function expectRefusal(answer: RawAnswer, ...statuses: number[]): void {
  expect(statuses).toContain(answer.status);
  const error = ErrorReply.parse(answer.body);
  expect(error.message).not.toMatch(
    /select .* from|insert into|constraint|violates|relation "|syntax error|\.ts:|node_modules/,
  );
}

test('every endpoint of the contract is bound to a route, and every route is in the contract', () => {
  expect(endpoints.filter((endpoint) => !bound.has(endpoint)).map(nameOf)).toEqual([]);
  expect(allRoutes.filter((route) => !endpoints.includes(route.endpoint)).map((each) => nameOf(each.endpoint))).toEqual(
    [],
  );
});

test('no two endpoints have the same method and path', () => {
  const names = endpoints.map((each) =>
    nameOf(each)
      .toLowerCase()
      .replace(/\{\w+\}/g, '{}'),
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the OpenAPI document names every endpoint', () => {
  const { paths } = openApi(endpoints);
  for (const { method, path } of endpoints) expect(paths[`/api${path}`]).toHaveProperty(method.toLowerCase());
});

describe('without a living session', () => {
  test.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s answers 401', async (_, endpoint) => {
    expectRefusal(await ask(endpoint), 401);
    expectRefusal(await ask(endpoint, { token: 'A'.repeat(43) }), 401);
    expectRefusal(await ask(endpoint, { headers: { authorization: `Basic ${tokenOf()}` } }), 401);
  });
});

describe('with a role that lacks the permission', () => {
  const permitted = guarded.filter(({ needs }) => needs !== 'session' && needs !== 'signed-in');
  test.each(permitted.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers 403',
    async (_, endpoint) => {
      const { superuser, reader, stranger } = t.world.company;
      expectRefusal(await ask(endpoint, { token: stranger.token, ids: own }), 403);
      const needs = [endpoint.needs].flat();
      if (needs.includes('Administrator'))
        expectRefusal(await ask(endpoint, { token: superuser.token, ids: own }), 403);
      if (needs.every((need) => need.startsWith('Manage '))) {
        expectRefusal(await ask(endpoint, { token: reader.token, ids: own }), 403);
      }
    },
  );
});

describe('before the terms are accepted', () => {
  const closed = guarded.filter(({ needs }) => needs !== 'session');
  test.each(closed.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s answers 409', async (_, endpoint) => {
    const { superuser } = t.world.other;
    await installation(t.pool, sql`update app_user set terms_version = null where id = ${superuser.userId}`);
    const answer = await ask(endpoint, { token: superuser.token });
    expectRefusal(answer, 409);
    expect(answer.body).toMatchObject({ code: 'terms_required' });
  });
});

/**
 * Every row of a company, whole: of each table that has a company_id, and its users. Of one's own company the sessions
 * are left out, which note when they were last seen.
 */
async function rowsOf(companyId: number, isOwn: boolean): Promise<Map<string, unknown>> {
  const rows = await t.inCompany(companyId, async (tx) => {
    const tables = await tx.rows(
      sql<{ name: string }>`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'company_id' and table_name <> ${isOwn ? 'session' : ''}
        order by 1`,
    );
    const whole = tables.map(
      ({ name }) => sql`select ${name} as name, jsonb_agg(to_jsonb(x) order by to_jsonb(x)::text) as rows
        from ${sql.table(name)} x where company_id = ${companyId}`,
    );
    const users = sql`select 'app_user', jsonb_agg(to_jsonb(u) order by u.id) from app_user u
      join membership m on m.user_id = u.id where m.company_id = ${companyId}`;
    return tx.rows<{ name: string; rows: unknown }>(sql.join([...whole, users], sql` union all `));
  });
  return new Map(rows.map((row) => [row.name, row.rows]));
}

/** What a refused call may change: nothing of either company. */
async function untouched(refused: () => Promise<void>): Promise<void> {
  const { company, other } = t.world;
  const both = () => Promise.all([rowsOf(company.companyId, true), rowsOf(other.companyId, false)]);
  const before = await both();
  await refused();
  expect(await both()).toEqual(before);
}

test('the rows that are compared are all there are, the other company’s records among them', async () => {
  const rows = await rowsOf(t.world.other.companyId, false);
  expect(rows.size).toBeGreaterThan(25);
  for (const table of ['account', 'app_user', 'audit_log', 'entity', 'journal_line', 'payment', 'role', 'session']) {
    expect([...rows.keys()]).toContain(table);
  }
  expect(rows.get('entity')).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'Record' })]));
});

describe("with another company's id in the path", () => {
  const named = guarded.filter((endpoint) =>
    parametersOf(endpoint).some((name) => !notRecords.includes(name.toLowerCase())),
  );
  test.each(named.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers 404 and touches no row',
    async (_, endpoint) => {
      await untouched(async () => expectRefusal(await ask(endpoint, { token: tokenOf(), ids: foreign }), 404));
    },
  );
});

describe("with another company's id in the body", () => {
  const writes = guarded.filter(({ method, reads, body }) => body !== undefined && method !== 'GET' && reads !== true);
  const cases = writes.flatMap((endpoint) =>
    allKeysOf(endpoint.body as never)
      .filter((key) => key in references({ ids: {} }))
      .map((key) => [nameOf(endpoint), key, endpoint] as const),
  );
  test.each(cases)('%s refuses a foreign %s and touches no row', async (_, key, endpoint) => {
    const given = { ...references(own), [key]: references(foreign)[key] };
    const { administrator } = t.world.company;
    const body = sampleOf(endpoint.body as never, given);
    await untouched(async () => {
      expectRefusal(await ask(endpoint, { token: administrator.token, ids: own, body }), 400, 404, 409, 422);
    });
  });
});

describe("with another company's record as the one that the body is", () => {
  const cases = guarded.filter(
    (endpoint) =>
      endpoint.method === 'PUT' &&
      endpoint.body !== undefined &&
      keysOf(endpoint.body as never).includes('id') &&
      parametersOf(endpoint).length === 0,
  );
  test.each(cases.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s refuses it and touches no row',
    async (_, endpoint) => {
      const id = recordFor(endpoint, 'id', foreign);
      expect(id).toBeGreaterThan(0);
      const body = sampleOf(endpoint.body as never, { ...references(own), id });
      await untouched(async () => {
        expectRefusal(await ask(endpoint, { token: tokenOf(), body }), 400, 404, 409, 422);
      });
    },
  );
});

describe('with garbage', () => {
  const reading = served.filter(({ body }) => body !== undefined);
  const cases = reading.map((endpoint) => [nameOf(endpoint), endpoint] as const);

  test.each(cases)('%s answers 400 to what is no JSON, 415 to what is no JSON type', async (_, endpoint) => {
    const token = tokenOf();
    const types = { 'content-type': 'application/json' };
    expectRefusal(await ask(endpoint, { token, ids: own, body: Buffer.from('{"a":'), headers: types }), 400);
    expectRefusal(
      await ask(endpoint, { token, ids: own, body: 'a=1', headers: { 'content-type': 'text/plain' } }),
      415,
    );
  });

  test.each(cases)('%s never answers 5xx to a wrong type in any one field', async (_, endpoint) => {
    const sample = endpoint.body === undefined ? {} : sampleOf(endpoint.body);
    for (const key of endpoint.body === undefined ? [] : keysOf(endpoint.body)) {
      for (const wrong of [{ wrong: true }, [[]], -1.5, 'wrong', null, 1e15]) {
        const one = { ...(typeof sample === 'object' ? sample : {}), [key]: wrong };
        const body = Array.isArray(sample) ? [one] : one;
        const answer = await ask(endpoint, { token: tokenOf(), body });
        expect([nameOf(endpoint), key, wrong, answer.status < 500]).toEqual([nameOf(endpoint), key, wrong, true]);
      }
    }
  });

  const numbered = served.filter((endpoint) => parametersOf(endpoint).length > 0);
  test.each(numbered.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers 400 or 404 to a path of nonsense',
    async (_, endpoint) => {
      const params = Object.fromEntries(parametersOf(endpoint).map((name) => [name, "1'; drop table x"]));
      const sample = endpoint.body === undefined ? undefined : sampleOf(endpoint.body);
      const answer = await t.request({ ...requestOf(endpoint, { params, body: sample }), token: tokenOf() });
      expectRefusal(answer, 400, 404);
    },
  );
});

describe('the reply satisfies its own schema', () => {
  const reads = served.filter(({ method }) => method === 'GET');
  test.each(reads.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    const isPlain = parametersOf(endpoint).every((name) => recordFor(endpoint, name, own) !== undefined);
    const answer = await ask(endpoint, { token: tokenOf(), ids: own });
    if (!isPlain && answer.status === 404) return;
    expect(answer.status).toBe(200);
    if (typeof endpoint.reply === 'string') expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    else expect(() => decode(endpoint.reply as never, answer.body)).not.toThrow();
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('a call with the smallest body that the contract takes', () => {
  const writes = guarded.filter(({ method, needs }) => method !== 'GET' && needs !== 'session');
  test.each(writes.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers by its schema or refuses',
    async (_, endpoint) => {
      const { administrator } = t.world.other;
      const body = endpoint.body === undefined ? undefined : sampleOf(endpoint.body, references(foreign));
      const answer = await ask(endpoint, { token: administrator.token, ids: foreign, body });
      if (answer.status !== 200) expectRefusal(answer, 400, 403, 404, 409, 422);
      else if (typeof endpoint.reply !== 'string') {
        expect(() => decode(endpoint.reply as never, answer.body)).not.toThrow();
      }
    },
  );
});

describe('with ?limit=1', () => {
  const paged = served.filter(({ query }) => query !== undefined && 'limit' in query.shape);
  const get = (endpoint: Endpoint, query: Record<string, string>) => {
    const pairs = parametersOf(endpoint).map((name) => [name, recordFor(endpoint, name, own) ?? MISSING]);
    const body = endpoint.body === undefined ? undefined : sampleOf(endpoint.body);
    return t.request({ ...requestOf(endpoint, { params: Object.fromEntries(pairs), query, body }), token: tokenOf() });
  };

  test.each(paged.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s pages through the list that it answers bare, in the same order',
    async (_, endpoint) => {
      const bare = await get(endpoint, {});
      expect([bare.status, Array.isArray(bare.body)]).toEqual([200, true]);
      const items: unknown[] = [];
      let after: string | undefined;
      do {
        const { status, body } = await get(endpoint, { limit: '1', ...(after === undefined ? {} : { after }) });
        expect(status).toBe(200);
        const page = body as { items: unknown[]; next: string | null; total: number };
        expect(page.items.length).toBeLessThanOrEqual(1);
        expect(page.total).toBe((bare.body as unknown[]).length);
        items.push(...page.items);
        after = page.next ?? undefined;
      } while (after !== undefined && items.length < 500);
      expect(items).toEqual(bare.body);
    },
  );

  test.each(paged.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers 400 to a limit of 0, 501, 1.5 or words, and to a page that is none',
    async (_, endpoint) => {
      for (const limit of ['0', '501', '1.5', '-1', 'all', '']) expectRefusal(await get(endpoint, { limit }), 400);
      expectRefusal(await get(endpoint, { limit: '1', after: 'nonsense' }), 400);
      for (const q of ['\u0000', '%', "'", '\\']) expect((await get(endpoint, { q })).status).toBeLessThan(500);
    },
  );
});
