import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../app/app.ts';
import { openPool } from '../db/connect.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { type LossyProxy, startLossyProxy } from '../../testing/lossy-proxy.ts';
import { takeTurn } from '../../testing/turns.ts';

let t: TestApp;
let proxy: LossyProxy;
let pool: ReturnType<typeof openPool>;
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  t = await startTestApp();
  proxy = await startLossyProxy(t.databaseUrl);
  pool = openPool({ connection: { connectionString: proxy.url }, as: 'runtime' });
  app = await buildApp({ ...t.services, pool });
});
afterAll(async () => {
  await app.close();
  await pool.end();
  await proxy.close();
  await t.close();
});

function create(roleName: string, key?: string) {
  const { token } = t.world.company.administrator;
  return app.inject({
    method: 'POST',
    url: '/api/userroles',
    headers: { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: { id: 0, roleName, roleProperties: [] },
  });
}

const roles = (): Promise<number> => countRows(t, t.world.company.companyId, 'role');
test('with a key, a commit whose response is lost returns its result and takes effect once', async () => {
  await create('warm', 'warm');
  const before = await roles();
  proxy.loseNext('answer');
  const first = await create('Lost answer', 'lost-answer');
  expect([first.statusCode, first.json()]).toEqual([200, expect.objectContaining({ roleName: 'Lost answer' })]);
  const again = await create('Lost answer', 'lost-answer');
  expect(again.json()).toEqual(first.json());
  expect(await roles()).toBe(before + 1);
});

test('without a key, a request whose commit response is lost returns 503, because it may have succeeded', async () => {
  const before = await roles();
  proxy.loseNext('answer');
  const answer = await create('No key');
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
  expect(answer.json()).toMatchObject({
    code: 'unavailable',
    message:
      'The database connection was lost before a response arrived. Your change may have been ' +
      'saved. Check before you try again.',
  });
  expect(await roles()).toBe(before + 1);
});

test('a request whose commit is lost returns 503 and writes nothing, and a retry with its key succeeds', async () => {
  const before = await roles();
  proxy.loseNext('commit');
  const lost = await create('Never arrived', 'never-arrived');
  expect([lost.statusCode, lost.json<{ message: string }>().message]).toEqual([
    503,
    'The database is temporarily unavailable. Try again in a moment.',
  ]);
  expect(await roles()).toBe(before);
  expect((await create('Never arrived', 'never-arrived')).statusCode).toBe(200);
  expect(await roles()).toBe(before + 1);
});

test('a shared commit whose response is lost returns each request’s result and takes effect once', async () => {
  const { companyId, bookkeeper } = t.world.company;
  const customerId = await factoryFor(t, t.world.company).customer();
  const pay = (paymentAmount: number) =>
    app.inject({
      method: 'POST',
      url: '/api/billingpayment',
      headers: { authorization: `Bearer ${bookkeeper.token}`, 'idempotency-key': `shared ${paymentAmount}` },
      payload: {
        customerId,
        paymentDate: '2026-03-20',
        paymentTypeId: 2,
        paymentAccountId: 104,
        paymentAmount,
        paymentApplications: [],
      },
    });
  const turns = [0, 1].map(() => takeTurn(pool, companyId));
  const paying = [10, 20, 30].map(pay);
  while (pool.gates.write.waiting < paying.length) await sleep(2);
  proxy.loseNext('answer');
  await turns[0]?.();
  const answers = await Promise.all(paying);
  await turns[1]?.();
  expect(answers.map((each) => [each.statusCode, each.json<{ paymentAmount: number }>().paymentAmount])).toEqual([
    [200, 10],
    [200, 20],
    [200, 30],
  ]);
  expect(await countRows(t, companyId, 'payment')).toBe(3);
});
