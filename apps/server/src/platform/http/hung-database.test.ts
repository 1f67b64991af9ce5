import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../app/app.ts';
import { openPool } from '../db/connect.ts';
import { inCompany } from '../db/tx.ts';
import { errorAnswer } from './errors.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { type LossyProxy, startLossyProxy } from '../../testing/lossy-proxy.ts';

let t: TestApp;
let proxy: LossyProxy;
let pool: ReturnType<typeof openPool>;
let app: Awaited<ReturnType<typeof buildApp>>;
const logged: string[] = [];
beforeAll(async () => {
  t = await startTestApp();
  proxy = await startLossyProxy(t.databaseUrl);
  pool = openPool({
    connection: { connectionString: proxy.url },
    as: 'runtime',
    max: 3,
    patience: { statementMs: 500, answerMs: 700, connectMs: 600 },
  });
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  app = await buildApp({ ...t.services, pool, log });
});
afterEach(() => proxy.thaw());
afterAll(async () => {
  await app.close();
  await pool.end();
  await proxy.close();
  await t.close();
});

function ask(method: 'GET' | 'POST', payload?: object, key?: string, server = app) {
  const { token } = t.world.company.administrator;
  return server.inject({
    method,
    url: '/api/userroles',
    headers: { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
}

const create = (roleName: string, key?: string) => ask('POST', { id: 0, roleName, roleProperties: [] }, key);
const roles = (): Promise<number> => countRows(t, t.world.company.companyId, 'role');

/** Returns the process IDs of the servers behind this pool's connections. */
async function backends(): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: 3 }, () => pool.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.05)')),
  );
  return held.flatMap(({ rows }) => rows.map(({ pid }) => pid));
}

test('while the database hangs, 20 requests return 503 with Retry-After, and later requests succeed', async () => {
  expect((await ask('GET')).statusCode).toBe(200);
  const before = await backends();
  proxy.freeze('begin');
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ask('GET') : create(`Hung ${index}`))),
  );
  const seconds = (performance.now() - began) / 1000;
  expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 503));
  expect(new Set(answers.map((answer) => answer.headers['retry-after']))).toEqual(new Set(['2']));
  expect(seconds).toBeLessThan(4);
  proxy.thaw();
  const after = await Promise.all(Array.from({ length: 20 }, () => ask('GET')));
  expect(after.map((answer) => answer.statusCode)).toEqual(after.map(() => 200));
  // The connections that hung are closed and never used again.
  expect((await backends()).filter((pid) => before.includes(pid))).toEqual([]);
  console.info(`20 requests of a hung database: 503 within ${seconds.toFixed(1)} s, limits 0.6 and 0.7 s`);
});

test('the log says why the database was unavailable, with the request ID of the response', async () => {
  proxy.freeze('begin');
  const refused: { requestId: string; message: string } = (await ask('GET')).json();
  proxy.thaw();
  expect(refused.message).toBe('The database is temporarily unavailable. Try again in a moment.');
  const lines: unknown[] = logged.map((line) => JSON.parse(line));
  const why = { type: 'Error', message: 'Query read timeout' };
  const line = { msg: 'unavailable', requestId: refused.requestId, route: '/api/userroles' };
  expect(lines).toContainEqual(expect.objectContaining({ ...line, err: expect.objectContaining(why) }));
});

test('if the same hang ends several statements, the first of them reports the reason', async () => {
  proxy.freeze('begin');
  // The attempt to open the transaction times out 20 ms before this statement would, which closes the connection.
  const late = inCompany(pool, t.world.company.companyId, async (tx) => {
    await setTimeout(20);
    return tx.rows(sql`select 1`);
  });
  await expect(late).rejects.toThrow('Query read timeout');
});

test('a request whose commit hangs returns 503, and returns its result when it is repeated with its key', async () => {
  await create('Warm', 'warm');
  const before = await roles();
  proxy.freeze('commit');
  const lost = await create('Hung commit', 'hung-commit');
  expect([lost.statusCode, lost.headers['retry-after']]).toEqual([503, '2']);
  expect(await roles()).toBe(before);
  proxy.thaw();
  const again = await create('Hung commit', 'hung-commit');
  expect([again.statusCode, again.json()]).toEqual([200, expect.objectContaining({ roleName: 'Hung commit' })]);
  expect(await roles()).toBe(before + 1);
});

test('a posting whose commit hangs returns its result when it is repeated with its key', async () => {
  const { companyId, administrator } = t.world.company;
  const line = { description: 'Cash sale', postingDate: '2026-01-15', amount: 12.5 };
  const post = () =>
    app.inject({
      method: 'POST',
      url: '/api/GeneralLedger/PostTransaction',
      headers: { authorization: `Bearer ${administrator.token}`, 'idempotency-key': 'hung-posting' },
      payload: {
        transactionID: 0,
        generalLedgerEntries: [
          { ...line, accountID: 101, debit: true },
          { ...line, accountID: 140, debit: false },
        ],
      },
    });
  const before = await countRows(t, companyId, 'journal_transaction');
  proxy.freeze('commit');
  expect((await post()).statusCode).toBe(503);
  proxy.thaw();
  expect((await post()).statusCode).toBe(200);
  expect(await countRows(t, companyId, 'journal_transaction')).toBe(before + 1);
});

