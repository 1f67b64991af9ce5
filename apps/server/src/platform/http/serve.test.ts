import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import * as z from 'zod';
import { authCalls } from '@evenkeel/contract/auth';
import { type Endpoint, endpoint } from '@evenkeel/contract/endpoint';
import { Failure } from '@evenkeel/core/failure';
import { openPool } from '../db/connect.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { buildApp } from '../../app/app.ts';
import { type Route, route } from './route.ts';

const thrower = endpoint({
  method: 'POST',
  path: '/throw/{what}',
  needs: 'signed-in',
  summary: 'Throws what a defect or a database would',
  params: z.object({ what: z.string() }),
  body: z.object({ name: z.string().nullish() }),
  reply: z.object({ name: z.string() }),
});

const reading = endpoint({
  method: 'PUT',
  path: '/reading',
  needs: 'View Reports',
  summary: 'Tries to write although it is declared to read',
  reads: true,
  reply: z.object({ ok: z.boolean() }),
});

const statements: Record<string, string> = {
  foreign: `insert into account (company_id, id, master_account_id, account_number, account_name, account_type, root,
    contra, system, category_id) select company_id, 999, 1, '', '', '', 'Asset', false, false, 987654 from company`,
  unique: `insert into setting (company_id, id, setting_name, setting_value)
    select company_id, 1, 'x', 'x' from company`,
  taken: `insert into account_category (company_id, category_name)
    select company_id, upper(category_name) from account_category limit 1`,
  check: `insert into account (company_id, id, master_account_id, account_number, account_name, account_type, root,
    contra, system, category_id) select company_id, 0, 1, '', '', '', 'Asset', false, false, 1 from company`,
  empty: `insert into location (company_id, name) select company_id, null from company`,
  number: `select 'garbage'::integer`,
  serialization: `do $$ begin raise exception 'raised' using errcode = '40001'; end $$`,
  deadlock: `do $$ begin raise exception 'raised' using errcode = '40P01'; end $$`,
  lock: `do $$ begin raise exception 'raised' using errcode = '55P03'; end $$`,
  syntax: 'selekt secrets from nowhere',
  division: 'select 1 / 0',
};

/** The number of times that the handler ran. */
let tries = 0;
/** A character with two code units spans the boundary of the first part. */
const LONG = `${'x'.repeat(262_134)}${'\u{1f600}'.repeat(200_000)}`;

const routes: Route[] = [
  route(thrower, async (ctx, { params }) => {
    tries += 1;
    const statement = statements[params.what];
    if (statement !== undefined) await ctx.tx.rows(sql.raw(statement));
    if (params.what === 'defect') throw new Error('secret detail at /srv/books/app.ts');
    if (params.what === 'stale') throw new Failure('stale', 'Changed meanwhile', undefined, { current: { id: 7 } });
    return { name: params.what === 'long' ? LONG : 'nothing happened' };
  }),
  route(reading, async (ctx) => {
    await ctx.tx.rows(sql`update company set displayname = 'written' where company_id = ${ctx.companyId}`);
    return { ok: true };
  }),
];
const table = { endpoints: routes.map((each) => each.endpoint), routes };

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ table });
});
afterAll(() => t.close());

const throwing = (what: string) =>
  t.request({ method: 'POST', url: `/api/throw/${what}`, token: t.world.company.administrator.token, body: {} });

test('a server does not start if an endpoint has no route, or a route has no endpoint', async () => {
  const unbound = buildApp(t.services, { endpoints: [...table.endpoints, authCalls.login], routes });
  await expect(unbound).rejects.toThrow('endpoints without a route: POST /login');
  const unknown = buildApp(t.services, { endpoints: [reading], routes });
  await expect(unknown).rejects.toThrow('routes without an endpoint: POST /throw/{what}');
});

test('a server does not start if an endpoint has no permission', async () => {
  const { needs: _, ...open } = reading;
  const naked: Endpoint = { ...open, needs: [] };
  const start = buildApp(t.services, {
    endpoints: [naked],
    routes: [route(naked, async () => ({ ok: true }) as never)],
  });
  await expect(start).rejects.toThrow('does not declare a permission');
});

test.each([
  ['foreign', 422, 'rule'],
  ['taken', 409, 'conflict'],
  ['unique', 500, 'internal'],
  ['check', 500, 'internal'],
  ['empty', 500, 'internal'],
  ['number', 400, 'malformed'],
  ['division', 400, 'malformed'],
  ['syntax', 500, 'internal'],
  ['defect', 500, 'internal'],
])('a handler that fails with "%s" returns %i without SQL, a stack, or a path', async (what, status, code) => {
  const answer = await throwing(what);
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.body as object).toSorted()).toEqual(['code', 'message', 'requestId']);
  expect(answer.body).toMatchObject({ code, requestId: answer.headers['x-request-id'] });
  expect(JSON.stringify(answer.body)).not.toMatch(/selekt|insert|account_|role_|srv|secret|\.ts/);
});

