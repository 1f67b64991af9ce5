import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthCalls as calls } from '@evenkeel/contract/health';
import { healthChecks } from '@evenkeel/core/health';
import { openClient } from '../db/connect.ts';
import { COMPANY } from '../db/query.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { factoryFor } from '../testing/factories.ts';
import type { WorldCompany } from '../testing/world.ts';
import { checkBooks } from './check.ts';
import { isDueSql } from './health.sql.ts';

let t: TestApp;
let owner: pg.Client;
let company: WorldCompany;

beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const make = factoryFor(t, company);
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

test('before the first check nothing is said; asked for, it waits for the worker, once', async () => {
  expect(await line()).toEqual({ checkedAt: null, off: 0, first: null, failedJobs: 0 });
  const { token } = company.administrator;
  const asked = await t.call(calls.checkHealth, { token });
  await t.call(calls.checkHealth, { token });
  expect(asked.run).toEqual({ done: 0, total: 0 });
  expect(asked.checks.every(({ checkedAt }) => checkedAt === null)).toBe(true);
  expect((await read()).jobs.waiting).toBe(1);
});

test('sound books are told of check by check, each under a title of its own', async () => {
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

test('books are due for a check before the first one, and again after two days', async () => {
  const isDue = () => t.inCompany(company.companyId, (tx) => tx.one(isDueSql()));
  const { companyId } = await t.createCompany();
  expect(await t.inCompany(companyId, (tx) => tx.one(isDueSql()))).toEqual({ due: true });
  expect(await isDue()).toEqual({ due: false });
  const days = sql`update health_run set finished_at = finished_at - interval '49 hours' where company_id = ${COMPANY}`;
  await t.inCompany(company.companyId, (tx) => tx.rows(days));
  expect(await isDue()).toEqual({ due: true });
});

const ours = () => `company_id = ${company.companyId}`;

/** Changes behind the product, with the check that tells of each, and the way back. */
const TAMPERS: [check: string, change: () => string, back: () => string][] = [
  [
    'chain',
    () => `update journal_transaction set description = description || 'x' where ${ours()} and id = 2`,
    () => `update journal_transaction set description = left(description, -1) where ${ours()} and id = 2`,
  ],
  [
    'balance',
    () => `update journal_line set amount_cents = amount_cents + 1 where ${ours()} and id = 1`,
    () => `update journal_line set amount_cents = amount_cents - 1 where ${ours()} and id = 1`,
  ],
  [
    'totals',
    () => `update ledger_total set amount_cents = amount_cents + 1 where ${ours()}`,
    () => `update ledger_total set amount_cents = amount_cents - 1 where ${ours()}`,
  ],
  [
    'head',
    () => `update ledger_head set next_line_id = next_line_id + 1 where ${ours()}`,
    () => `update ledger_head set next_line_id = next_line_id - 1 where ${ours()}`,
  ],
  [
    'saved values',
    () => `update setting set setting_name = setting_name || 'x' where ${ours()}`,
    () => `update setting set setting_name = left(setting_name, -1) where ${ours()}`,
  ],
  [
    'audit log',
    () => `update audit_log set title = title || 'x' where ${ours()}`,
    () => `update audit_log set title = left(title, -1) where ${ours()}`,
  ],
];

test.each(TAMPERS)('what was changed behind the product is told under %s', async (check, change, back) => {
  await owner.query('set session_replication_role = replica');
  await owner.query(change());
  await checkBooks(t.pool, company.companyId);
  await owner.query(back());
  const health = await read();
  const found = health.checks.find(({ name }) => name === check);
  expect(found).toMatchObject({ faultCount: expect.any(Number), message: expect.stringMatching(/\w{3}/) });
  expect(found?.faultCount).toBeGreaterThan(0);
  if (['chain', 'balance'].includes(check)) expect(found?.transactionId).toBeGreaterThan(0);
  expect((await line()).off).toBeGreaterThan(0);
  await checkBooks(t.pool, company.companyId);
  expect((await line()).off).toBe(0);
});
