import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import pg from 'pg';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { bankingCalls } from '@evenkeel/contract/banking';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { sendingCalls } from '@evenkeel/contract/sending';
import { endpoints } from '@evenkeel/contract/all';
import { type Endpoint, ErrorReply } from '@evenkeel/contract/endpoint';
import type { FailureCode } from '@evenkeel/core/failure';
import { openApi } from '@evenkeel/contract/openapi';
import { decode, isList } from '@evenkeel/contract/wire';
import { AREAS } from '@evenkeel/contract/areas';
import { grouped } from '@evenkeel/core/reports/report';
import { installation } from '../db/tx.ts';
import { allRoutes } from '../../app/routes.ts';
import { statusOfCode } from './errors.ts';
import { type RawAnswer, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import {
  addRecords,
  goodFor,
  MISSING,
  notRecords,
  parametersOf,
  recordFor,
  type Records,
  references,
  wordOf,
} from '../../testing/records.ts';
import { type TableDigest, tableDigests } from '../../testing/digests.ts';
import { factoryFor } from '../../testing/factories.ts';
import { PASSWORD, type Person } from '../../testing/world.ts';
import { multipart } from '../../testing/files.ts';
import { allKeysOf, keysOf, sampleOf } from '../../testing/sample.ts';

let t: TestApp;
let own: Records;
let foreign: Records;
let owner: pg.Client;

beforeAll(async () => {
  t = await startTestApp();
  own = await addRecords(t.pool, t.world.company);
  foreign = await addRecords(t.pool, t.world.other);
  owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
  // On a slow machine, the tests take longer than the 15 minutes after which a session can't end other sessions.
  await owner.query(`update session set expires_at = expires_at + interval '1 hour'`);
  digests = await tableDigests(owner, `company_id is distinct from ${t.world.company.companyId}`);
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const bound = new Set(allRoutes.map((route) => route.endpoint));
const served = endpoints.filter((endpoint) => bound.has(endpoint));
const guarded = served.filter(({ needs }) => needs !== 'public');
const isForEverySession = ({ needs }: Endpoint): boolean => needs === 'session';
const tokenOf = (): string => t.world.company.administrator.token;

interface Ask {
  token?: string;
  ids?: Records;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls an endpoint with the given record IDs (or with IDs that don't exist) and a body that its schema accepts. */
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

test('every endpoint in the contract has a route, and every route is in the contract', () => {
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

test('the OpenAPI document contains every endpoint', () => {
  const { paths } = openApi(endpoints);
  for (const { method, path } of endpoints) expect(paths[`/api${path}`]).toHaveProperty(method.toLowerCase());
});

describe('without a valid session', () => {
  test.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 401 without a valid session',
    async (_, endpoint) => {
      expectRefusal(await ask(endpoint), 401);
      expectRefusal(await ask(endpoint, { token: 'A'.repeat(43) }), 401);
      expectRefusal(await ask(endpoint, { headers: { authorization: `Basic ${tokenOf()}` } }), 401);
    },
  );
});

// Promise (access): A call is rejected without a session, accepted terms, required two-step verification, or the
// required permission, and after a guest's last day. [every endpoint]
describe('with a role that lacks the permission', () => {
  const permitted = guarded.filter(({ needs }) => needs !== 'session' && needs !== 'signed-in');
  test.each(permitted.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 403 without the required permission',
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

describe('permissions of endpoints', () => {
  const everything = AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]);
  const needsOf = ({ needs }: Endpoint): string[] => [needs].flat();
  const ofAreas = guarded.filter((endpoint) => needsOf(endpoint).some((need) => everything.includes(need)));
  /** Manage permission includes View permission for the same area, but no permission for other areas. */
  const opens = (permission: string, { needs }: Endpoint): boolean =>
    [needs].flat().some((need) => need === permission || need === permission.replace('Manage ', 'View '));

  let person: Person;
  beforeAll(async () => {
    person = await t.signIn(t.world.company, 'No Access');
  });

  const give = (permissions: readonly string[]) =>
    installation(t.pool, sql`update membership set permissions = ${[...permissions]} where user_id = ${person.userId}`);

  /** A write with an invalid body passes the permission check but stops before anything is changed. */
  const knock = async (endpoint: Endpoint): Promise<'in' | 'out' | 'broken'> => {
    const { status } = await ask(endpoint, { token: person.token, ...(endpoint.body !== undefined && { body: '{' }) });
    return status === 401 || status === 403 ? 'out' : status < 500 ? 'in' : 'broken';
  };
  const doors = (permission: string): Promise<string[]> =>
    Promise.all(ofAreas.map(async (endpoint) => `${nameOf(endpoint)}: ${await knock(endpoint)} by ${permission}`));
  const declared = (permission: string, rule: (endpoint: Endpoint) => boolean): string[] =>
    ofAreas.map((endpoint) => `${nameOf(endpoint)}: ${rule(endpoint) ? 'in' : 'out'} by ${permission}`);

  test('every permission gives access to at least one endpoint', () => {
    expect(everything.filter((permission) => !ofAreas.some((endpoint) => opens(permission, endpoint)))).toEqual([]);
  });

  test.each(everything)('every endpoint is open to %s exactly as the endpoint declares', async (permission) => {
    await give([permission]);
    expect(await doors(permission)).toEqual(declared(permission, (endpoint) => opens(permission, endpoint)));
  });

  test('every endpoint is closed to a role that lacks only the required permissions', async () => {
    const groups = grouped(ofAreas, (endpoint) => needsOf(endpoint).join());
    for (const group of groups.values()) {
      const [first] = group;
      if (first === undefined) continue;
      await give(everything.filter((permission) => !opens(permission, first)));
      expect(await Promise.all(group.map(async (each) => [nameOf(each), await knock(each)]))).toEqual(
        group.map((each) => [nameOf(each), 'out']),
      );
    }
  });

  test('a member without permissions can use every endpoint that is open to all members', async () => {
    await give([]);
    const open = guarded.filter(({ needs, method }) => needs === 'signed-in' && method === 'GET');
    expect(open.length).toBeGreaterThan(5);
    const answers = await Promise.all(open.map(async (each) => [nameOf(each), await knock(each)]));
    expect(answers).toEqual(open.map((each) => [nameOf(each), 'in']));
  });
});

describe('before the terms are accepted', () => {
  const closed = guarded.filter(({ needs }) => needs !== 'session');
  test.each(closed.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 409 before the terms are accepted',
    async (_, endpoint) => {
      const { superuser } = t.world.other;
      await installation(t.pool, sql`update app_user set terms_version = null where id = ${superuser.userId}`);
      const answer = await ask(endpoint, { token: superuser.token });
      expectRefusal(answer, 409);
      expect(answer.body).toMatchObject({ code: 'terms_required' });
    },
  );
});

describe('for a guest after the last day of access', () => {
  beforeAll(async () => {
    const { reader } = t.world.other;
    await installation(t.pool, sql`update membership set ends_on = current_date - 2 where user_id = ${reader.userId}`);
  });
  test.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 401 for a guest whose access has expired',
    async (_, endpoint) => {
      expectRefusal(await ask(endpoint, { token: t.world.other.reader.token, ids: foreign }), 401);
    },
  );
});

describe('before the required two-step verification is set up', () => {
  const [closed, open] = [guarded.filter(({ needs }) => needs !== 'session'), guarded.filter(isForEverySession)];
  const missing = async (endpoint: Endpoint): Promise<RawAnswer> => {
    const { bookkeeper } = t.world.other;
    await installation(
      t.pool,
      sql`update membership set second_factor_rule = 'everybody' where user_id = ${bookkeeper.userId}`,
    );
    return ask(endpoint, { token: bookkeeper.token });
  };
  test.each(closed.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 409 before two-step verification is set up',
    async (_, endpoint) => {
      const answer = await missing(endpoint);
      expectRefusal(answer, 409);
      expect(answer.body).toMatchObject({ code: 'second_factor_required' });
    },
  );

  test('only the terms, the setup, and sign-out are open before two-step verification is set up', async () => {
    expect(open.map(nameOf).toSorted()).toEqual([
      'GET /account/companies',
      'POST /account/companies',
      'POST /account/passkeys',
      'POST /account/passkeys/begin',
      'POST /account/secondfactor',
      'POST /logout',
      'PUT /UserAdmin/UpdateUserTerms',
      'PUT /account/secondfactor',
    ]);
    for (const endpoint of open.filter(({ path }) => path !== '/logout')) {
      expect((await missing(endpoint)).body).not.toMatchObject({ code: 'second_factor_required' });
    }
  });
});

/** Computes digests of all tables, with both companies' rows and all other rows. */
let digests: () => Promise<TableDigest[]>;
/** The state of the tables before the next rejected call. */
let before: TableDigest[];

/**
 * Remembers the state of the tables for later calls of `untouched`. Each call compares the tables with the last known
 * state, so that every state is read only once.
 */
async function remember(): Promise<void> {
  before = await digests();
}

/** Fails if a rejected call changes anything in either company. Between two such calls, nothing else may change. */
async function untouched(refused: () => Promise<void>): Promise<void> {
  const expected = before;
  await refused();
  before = await digests();
  expect(before).toEqual(expected);
}

test('the digests cover the tables of both companies, and a change to any row changes the digests', async () => {
  const { companyId } = t.world.other;
  const old = await digests();
  expect(old.length).toBeGreaterThan(25);
  const names = old.map(({ name }) => name);
  for (const name of ['account', 'app_user', 'audit_log', 'entity', 'journal_line', 'payment', 'role', 'session']) {
    expect(names).toContain(name);
  }
  const rename = (from: string, to: string): Promise<unknown> =>
    owner.query('update entity set name = $1 where company_id = $2 and name = $3', [to, companyId, from]);
  await rename('Record', 'Other');
  const changed = await digests();
  expect(changed.filter((each, at) => each.content !== old[at]?.content).map(({ name }) => name)).toEqual(['entity']);
  await rename('Other', 'Record');
  expect(await digests()).toEqual(old);
});

describe('with another company’s ID in the path', () => {
  beforeAll(remember);
  const named = guarded.filter((endpoint) =>
    parametersOf(endpoint).some((name) => !notRecords.includes(name.toLowerCase())),
  );
  // Promise (access): No company can read or change another company's rows, through any path or body of any endpoint.
  // [every endpoint]
  test.each(named.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 404 for the ID of another company’s record and changes no row',
    async (_, endpoint) => {
      await untouched(async () => expectRefusal(await ask(endpoint, { token: tokenOf(), ids: foreign }), 404));
    },
  );
});

describe('with another company’s ID in the body', () => {
  beforeAll(remember);
  const writes = guarded.filter(({ method, reads, body }) => body !== undefined && method !== 'GET' && reads !== true);
  const cases = writes.flatMap((endpoint) =>
    allKeysOf(endpoint.body as never)
      .filter((key) => key in references({ ids: {} }))
      .map((key) => [nameOf(endpoint), key, endpoint] as const),
  );
  test.each(cases)('%s rejects a %s from another company and changes no row', async (_, key, endpoint) => {
    const given = { ...references(own), [key]: references(foreign)[key] };
    const { administrator } = t.world.company;
    const body = sampleOf(endpoint.body as never, given);
    await untouched(async () => {
      const answer = await ask(endpoint, { token: administrator.token, ids: own, body });
      for (const one of eachRefused(answer)) expectRefusal(one, 400, 404, 409, 422);
    });
  });

  /** A request with a list of records gets one result per record, with the same errors as single requests. */
  function eachRefused(answer: RawAnswer): RawAnswer[] {
    if (!Array.isArray(answer.body)) return [answer];
    return answer.body.map(({ error }: { error?: { code: FailureCode } }) => {
      return error === undefined ? answer : { ...answer, status: statusOfCode[error.code], body: error };
    });
  }
});

describe('with the ID of another company’s record to save', () => {
  beforeAll(remember);
  const cases = guarded.filter(
    (endpoint) =>
      endpoint.method === 'PUT' &&
      endpoint.body !== undefined &&
      keysOf(endpoint.body as never).includes('id') &&
      parametersOf(endpoint).length === 0,
  );
  test.each(cases.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s is rejected with the ID of another company’s record and changes no row',
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

/**
 * POST endpoints that don't create a record that a body could refer to: sign-in, files, settings, reversals, and
 * records that can't be edited.
 */
const NAMELESS = [
  'POST /login',
  'POST /login/challenge',
  'POST /login/passkey',
  'POST /logout',
  'POST /register',
  'POST /verify-email',
  'POST /register/forgotpassword',
  'POST /validate-reset-token',
  'POST /register/reset-password',
  'POST /expensepayments',
  'POST /installation/demo',
  'POST /useradmin/{id}/invite',
  'POST /useradmin/{id}/signout',
  'POST /useradmin/{id}/liftfactor',
  'POST /taxpayment',
  'POST /taxreturn',
  'POST /form1099',
  'POST /form1099consent',
  'POST /form1099copies',
  'POST /vendor/{id}/taxid',
  'POST /apikeys',
  'POST /proposals',
  'POST /proposals/commit',
  'POST /proposals/undo',
  'POST /approvals/{id}/change',
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/reject',
  'POST /approvals/{id}/undo',
  'POST /audit/{id}/undo',
  'POST /webhooks',
  'POST /webhooks/{id}/pause',
  'POST /webhooks/{id}/resume',
  'POST /webhooks/{id}/secret',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/deliveries/{eventId}/resend',
  'POST /account/secondfactor',
  'POST /account/secondfactor/remove',
  'POST /account/secondfactor/codes',
  'POST /account/email',
  'POST /account/passkeys',
  'POST /account/passkeys/begin',
  'POST /account/passkeys/{id}/remove',
  'POST /account/signout',
  'POST /account/companies',
  'POST /account/companies/new',
  'POST /account/invitations/{companyId}',
  'POST /document',
  'POST /health',
  'POST /billingpayments',
  'POST /billingestimate/{id}/invoices',
  'POST /customersettings',
  'POST /firsttimesetup',
  'POST /Reconciliation',
  'POST /bankstatement',
  'POST /bankline/accept',
  'POST /movein',
  'POST /movein/{id}/file',
  'POST /movein/{id}/preview',
  'POST /movein/{id}/import',
  'POST /movein/{id}/cancel',
  'POST /movein/{id}/undo',
  'POST /GeneralLedger/ReverseTransaction/{transactionId}',
  'POST /openingbalances',
  'POST /workiteminvoice',
  'POST /financecharge',
  'POST /workitems/many',
  'POST /writeoff',
  'POST /sending',
  'POST /reports/{reportId}/email',
  'POST /documentlink/{documentId}',
  'POST /portallink/{customerId}',
];

/** The tables of the records that POST endpoints create. */
const RECORD_TABLES = [
  'account_category',
  'app_user',
  'bank_document',
  'bank_rule',
  'banking_account',
  'discount',
  'document',
  'entity',
  'extended_property',
  'location',
  'package',
  'payment',
  'payment_type',
  'product',
  'product_category',
  'profit_center',
  'role',
  'sales_tax_scenario',
  'template',
  'work_item',
];

describe('POST endpoints that create a record', () => {
  beforeAll(remember);
  const posts = served.filter(({ method, reads }) => method === 'POST' && reads !== true);
  const making = posts.filter(({ names }) => names !== undefined);

  test('the list of POST endpoints that create a record is complete and omits endpoints that create none', () => {
    const others = posts.filter(({ names }) => names === undefined);
    expect(others.map(nameOf).toSorted()).toEqual(NAMELESS.toSorted());
  });

  test('POST endpoints that create a record identify the record by a field in the body', () => {
    for (const { body, names } of making) expect(keysOf(body as never)).toContain(names);
  });

  /** Returns the PUT endpoint for the same records, which has the same response and the same first path segment. */
  const putOf = (post: Endpoint): Endpoint | undefined =>
    served.find(({ method, reply, path }) => {
      const isSame = wordOf(path) === wordOf(post.path) && reply === post.reply;
      return method === 'PUT' && isSame;
    });

  /**
   * Calls POST and PUT for the record with the same body, except for the way in which each call identifies the record.
   */
  async function both(post: Endpoint, put: Endpoint, { id, rowVersion }: { id: number; rowVersion?: number }) {
    const {
      administrator: { token },
    } = t.world.company;
    const sample = (endpoint: Endpoint): object => sampleOf(endpoint.body as never, goodFor(endpoint, own)) as object;
    const version = rowVersion === undefined ? {} : { rowVersion };
    const name = (endpoint: Endpoint): string | undefined =>
      endpoint.names ?? keysOf(endpoint.body as never).find((key) => key.toLowerCase().endsWith('id'));
    const params = Object.fromEntries(parametersOf(put).map((key) => [key, id]));
    const byPut = { ...sample(put), ...(params.id === undefined ? { [name(put) ?? '']: id } : {}), ...version };
    const byPost = { ...sample(post), [post.names ?? '']: id, ...version };
    const saved = await t.request({ ...requestOf(put, { params, body: byPut }), token });
    return { put: saved, post: await t.request({ ...requestOf(post, { body: byPost }), token }) };
  }

  const refusalOf = ({ status, body }: RawAnswer) => {
    const { code, message } = ErrorReply.parse(body);
    return { status, code, message };
  };

  const pairs = making.flatMap((post) => {
    const put = putOf(post);
    return put === undefined ? [] : [[nameOf(post), post, put] as const];
  });

  test('POST endpoints that create a record have a PUT endpoint, except for journal entries', () => {
    const alone = making.filter((post) => putOf(post) === undefined);
    expect(alone.map(nameOf)).toEqual(['POST /GeneralLedger/PostTransaction']);
  });

  test.each(pairs)('%s rejects a missing, foreign, or outdated record as PUT does', async (_, post, put) => {
    expect(post.needs).toEqual(put.needs);
    const [mine, theirs] = [recordFor(put, 'id', own), recordFor(put, 'id', foreign)];
    await untouched(async () => {
      for (const id of [MISSING, Number(theirs)]) {
        const answers = await both(post, put, { id });
        expect(refusalOf(answers.post)).toMatchObject({ status: 404 });
        expect(refusalOf(answers.post)).toEqual(refusalOf(answers.put));
      }
      const stale = await both(post, put, { id: Number(mine), rowVersion: 987 });
      expect(refusalOf(stale.post)).toMatchObject({ status: 409 });
      expect(refusalOf(stale.post)).toEqual(refusalOf(stale.put));
    });
  });

  // Promise (together): A POST with the ID of a saved record updates the record as PUT does, with the same errors, and
  // doesn't create another record. [23 POSTs]
  test.each(pairs)('%s saves an existing record as PUT does, and creates no record', async (_, post, put) => {
    const id = Number(recordFor(put, 'id', own));
    const counts = async () =>
      (await digests()).filter(({ name }) => RECORD_TABLES.includes(name)).map(({ name, rows }) => [name, rows]);
    const former = await counts();
    expect(former).toHaveLength(RECORD_TABLES.length);
    const answers = await both(post, put, { id });
    expect([answers.put.status, answers.post.status]).toEqual([200, 200]);
    expect(Object.values(answers.post.body as object)).toContain(id);
    expect(await counts()).toEqual(former);
  });

  test.each(making.map((post) => [nameOf(post), post] as const))(
    '%s treats a negative ID as a new record',
    async (_, post) => {
      const { token } = t.world.company.administrator;
      const sample = sampleOf(post.body as never, goodFor(post, own)) as object;
      const answer = await t.request({ ...requestOf(post, { body: { ...sample, [post.names ?? '']: -1 } }), token });
      // A new record may still be rejected because of a name that is taken or a field that is missing.
      if (answer.status !== 200) expectRefusal(answer, 409, 422);
      else expect(Object.values(answer.body as object)).not.toContain(-1);
    },
  );

  test('a repeated request for an existing record returns the first response and saves nothing more', async () => {
    const { customer: id } = own.ids;
    const {
      administrator: { token },
    } = t.world.company;
    const body = { id, name: 'Renamed', emailAddress: 'renamed@record.example' };
    const sent = {
      ...requestOf(entityCalls.createCustomer, { body, headers: { 'idempotency-key': 'renamed' } }),
      token,
    };
    const first = await t.request(sent);
    expect(first).toMatchObject({ status: 200, body: { id, name: 'Renamed' } });
    expect((await t.request(sent)).body).toEqual(first.body);
  });
});

describe('with invalid input', () => {
  const reading = served.filter(({ body }) => body !== undefined);
  const cases = reading.map((endpoint) => [nameOf(endpoint), endpoint] as const);

  test.each(cases)('%s returns 400 for invalid JSON and 415 for another content type', async (_, endpoint) => {
    const token = tokenOf();
    const types = { 'content-type': 'application/json' };
    expectRefusal(await ask(endpoint, { token, ids: own, body: Buffer.from('{"a":'), headers: types }), 400);
    expectRefusal(
      await ask(endpoint, { token, ids: own, body: 'a=1', headers: { 'content-type': 'text/plain' } }),
      415,
    );
  });

  test.each(cases)('%s never returns 5xx for a wrong type in a single field', async (_, endpoint) => {
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
    '%s returns 400 or 404 for an invalid path',
    async (_, endpoint) => {
      const params = Object.fromEntries(parametersOf(endpoint).map((name) => [name, "1'; drop table x"]));
      const file =
        endpoint.takes === 'file' ? multipart('sample.pdf', '%PDF-1.7 sample') : { headers: {}, body: undefined };
      const body = endpoint.body === undefined ? file.body : sampleOf(endpoint.body);
      const sent = { params, headers: file.headers, body };
      expectRefusal(await t.request({ ...requestOf(endpoint, sent), token: tokenOf() }), 400, 404);
    },
  );
});

describe('the response matches its schema', () => {
  const reads = served.filter(({ method }) => method === 'GET');
  test.each(reads.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns a response that matches its schema',
    async (_, endpoint) => {
      const isPlain = parametersOf(endpoint).every((name) => recordFor(endpoint, name, own) !== undefined);
      const answer = await ask(endpoint, { token: tokenOf(), ids: own });
      if (!isPlain && answer.status === 404) return;
      expect(answer.status).toBe(200);
      const isPdf = answer.headers['content-type'] === 'application/pdf';
      if (endpoint.reply === 'file' && !isPdf) expect(answer.bytes.length).toBeGreaterThan(0);
      else if (typeof endpoint.reply === 'string') expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      else expect(() => decode(endpoint.reply as never, answer.body)).not.toThrow();
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );
});

describe('a call with the smallest body that the contract accepts', () => {
  const writes = guarded.filter(({ method, needs }) => method !== 'GET' && needs !== 'session');
  test.each(writes.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s with the smallest valid body returns a response that matches its schema, or an error',
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

/** A value for `kind` that works in every list with that parameter: US states, and custom fields of vendors. */
const SOME_KIND = 1;

describe('with ?limit=1', () => {
  const paged = served.filter(({ method, query, reply }) => {
    if (typeof reply === 'string' || !isList(reply)) return false;
    return method === 'GET' || (query !== undefined && 'limit' in query.shape);
  });
  const get = (endpoint: Endpoint, query: Record<string, string>) => {
    const pairs = parametersOf(endpoint).map((name) => [name, recordFor(endpoint, name, own) ?? SOME_KIND]);
    const body = endpoint.body === undefined ? undefined : sampleOf(endpoint.body);
    return t.request({ ...requestOf(endpoint, { params: Object.fromEntries(pairs), query, body }), token: tokenOf() });
  };

  test.each(paged.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s with ?limit=1 pages through the same list, in the same order, as without a limit',
    async (_, endpoint) => {
      const bare = await get(endpoint, {});
      expect([bare.status, Array.isArray(bare.body)]).toEqual([200, true]);
      const items: unknown[] = [];
      let after: string | undefined;
      // Each page contains a single item, unless this would take hundreds of requests.
      const limit = (bare.body as unknown[]).length > 100 ? 90 : 1;
      do {
        const { status, body } = await get(endpoint, {
          limit: String(limit),
          ...(after === undefined ? {} : { after }),
        });
        expect(status).toBe(200);
        const page = body as { items: unknown[]; next: string | null; total: number };
        expect(page.items.length).toBeLessThanOrEqual(limit);
        expect(page.total).toBe((bare.body as unknown[]).length);
        items.push(...page.items);
        after = page.next ?? undefined;
      } while (after !== undefined && items.length < 500);
      expect(items).toEqual(bare.body);
    },
  );

  // A customer's or vendor's activity has running balances, so it supports neither sorting nor search.
  const ordered = paged.filter(
    ({ query }) => query === undefined || !('after' in query.shape) || 'desc' in query.shape,
  );

  test.each(ordered.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s reverses its order with desc, and returns an empty list if a search finds nothing',
    async (_, endpoint) => {
      const bare = await get(endpoint, {});
      expect((await get(endpoint, { desc: 'true' })).body).toEqual((bare.body as unknown[]).toReversed());
      const found = await get(endpoint, { limit: '5', q: 'zzqx9' });
      if (endpoint === ledgerCalls.accountEntries) return; // Registers have filters instead of a search.
      expect(found.body).toMatchObject({ items: [], next: null, total: 0 });
      expect((await get(endpoint, { q: 'zzqx9' })).body).toEqual([]);
    },
  );

  test.each(paged.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 400 for a limit of 0, 501, 1.5, or text, and for an invalid page',
    async (_, endpoint) => {
      for (const limit of ['0', '501', '1.5', '-1', 'all', '']) expectRefusal(await get(endpoint, { limit }), 400);
      expectRefusal(await get(endpoint, { limit: '1', after: 'nonsense' }), 400);
      for (const q of ['\u0000', '%', "'", '\\']) expect((await get(endpoint, { q })).status).toBeLessThan(500);
    },
  );
});

describe('after every endpoint was used', () => {
  /**
   * Returns every row in every table as the tables' owner reads it, which is what someone with a stolen disk or backup
   * would see.
   */
  async function everything(): Promise<string> {
    const { rows } = await owner.query<{ name: string }>(
      `select format('%I', relname) as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    const texts = [];
    for (const { name } of rows) {
      const all = await owner.query<{ text: string | null }>(`select string_agg(r::text, ' ') as text from ${name} r`);
      texts.push(`${name} ${all.rows[0]?.text ?? ''}`);
    }
    return texts.join('\n').toLowerCase();
  }

  /** Returns a secret and its bytes in all forms that a column could contain. */
  const formsOf = (secret: string): string[] => {
    const bytes = [Buffer.from(secret), ...(/^[\w-]{22,}$/.test(secret) ? [Buffer.from(secret, 'base64url')] : [])];
    return [secret, ...bytes.flatMap((each) => [each.toString('hex'), each.toString('base64').replace(/=+$/, '')])];
  };

  const keyed = (key: string) => ({ 'idempotency-key': key });
  const linkIn = (text = ''): string => /(?:token|join)=([\w-]{43})/.exec(text)?.[1] ?? '';

  // A backup contains the same tables.
  test('after every endpoint is called, no table contains a secret in plain text', async () => {
    const company = await t.createCompany('Secret House');
    const { email } = company.administrator;
    const { token } = await t.login(email);
    const body = { password: PASSWORD };
    const factor = await t.call(accountCalls.beginFactor, { token, body, headers: keyed('factor') });
    const passkey = await t.call(accountCalls.beginPasskey, { token, body, headers: keyed('passkey') });
    const { challenge } = await t.call(authCalls.passkeyChallenge, { body: { purpose: 'sign in' } });
    const number = '98061274530917';
    await t.call(bankingCalls.createBankingAccount, {
      token,
      headers: keyed('account'),
      body: { name: 'Safe', accountNumber: number, glAccountID: 102 },
    });
    await t.call(authCalls.createUser, {
      token,
      headers: keyed('user'),
      body: { email: 'new@secret.example', firstName: 'New', lastName: 'One', roleId: await roleOf(token) },
    });
    await t.call(authCalls.forgotPassword, { body: { Email: company.reader.email } });
    const books = factoryFor(t, company);
    const { id: documentId } = await books.invoice({ customerId: await books.customer() });
    const renew = { token, params: { documentId }, headers: keyed('link') };
    const [first, second] = [await t.call(sendingCalls.renewLink, renew), await t.call(sendingCalls.renewLink, renew)];
    expect(second.url).not.toBe(first.url);
    await t.call(sendingCalls.send, { token, body: { invoiceId: documentId, to: ['buyer@secret.example'] } });
    const mails = await t.runJobs();
    const mailed = mails.map(({ text }) => linkIn(text)).filter((link) => link !== '');
    const secrets = {
      password: [PASSWORD],
      token: [token],
      'second factor': [factor.secret, ...factor.recoveryCodes],
      challenges: [challenge, passkey.challenge],
      'private links': [first, second].map(({ url }) => url.split('/').at(-1) ?? ''),
      'mailed private links': mails.flatMap(({ text }) => /\/d\/([\w-]{22})/.exec(text)?.[1] ?? []),
      'links of letters': mailed,
      'bank account number': [number],
    };
    expect(Object.values(secrets).map((each) => each.length)).toEqual([1, 1, 11, 2, 2, 1, 2, 1]);
    const written = await everything();
    expect(written).toContain('secret house');
    const found = Object.entries(secrets).flatMap(([name, all]) =>
      all.flatMap((secret) => (formsOf(secret).some((form) => written.includes(form.toLowerCase())) ? [name] : [])),
    );
    expect(found).toEqual([]);
  });

  const roleOf = async (token: string): Promise<number> => {
    const roles = await t.call(authCalls.listRoles, { token, query: {} });
    return (Array.isArray(roles) ? roles : roles.items)[0]?.id ?? 0;
  };
});
