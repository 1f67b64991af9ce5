import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { openPool } from '../db/connect.ts';
import { inCompany } from '../db/tx.ts';
import { errorAnswer } from './errors.ts';
import { countRows, startTestApp, type TestApp } from '../testing/app.ts';
import { type LossyProxy, startLossyProxy } from '../testing/lossy-proxy.ts';

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

function ask(method: 'GET' | 'POST', payload?: object, key?: string) {
  const { token } = t.world.company.administrator;
  return app.inject({
    method,
    url: '/api/userroles',
    headers: { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload === undefined ? {} : { payload }),
  });
}

const create = (roleName: string, key?: string) => ask('POST', { id: 0, roleName, roleProperties: [] }, key);
const roles = (): Promise<number> => countRows(t, t.world.company.companyId, 'role');

/** The processes behind this pool's connections. */
async function backends(): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: 3 }, () => pool.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.05)')),
  );
  return held.flatMap(({ rows }) => rows.map(({ pid }) => pid));
}

test('20 requests of a database that hangs: each answers 503 with Retry-After, and after it none hangs', async () => {
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
  // Whoever hung is discarded, never lent again.
  expect((await backends()).filter((pid) => before.includes(pid))).toEqual([]);
  console.info(`20 requests of a hung database: 503 within ${seconds.toFixed(1)} s, limits 0.6 and 0.7 s`);
});

test('why the database was away is in the log, by the number of the request that was told so', async () => {
  proxy.freeze('begin');
  const refused: { requestId: string; message: string } = (await ask('GET')).json();
  proxy.thaw();
  expect(refused.message).toBe('The database is away for a moment; please try again');
  const lines: unknown[] = logged.map((line) => JSON.parse(line));
  const why = { type: 'Error', message: 'Query read timeout' };
  const line = { msg: 'unavailable', requestId: refused.requestId, route: '/api/userroles' };
  expect(lines).toContainEqual(expect.objectContaining({ ...line, err: expect.objectContaining(why) }));
});

test('of all the statements that one hang takes down, the first says why', async () => {
  proxy.freeze('begin');
  // The opening gives up 20 ms before this one would, and takes the connection with it.
  const late = inCompany(pool, t.world.company.companyId, async (tx) => {
    await setTimeout(20);
    return tx.rows(sql`select 1`);
  });
  await expect(late).rejects.toThrow('Query read timeout');
});

test('a commit that hangs answers 503; done after all, its key answers what it did, once', async () => {
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

test('a posting whose commit hangs is settled by its key in the same way', async () => {
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
  'an input/output error of the database (%s) is 503, for it may have happened',
  async (code) => {
    const raise = sql.raw(`do $$ begin raise exception 'could not fsync' using errcode = '${code}'; end $$`);
    const error: unknown = await t.inCompany(t.world.company.companyId, (tx) => tx.rows(raise)).catch((each) => each);
    expect(errorAnswer(error, 'r')).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  },
);

test('a refusal whose rollback hangs is still the refusal, and its connection is not used again', async () => {
  const before = await backends();
  proxy.freeze('rollback');
  const answer = await create('');
  proxy.thaw();
  expect([answer.statusCode, answer.json()]).toEqual([422, expect.objectContaining({ code: 'rule' })]);
  expect((await backends()).filter((pid) => before.includes(pid)).length).toBe(before.length - 1);
});