test.each(['58030', '58P01'])(
  'a database input/output error (%s) returns 503, because the change may have been saved',
  async (code) => {
    const raise = sql.raw(`do $$ begin raise exception 'could not fsync' using errcode = '${code}'; end $$`);
    const error: unknown = await t.inCompany(t.world.company.companyId, (tx) => tx.rows(raise)).catch((each) => each);
    expect(errorAnswer(error, 'r')).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  },
);

test('if the rollback after a rejection hangs, the rejection is returned, and the connection is closed', async () => {
  const before = await backends();
  proxy.freeze('rollback');
  const answer = await create('');
  proxy.thaw();
  expect([answer.statusCode, answer.json()]).toEqual([422, expect.objectContaining({ code: 'rule' })]);
  expect((await backends()).filter((pid) => before.includes(pid)).length).toBe(before.length - 1);
});

describe('with the statement limits of production and a watch that checks early', () => {
  let watched: ReturnType<typeof openPool>;
  let server: Awaited<ReturnType<typeof buildApp>>;
  const read = () => ask('GET', undefined, undefined, server);
  const readiness = () => server.inject({ url: '/readyz' });

  /** Returns the response statuses, and the seconds until the last response. */
  async function timed(asked: readonly ReturnType<typeof read>[]): Promise<{ statuses: number[]; seconds: number }> {
    const began = performance.now();
    const answers = await Promise.all(asked);
    return { statuses: answers.map((each) => each.statusCode), seconds: (performance.now() - began) / 1000 };
  }

  beforeAll(async () => {
    const patience = { connectMs: 900, watch: { doubtMs: 400, probeMs: 400 } };
    watched = openPool({ connection: { connectionString: proxy.url }, as: 'runtime', patience });
    server = await buildApp({ ...t.services, pool: watched });
    await Promise.all(Array.from({ length: 4 }, read));
  });
  afterAll(async () => {
    await server.close();
    await watched.end();
  });

  // Promise (start): If the database stops responding, requests and `/readyz` get 503 with Retry-After within 5
  // seconds. [0.9 s with limits of 0.4 s + 0.4 s]
  test('a hung database is reported after one probe without a response, even to queued requests', async () => {
    proxy.freeze('begin');
    const reads = Array.from({ length: 20 }, read);
    const write = ask('POST', { id: 0, roleName: 'Probed', roleProperties: [] }, 'probed', server);
    // Three of these requests have connections, and these connections hang.
    while (watched.gates.read.waiting < reads.length - 3) await setTimeout(5);
    const { statuses, seconds } = await timed([...reads, write, readiness()]);
    expect(statuses).toEqual(statuses.map(() => 503));
    expect(seconds).toBeLessThan(3);
    // At this point, no connections are left, and new connections hang as well.
    const later = await timed([...Array.from({ length: 20 }, read), readiness()]);
    expect(later.statuses).toEqual(later.statuses.map(() => 503));
    expect(later.seconds).toBeLessThan(3);
    proxy.thaw();
    expect((await timed([...Array.from({ length: 20 }, read), readiness()])).statuses).toEqual(Array(21).fill(200));
    console.info(`a hung database is told of after ${seconds.toFixed(1)} s, limits 0.4 + 0.4 s`);
  });

  test('a long-running statement and simultaneous statements are not interrupted', async () => {
    const long = inCompany(watched, t.world.company.companyId, (tx) => tx.row(sql`select 1 as one from pg_sleep(1.5)`));
    expect((await timed([read(), readiness()])).statuses).toEqual([200, 200]);
    expect(await long).toEqual({ one: 1 });
  });

  test('if only the postmaster hangs, open connections keep working, and a new connection fails quickly', async () => {
    proxy.freezeNew();
    const long = inCompany(watched, t.world.other.companyId, (tx) => tx.row(sql`select 1 as one from pg_sleep(1.5)`));
    expect((await timed([read(), readiness()])).statuses).toEqual([200, 200]);
    const many = await timed([...Array.from({ length: 12 }, read), readiness()]);
    expect(many.seconds).toBeLessThan(3);
    expect(new Set(many.statuses).has(200)).toBe(true);
    // A long statement starts the check. The probe is already connected and shows that the database works.
    expect(await long).toEqual({ one: 1 });
    proxy.thaw();
    expect((await timed([...Array.from({ length: 12 }, read), readiness()])).statuses).toEqual(Array(13).fill(200));
  });
});
