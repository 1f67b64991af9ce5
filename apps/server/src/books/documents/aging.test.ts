import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { openClient } from '../../platform/db/connect.ts';
import { within } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { selectAging } from './aging.sql.ts';

let t: TestApp;
let owner: pg.Client;
beforeAll(async () => {
  t = await startTestApp();
  owner = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const FIRST = isoDate('2026-01-01');
const DAYS = [0, 20, 45, 60, 75, 100, 130, 365].map((days) => addDays(FIRST, days));

/**
 * Returns a side's aging report for each date. Checks that the report for each single customer or vendor equals the
 * matching row of the full report.
 */
function agedOf(companyId: number, side: Side) {
  return within(owner, companyId, async (tx) => {
    const aged = [];
    for (const day of DAYS) {
      const rows = await tx.rows(selectAging(side, day));
      for (const row of rows) {
        if (row.entityId !== null)
          expect(await tx.rows(selectAging(side, day, { entityId: row.entityId }))).toEqual([row]);
      }
      aged.push([day, rows] as const);
    }
    return aged;
  });
}

/** Statements that change all receivables to payables. They run while triggers are disabled. */
const MIRRORED = [
  `update document set side = 'payable', kind = 'expense'`,
  `update payment set side = 'payable'`,
  `update payment_application set side = 'payable'`,
  `update journal_line set account_id = 139, amount_cents = -amount_cents where account_id = 138`,
];

async function makeBooks(company: WorldCompany, events: readonly Event[]): Promise<void> {
  const factory = factoryFor(t, company);
  const customers = [await factory.customer('North'), await factory.customer('south')];
  for (const { kind, day, customer, dollars } of events) {
    const customerId = customers[customer] ?? 0;
    const date = addDays(FIRST, day);
    const dueDate = addDays(date, dollars % 40);
    if (kind === 'invoice') await factory.invoice({ customerId, amount: dollars, invoiceDate: date, dueDate });
    if (kind === 'payment') await factory.payment({ customerId, paymentAmount: dollars, paymentDate: date });
    if (kind === 'journal') {
      const line = { description: 'Opening', postingDate: date, amount: dollars };
      const entries = [138, 140].map((accountID) => ({
        ...line,
        accountID,
        debit: (accountID === 138) === dollars > 90,
      }));
      const body = { generalLedgerEntries: entries };
      await t.call(ledgerCalls.postTransaction, { token: company.administrator.token, body });
    }
  }
}

const event = fc.record({
  kind: fc.constantFrom('invoice', 'invoice', 'payment', 'journal'),
  day: fc.integer({ min: 0, max: 100 }),
  customer: fc.integer({ min: 0, max: 1 }),
  dollars: fc.integer({ min: 1, max: 500 }),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** Invoices that are overdue, paid late, or overpaid, and journal entries on both sides of the account. */
const EXAMPLE: Event[] = [
  { kind: 'invoice', day: 0, customer: 0, dollars: 100 },
  { kind: 'invoice', day: 50, customer: 1, dollars: 39 },
  { kind: 'payment', day: 70, customer: 0, dollars: 130 },
  { kind: 'journal', day: 10, customer: 0, dollars: 91 },
  { kind: 'journal', day: 72, customer: 0, dollars: 7 },
];

it('on every date, random payables age like the receivables that they copy, and no receivables remain', async () => {
  let seen = 0;
  const property = fc.asyncProperty(fc.array(event, { minLength: 8, maxLength: 14 }), async (events) => {
    const company = await t.createCompany();
    const { companyId } = company;
    await makeBooks(company, events);
    await owner.query(`begin; set local session_replication_role = replica; set local app.company_id = '${companyId}'`);
    try {
      const receivable = await agedOf(companyId, RECEIVABLE);
      const none = await agedOf(companyId, PAYABLE);
      expect(none.flatMap(([, rows]) => rows)).toEqual([]);
      for (const change of MIRRORED) {
        await owner.query(`${change}${change.includes(' where ') ? ' and' : ' where'} company_id = ${companyId}`);
      }
      expect(await agedOf(companyId, PAYABLE)).toEqual(receivable);
      expect(await agedOf(companyId, RECEIVABLE)).toEqual(none);
      seen += receivable.flatMap(([, rows]) => rows).length;
    } finally {
      await owner.query('rollback');
    }
  });
  const numRuns = Number(process.env['TORTURE_RUNS'] ?? 3);
  await fc.assert(property, { numRuns, examples: [[EXAMPLE]], endOnFailure: true });
  expect(seen).toBeGreaterThan(0);
});
