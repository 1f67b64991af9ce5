import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthCalls as calls } from '@evenkeel/contract/health';
import { healthChecks } from '@evenkeel/core/words/health';
import { openClient } from '../../platform/db/connect.ts';
import { enqueue, runDueJobs } from '../../platform/db/jobs.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { within } from '../../platform/db/tx.ts';
import {
  BILL_KINDS,
  BILL_TAMPERS,
  makeBills,
  makeSales,
  SALES_KINDS,
  SALES_TAMPERS,
  type Tamper,
} from '../../books/documents/testing/tampers.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { onCitus } from '../../testing/databases.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { checkBooks, findingOf } from './check.ts';
import { viewsOf } from './health.ts';
import { checks, isDueSql, keepSql } from './health.sql.ts';

let t: TestApp;
let owner: pg.Client;
let company: WorldCompany;

beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const make = factoryFor(t, company);
  await make.product();
  const customerId = await make.customer();
  const { id } = await make.invoice({ customerId });
  await make.payment({ customerId, paymentAmount: 30, paymentApplications: [{ invoiceId: id, amount: 20 }] });
  owner = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const read = () => t.call(calls.getHealth, { token: company.administrator.token });
const line = () => t.call(calls.getHealthLine, { token: company.administrator.token });

test('before the first check, no result is reported, and two requests for a check queue only one', async () => {
  expect(await line()).toEqual({ checkedAt: null, off: 0, first: null, failedJobs: 0 });
  const { token } = company.administrator;
  const asked = await t.call(calls.checkHealth, { token });
  await t.call(calls.checkHealth, { token });
  expect(asked.run).toEqual({ done: 0, total: 0 });
  expect(asked.checks.every(({ checkedAt }) => checkedAt === null)).toBe(true);
  expect((await read()).jobs.waiting).toBe(1);
});

test('for correct books, each check is reported with its own title', async () => {
  await checkBooks(t.pool, company.companyId);
  const health = await read();
  expect(health).toMatchObject({ off: 0, first: null, run: null, backup: null, version: expect.stringMatching(/^\d/) });
  expect(health.checks.map(({ name }) => name)).toEqual(healthChecks.map(({ name }) => name));
  expect(health.checks.filter(({ checkedAt, faultCount }) => checkedAt === null || faultCount > 0)).toEqual([]);
  const figureOf = (name: string) => health.checks.find((each) => each.name === name)?.figure?.value;
  expect(figureOf('chain')).toBe(2);
  expect(figureOf('documents')).toBe(1);
  expect(figureOf('control accounts')).toBeGreaterThan(0);
  expect(health.storage.databaseBytes).toBeGreaterThan(1000);
});

test('books that were never checked, or were last checked two days ago, are due for a check', async () => {
  const isDue = () => t.inCompany(company.companyId, (tx) => tx.one(isDueSql()));
  const { companyId } = await t.createCompany();
  expect(await t.inCompany(companyId, (tx) => tx.one(isDueSql()))).toEqual({ due: true });
  expect(await isDue()).toEqual({ due: false });
  const days = sql`update health_run set finished_at = now() - interval '49 hours' where company_id = ${COMPANY}`;
  await t.inCompany(company.companyId, (tx) => tx.rows(days));
  expect(await isDue()).toEqual({ due: true });
});

const ours = () => `company_id = ${company.companyId}`;

// Citus can't change rows without running triggers.
test.skipIf(onCitus)('a direct database change is reported until it is corrected', async () => {
  await owner.query('set session_replication_role = replica');
  const row = `where ${ours()} and id = 2`;
  await owner.query(`update journal_transaction set description = description || 'x' ${row}`);
  await checkBooks(t.pool, company.companyId);
  await owner.query(`update journal_transaction set description = left(description, -1) ${row}`);
  const health = await read();
  const found = health.checks.find(({ name }) => name === 'chain');
  expect(found).toMatchObject({ faultCount: 1, message: 'its columns do not match its hash', transactionId: 2 });
  expect(await line()).toMatchObject({ off: 1, first: found?.title });
  await checkBooks(t.pool, company.companyId);
  expect(await line()).toMatchObject({ off: 0, first: null });
});

/** Returns the health response for a check after a direct database change, which is rolled back. */
async function toldAfter(change: string, { check, companyId }: { check: string; companyId: number }) {
  await owner.query(`begin; set local session_replication_role = replica; set local app.company_id = '${companyId}'`);
  try {
    await owner.query(change);
    return await within(owner, companyId, async (tx) => {
      for (const statement of keepSql(await findingOf((work) => work(tx), check))) await tx.rows(statement);
      return viewsOf(await tx.rows(checks.find({}))).find(({ name }) => name === check);
    });
  } finally {
    await owner.query('rollback');
  }
}

/** Returns the changes that are not reported by their check, or are reported without the correct link to the record. */
async function untold<B extends { companyId: number }>(
  books: B,
  kinds: Readonly<Partial<Record<keyof B, string>>>,
  tampers: readonly Tamper<B>[],
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const [what, change, check, , key] of tampers) {
    const told = await toldAfter(change(books), { check, companyId: books.companyId });
    const record = key === undefined ? null : { kind: kinds[key], id: books[key] };
    const isTold = told !== undefined && told.faultCount > 0 && told.message !== null;
    if (!isTold || !isDeepStrictEqual(told.record, record)) wrong.push({ what, told });
  }
  return wrong;
}

test.skipIf(onCitus)(
  'each changed value in a document or payment is reported by its check, with the record',
  async () => {
    expect(await untold(await makeSales(t), SALES_KINDS, SALES_TAMPERS)).toEqual([]);
    expect(await untold(await makeBills(t), BILL_KINDS, BILL_TAMPERS)).toEqual([]);
  },
);

test.each([
  ['balance', 'update journal_line set amount_cents = amount_cents + 1', { transactionId: 1 }],
  ['totals', 'update ledger_total set amount_cents = amount_cents + 1', { record: { kind: 'account', id: 101 } }],
  ['head', 'update ledger_head set next_line_id = next_line_id + 1', { transactionId: null, record: null }],
  ['saved values', `update product set name = name || 'x'`, { record: { kind: 'product', id: expect.any(Number) } }],
  ['audit log', `update audit_log set title = title || 'x'`, { record: { kind: 'audit log', id: expect.any(Number) } }],
] as const)('a change covered by the check "%s" is reported with a link', async (check, change, way) => {
  const { companyId } = company;
  const told = await toldAfter(`${change} where ${ours()}`, { check, companyId });
  expect(told).toMatchObject({ ...way, faultCount: expect.any(Number), message: expect.stringMatching(/\w{3}/) });
  expect(told?.faultCount).toBeGreaterThan(0);
});

test('a failed job is reported with its error while it is still being retried', async () => {
  const { companyId } = company;
  await t.inCompany(companyId, async (tx) => enqueue(tx, { kind: 'broken', key: 'one', payload: {}, userId: null }));
  const broken = () => Promise.reject(new Error('no mail server'));
  await runDueJobs(t.pool, { broken }, () => undefined);
  const { jobs } = await read();
  expect(jobs.retried).toMatchObject([{ kind: 'broken', attempts: 1, error: 'no mail server' }]);
  expect(Date.parse(jobs.retried[0]?.at ?? '')).toBeGreaterThan(Date.now() - 1000);
  expect(jobs.failed).toEqual([]);
});
