import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls } from '@evenkeel/contract/billing';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { installation } from '../db/tx.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { countRoundTrips } from '../../testing/round-trips.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let customerId: number;
let vendorId: number;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const ids = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ id: number }>`insert into entity (company_id, kind, displayname, name)
      values (${company.companyId}, 0, 'Trip', 'Trip'), (${company.companyId}, 1, 'Trip', 'Trip') returning id`),
  );
  [customerId, vendorId] = ids.map(({ id }) => id) as [number, number];
});
afterAll(() => t.close());

let keys = 0;

/**
 * Sends a call twice as a warm-up, so that statements are prepared and records exist, and then counts the round trips
 * of the third call.
 */
async function tripsOf({ endpoint, body }: Counted, isNoted: boolean): Promise<number> {
  const { token, userId } = company.administrator;
  const send = async () => {
    const headers = { 'idempotency-key': `trip-${(keys += 1)}` };
    const answer = await t.request(
      requestOf(endpoint, { token, headers, ...(body === undefined ? {} : { body: body() }) }),
    );
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  };
  await send();
  await send();
  const seen = isNoted ? sql`now() - interval '2 minutes'` : sql`now()`;
  await installation(t.pool, sql`update session set last_seen_at = ${seen} where user_id = ${userId}`);
  const trips = await countRoundTrips(t.pool, send);
  // Background work (recording when the session was used) must finish before the next count.
  while (t.pool.idleCount < t.pool.totalCount) await sleep(5);
  const [session] = await installation(
    t.pool,
    sql<{ noted: boolean }>`select last_seen_at > now() - interval '1 minute' as noted from session
      where user_id = ${userId}`,
  );
  expect(session?.noted).toBe(true);
  return trips;
}

const line = { description: 'Cash sale', postingDate: '2026-01-15', amount: 125.5 };
const entry = {
  transactionID: 0,
  entityID: 0,
  generalLedgerEntries: [
    { ...line, accountID: 101, debit: true },
    { ...line, accountID: 140, debit: false },
  ],
};
const role = () => ({ id: 0, roleName: `Trip ${keys}`, roleProperties: [] });
const invoice = () => ({
  id: 0,
  customerId,
  invoiceDate: '2026-01-15',
  billingStatus: 2,
  lineItems: [{ id: 0, description: 'Work', accountId: 140, itemPrice: 100, quantity: 1, taxable: false }],
});
const payment = () => ({
  id: 0,
  customerId,
  paymentDate: '2026-01-20',
  paymentAmount: 10,
  paymentAccountId: 104,
  paymentTypeId: 1,
});

const bill = () => ({
  id: 0,
  vendorId,
  invoiceNumber: `T-${keys}`,
  invoiceDate: '2026-01-15',
  lineItems: [{ id: 0, description: 'Diesel', accountId: 153, lineItemAmount: 100 }],
});
const billPayment = () => ({ id: 0, vendorId, paymentDate: '2026-01-20', paymentAmount: 10, paymentAccountId: 104 });

interface Counted {
  what: string;
  most: number;
  endpoint: Endpoint;
  body?: () => object;
}

/**
 * Three round trips are for the session, for the start of the transaction with the reads, and for the writes with the
 * commit. A document that is posted alone takes a fourth round trip.
 */
const counted: Counted[] = [
  { what: 'a read', most: 3, endpoint: authCalls.listRoles },
  { what: 'the dashboard with its nine cards', most: 4, endpoint: dashboardCalls.getDashboard },
  { what: 'a write', most: 3, endpoint: authCalls.createRole, body: role },
  { what: 'an invoice', most: 4, endpoint: billingCalls.createInvoice, body: invoice },
  { what: 'a payment applied to open invoices', most: 4, endpoint: billingCalls.createPayment, body: payment },
  { what: 'a bill', most: 4, endpoint: expenseCalls.createExpense, body: bill },
  { what: 'a payment applied to open bills', most: 4, endpoint: expenseCalls.createExpensePayment, body: billPayment },
  { what: 'a journal entry', most: 4, endpoint: ledgerCalls.postTransaction, body: () => entry },
];

// Promise (together): A posting makes at most four round trips to the database, including the session.
test.each(counted)('$what takes at most $most round trips to the database', async (each) => {
  expect(await tripsOf(each, false)).toBeLessThanOrEqual(each.most);
});

test.each(counted)('$what takes one more round trip if the session was last used a minute ago', async (each) => {
  const trips = await tripsOf(each, true);
  expect(trips).toBeGreaterThan(3);
  expect(trips).toBeLessThanOrEqual(each.most + 1);
});