test.each([
  ['serialization', 5, 'Too many people are changing this record right now. Try again in a moment.'],
  ['deadlock', 5, 'Too many people are changing this record right now. Try again in a moment.'],
  ['lock', 1, 'Someone else is saving this record right now. Try again in a moment.'],
])(
  'a handler that fails with "%s" in each of %i attempts reports a conflict, not an outage',
  async (what, times, message) => {
    tries = 0;
    const answer = await throwing(what);
    expect([answer.status, answer.headers['retry-after'], tries]).toEqual([503, '2', times]);
    expect(answer.body).toMatchObject({ code: 'unavailable', message });
  },
);

test('a long response that is sent in parts arrives complete, even with surrogate pairs at a boundary', async () => {
  const answer = await throwing('long');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ name: LONG });
  // The boundary is inside a character.
  expect(/[\ud800-\udbff]/.test(JSON.stringify({ name: LONG }).charAt(262_143))).toBe(true);
});

test('an edit of an outdated record returns 409 with the current record', async () => {
  const answer = await throwing('stale');
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'stale', current: { id: 7 } });
});

test('a call that is declared as a read cannot write', async () => {
  const { companyId, administrator, displayname } = t.world.company;
  const answer = await t.request({ method: 'PUT', url: '/api/reading', token: administrator.token });
  expect(answer.status).toBe(500);
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ name: string }>`select displayname as name from company where company_id = ${companyId}`),
  );
  expect(row?.name).toBe(displayname);
});

test('a body of 1 MB plus one byte returns 413', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(1_048_577 - 11) });
  expect(body.length).toBe(1_048_577);
  const { token } = t.world.company.administrator;
  const headers = { 'content-type': 'application/json' };
  const answer = await t.request({ method: 'POST', url: '/api/throw/none', token, headers, body });
  expect(answer.status).toBe(413);
  expect(answer.body).toMatchObject({ code: 'too_large' });
});

test('an anonymous invalid request returns 401 before its body is read', async () => {
  const headers = { 'content-type': 'application/json' };
  const answer = await t.request({ method: 'POST', url: '/api/throw/none', headers, body: '{"half":' });
  expect(answer.status).toBe(401);
});

test('an unknown path under /api returns 404 in the standard error format', async () => {
  const answer = await t.request({ method: 'GET', url: '/api/nothing' });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: 'not_found', message: 'Not found' });
});

test.each(['/api/%zz', '/api/throw/%E0%A4%A', '//other.example/api', `/api/throw/${'1'.repeat(300)}`])(
  'an invalid path (%s) returns 400 or 404 in the standard error format, with the security headers',
  async (url) => {
    const answer = await t.request({ method: 'GET', url, token: t.world.company.administrator.token });
    expect([400, 404]).toContain(answer.status);
    expect(Object.keys(answer.body as object).toSorted()).toEqual(['code', 'message', 'requestId']);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  },
);

test.each(['PATCH', 'OPTIONS', 'HEAD'] as const)('the API does not accept the method %s', async (method) => {
  const answer = await t.request({ method, url: '/api/reading', token: t.world.company.administrator.token });
  expect(answer.status).toBe(404);
});

test('paths match in any letter case and with or without a trailing slash', async () => {
  const { token } = t.world.company.administrator;
  const answer = await t.request({ method: 'POST', url: '/API/Throw/none/', token, body: { NAME: 'x' } });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ name: 'nothing happened' });
});

test('every response has the security headers, and API responses are not cached', async () => {
  for (const url of ['/api/nothing', '/healthz', '/']) {
    const { headers } = await t.request({ method: 'GET', url, headers: { origin: 'https://elsewhere.example' } });
    for (const name of ['set-cookie', 'access-control-allow-origin']) expect(headers).not.toHaveProperty(name);
    expect(headers['content-type']).toMatch(/^(application\/json|text\/html); charset=utf-8$/i);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; " +
        "worker-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
  expect((await t.request({ method: 'GET', url: '/api/nothing' })).headers['cache-control']).toBe('no-store');
});

test('health, readiness, metrics, and the API document need no session', async () => {
  const answers = await Promise.all(
    ['/healthz', '/readyz', '/metrics', '/api/openapi.json', '/api/docs'].map((url) =>
      t.request({ method: 'GET', url }),
    ),
  );
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers[2]?.body).toContain('http_requests_total');
  expect(answers[3]?.body).toMatchObject({ openapi: '3.1.0' });
  expect(answers[4]?.body).toContain('POST /api/throw/{what}');
});

test('while the database is unavailable, calls return 503 with Retry-After, and /healthz still responds', async () => {
  const pool = openPool({ connection: { connectionString: 'postgres://app@127.0.0.1:1/none' }, as: 'runtime' });
  const app = await buildApp({ ...t.services, pool }, table);
  const authorization = `Bearer ${t.world.company.administrator.token}`;
  const call = await app.inject({ method: 'PUT', url: '/api/reading', headers: { authorization } });
  expect([call.statusCode, call.headers['retry-after']]).toEqual([503, '2']);
  expect(call.json()).toMatchObject({ code: 'unavailable' });
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
  await app.close();
  await pool.end();
});

test('calls succeed again as soon as lost connections are replaced', async () => {
  const url = '/api/throw/none';
  const { token } = t.world.company.administrator;
  const owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await owner.end();
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    statuses.push((await t.request({ method: 'POST', url, token, body: {} })).status);
  }
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  expect(statuses.at(-1)).toBe(200);
});
