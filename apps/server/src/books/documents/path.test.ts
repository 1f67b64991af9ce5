import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/**
 * Returns the project's files whose code ran during the work, as paths from the repository root. Excludes tests and
 * waits.ts, which does its work only in tests.
 */
async function filesRunBy(session: Session, work: () => Promise<void>): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .flatMap(({ url }) => /(apps\/server|packages\/\w+)\/src\/.*$/.exec(url)?.[0] ?? [])
    .filter((path) => !path.includes('testing/') && !path.includes('.test.') && !path.endsWith('platform/waits.ts'))
    .toSorted();
}

/**
 * The files that every call uses: the app, http, db, wire codecs, money, and dates. Four of them keep one company from
 * delaying another: the pool, its gates, their metrics, and the database monitor.
 */
const shell = new RegExp(
  '^(apps/server/src/(app/app|platform/(http|db|clock))\\b|' +
    'packages/(contract/src/(fields|wire)|core/src/(money|dates))\\.)',
);

test('a customer payment loads at most 10 payment-specific files and 20 files that every call uses', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const invoice = async (): Promise<number> => (await make.invoice({ customerId })).id;
  let calls = 0;
  const pay = async (invoiceId: number): Promise<void> => {
    const headers = { 'idempotency-key': `payment ${++calls}` };
    const body = {
      customerId,
      paymentDate: '2026-01-03',
      paymentAmount: 100,
      paymentTypeId: 2,
      paymentAccountId: 104,
      paymentApplications: [{ invoiceId, amount: 100 }],
    };
    expect((await t.request({ method: 'POST', url: '/api/billingpayment', token, headers, body })).status).toBe(200);
  };
  const [first, second] = [await invoice(), await invoice()];
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await pay(first);
  const files = await filesRunBy(session, () => pay(second));
  session.disconnect();
  const own = files.filter((path) => !shell.test(path));
  const every = files.filter((path) => shell.test(path));
  expect(own).toContain('packages/core/src/books/settlement.ts');
  expect(every).toContain('apps/server/src/platform/http/idempotency.ts');
  expect({ own: own.slice(10), every: every.slice(20) }).toEqual({ own: [], every: [] });
});
