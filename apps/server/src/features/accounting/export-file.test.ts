import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { entityCalls } from '@evenkeel/contract/entities';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { exportCommand } from '../../app/cli/export.ts';
import { openPool } from '../../platform/db/connect.ts';
import { inCompany } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { testConfig } from '../../testing/settings.ts';
import { exportBooks } from './export.ts';
import { post } from '../../books/ledger/journal.ts';
import { journal } from '../../books/ledger/testing/books.ts';

/** Enough entries to split the file into several pieces. */
const ENTRIES = 700;

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-export-'));
  const { company } = t.world;
  const make = factoryFor(t, company);
  const customerId = await make.customer('Zoë, "Ünïcode" 🙂');
  const { id } = await make.invoice({ customerId, invoiceDate: '2026-02-10', amount: 120 });
  const paymentApplications = [{ invoiceId: id, amount: 50 }];
  await make.payment({ customerId, paymentAmount: 50, paymentDate: '2026-03-02', paymentApplications });
  const entries = Array.from({ length: ENTRIES }, (_, at) => journal('2026-05-05', [CHECKING, SALES], at + 1));
  await inCompany(t.pool, company.companyId, (tx) => post({ tx, userId: company.bookkeeper.userId }, entries));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await t.close();
});

type Query = Parameters<typeof asked>[0];
const asked = (query: {
  format: 'hledger' | 'beancount' | 'csv';
  basis: 'accrual' | 'cash';
  from?: string;
  to?: string;
}) => query;

const ask = (query: Query, { administrator: { token } } = t.world.company) =>
  t.request({ method: 'GET', url: `/api/booksexport?${String(new URLSearchParams({ ...query }))}`, token });

/** Returns the file that the command line creates from the same query. */
async function byCommand(query: Query): Promise<Buffer> {
  const out = join(folder, 'books');
  const options = { ...query, out, company: String(t.world.company.companyId) };
  const database = async () => ({ connection: { connectionString: t.databaseUrl }, pool: t.pool });
  await exportCommand.run({ config: testConfig(), options, positionals: [], say: () => undefined, database });
  return readFile(out);
}

test.each([
  asked({ format: 'hledger', basis: 'accrual' }),
  asked({ format: 'beancount', basis: 'cash' }),
  asked({ format: 'csv', basis: 'accrual' }),
  asked({ format: 'hledger', basis: 'cash', from: '2026-02-01', to: '2026-04-30' }),
  asked({ format: 'csv', basis: 'cash', from: '2026-05-01' }),
])("the export file for %j is byte-for-byte identical to the command line's file", async (query) => {
  // The file contains its creation time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const answer = await ask(query);
  expect(answer.status).toBe(200);
  expect(answer.bytes.equals(await byCommand(query))).toBe(true);
  expect(String(answer.bytes).split('\n').length).toBeGreaterThan(8);
});

test('an export for a date range contains only entries in the range, and its name contains the dates', async () => {
  const { bytes, headers } = await ask({ format: 'csv', basis: 'cash', from: '2026-03-01', to: '2026-04-30' });
  const dates = [...String(bytes).matchAll(/^\d+,(\d{4}-\d\d-\d\d),/gm)].map(([, date]) => date);
  expect(new Set(dates)).toEqual(new Set(['2026-03-02']));
  expect(headers['content-disposition']).toContain('filename="Books cash 2026-03-01 to 2026-04-30.csv"');
  const wrong = await ask({ format: 'csv', basis: 'cash', from: '2026-05-01', to: '2026-04-30' });
  expect([wrong.status, wrong.body]).toMatchObject([
    422,
    { fields: { to: 'The end date (4/30/2026) is before the start date (5/1/2026)' } },
  ]);
});

test("a company's exports run one at a time and block no other requests", async () => {
  const { company, other } = t.world;
  const owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 2 });
  const holder = await owner.connect();
  try {
    await holder.query('begin; lock table journal_line in access exclusive mode');
    const query = asked({ format: 'csv', basis: 'accrual' });
    const made = [ask(query), ask(query), ask(query), ask(query)];
    while (t.pool.gates.export.waiting < 3) await setTimeout(5);
    const elsewhere = ask(query, other);
    const { token } = company.administrator;
    expect(await t.call(entityCalls.listCustomers, { token, query: {} })).toHaveLength(1);
    expect(await t.call(entityCalls.listCustomers, { token: other.administrator.token, query: {} })).toEqual([]);
    expect(t.pool.gates.export.waiting).toBe(3);
    await holder.query('rollback');
    const statuses = (await Promise.all([...made, elsewhere])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  } finally {
    await holder.query('rollback');
    holder.release();
    await owner.end();
  }
});

test('other requests run while an export file is created', async () => {
  // The clock advances by 1 ms per reading, so that the number of slices is the same on every machine.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  onTestFinished(() => clock.mockRestore());
  let [turns, isMade] = [0, false];
  const someone = (): void => {
    if (isMade) return;
    turns += 1;
    setImmediate(someone);
  };
  const request = { companyId: t.world.company.companyId, format: 'hledger', basis: 'accrual' } as const;
  setImmediate(someone);
  await exportBooks(t.pool, request, async () => undefined);
  isMade = true;
  expect(turns).toBeGreaterThan(ENTRIES / 10);
});
