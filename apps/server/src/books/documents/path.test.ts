import { randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { billingCalls } from '@evenkeel/contract/billing';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { statementCalls } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile, ofx } from '../../features/banking/testing/statement-files.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';

// These modules are loaded now, because loading them later would count as running their code.
const { createInvoice, createPayment } = billingCalls;
const { actOnBankLine, listBankLines } = statementCalls;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/**
 * Returns the project's files whose code ran during the given work, as paths from the repository root. Tests are
 * excluded, and so is waits.ts, which does something only in tests.
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
 * The files that every call uses: the app, http, db, wire codecs, money, and dates. Four of these files keep one
 * company from delaying another: the pool, its gates, their metrics, and the database monitor.
 */
const shell = new RegExp(
  '^(apps/server/src/(app/app|platform/(http|db|clock))\\b|' +
    'packages/(contract/src/(fields|wire)|core/src/(money|dates))\\.)',
);

/** Returns the files that a call runs when the caches are warm: its own files, and the files that every call uses. */
async function pathOf(call: (at: number) => Promise<void>): Promise<{ own: string[]; every: string[] }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await call(0);
  const files = await filesRunBy(session, () => call(1));
  session.disconnect();
  return { own: files.filter((path) => !shell.test(path)), every: files.filter((path) => shell.test(path)) };
}

/**
 * Sends a request with a new idempotency key. The response isn't decoded, because decoding would run the contract's
 * files.
 */
async function send<E extends Endpoint>(endpoint: E, sent: Parameters<typeof requestOf<E>>[1]): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  expect((await t.request({ ...requestOf(endpoint, sent), headers })).status).toBe(200);
}

test('a customer payment loads at most 10 payment-specific files and 20 files that every call uses', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const invoices = [await make.invoice({ customerId }), await make.invoice({ customerId })];
  const { own, every } = await pathOf(async (at) => {
    const body = {
      customerId,
      paymentDate: '2026-01-03',
      paymentAmount: 100,
      paymentTypeId: 2,
      paymentAccountId: 104,
      paymentApplications: [{ invoiceId: invoices[at]?.id ?? 0, amount: 100 }],
    };
    await send(createPayment, { token, body });
  });
  expect(own).toContain('packages/core/src/books/settlement.ts');
  expect(every).toContain('apps/server/src/platform/http/idempotency.ts');
  expect({ own: own.slice(10), every: every.slice(20) }).toEqual({ own: [], every: [] });
});

test('posting an invoice runs code in at most 23 files in addition to those that every call uses', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const customerId = await factoryFor(t, company).customer();
  const lineItems = [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: 140 }];
  const { own } = await pathOf(async () => {
    const body = { customerId, invoiceDate: '2026-03-10', lineItems };
    await send(createInvoice, { token, body });
  });
  expect(own).toContain('apps/server/src/books/ledger/batch.ts');
  expect(own.slice(23)).toEqual([]);
});

test('categorizing a bank transaction runs code in at most 26 files that not every call uses', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const bankAccountId = await checkingOf(t, company.companyId);
  const says = ['PAPER', 'PENS'].map((text, at) => ({ date: isoDate('2026-03-10'), amount: -1000, text, id: `${at}` }));
  await importFile(t, token, { bankAccountId, bytes: ofx(says) });
  const listed = await t.call(listBankLines, { token, query: { state: 'review' } });
  const ids = (Array.isArray(listed) ? listed : listed.items).map(({ id }) => id);
  const { own } = await pathOf(async (at) => {
    const body = { action: 'add' as const, lines: [{ accountID: 151, amount: -10 }] };
    const id = ids[at] ?? 0;
    await send(actOnBankLine, { token, params: { id }, body });
  });
  expect(own).toContain('apps/server/src/books/ledger/batch.ts');
  expect(own.slice(26)).toEqual([]);
});
