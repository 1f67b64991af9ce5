import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls, customerPaymentCalls, invoiceCalls } from '@evenkeel/contract/billing';
import { creditCalls } from '@evenkeel/contract/credits';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { entityCalls } from '@evenkeel/contract/entities';
import { billCalls, billPaymentCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, sum } from '@evenkeel/core/money';
import { todayIn } from '../../platform/clock.ts';
import { createDemo } from '../../app/demo/demo.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 3);
const TODAY = todayIn('America/New_York');

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/**
 * A list as the web app reads it: its rows, and the totals that the server calculates for the whole list and its parts.
 */
interface Listed<Row> {
  rows: readonly Row[];
  sums: Readonly<Record<string, Cents>>;
  parts: Readonly<Record<string, { count: number; amount: Cents }>>;
}

/** A full list or one page. */
type Answer<Row> =
  | readonly Row[]
  | { items: readonly Row[]; sums?: Listed<Row>['sums'] | undefined; parts?: Listed<Row>['parts'] | undefined };

async function listed<Row>(ask: (page: { limit?: string }) => Promise<Answer<Row>>): Promise<Listed<Row>> {
  const [whole, first] = await Promise.all([ask({}), ask({ limit: '1' })]);
  if (!('length' in whole) || 'length' in first)
    throw new Error('expected a full list without a limit and a page with one');
  return { rows: whole, sums: first.sums ?? {}, parts: first.parts ?? {} };
}

type Status = 'open' | 'paid' | 'all' | 'overdue' | 'draft' | 'hold';

/** The list endpoints, card, reports, and control account for each side. */
const SIDES = {
  receivable: {
    documents: (token: string, status: Status) =>
      listed((page) => t.call(invoiceCalls.list, { token, query: { ...page, status } })),
    payments: (token: string) => listed((page) => t.call(customerPaymentCalls.list, { token, query: page })),
    entities: (token: string, inactive: boolean) =>
      listed((page) => t.call(entityCalls.listCustomers, { token, query: { ...page, ...withInactive(inactive) } })),
    card: dashboardCalls.incomingMoney,
    reports: ['7', '104'],
    control: { id: 138, sign: 1 },
  },
  payable: {
    documents: (token: string, status: Status) =>
      listed((page) => t.call(billCalls.list, { token, query: { ...page, status } })),
    payments: (token: string) => listed((page) => t.call(billPaymentCalls.list, { token, query: page })),
    entities: (token: string, inactive: boolean) =>
      listed((page) => t.call(entityCalls.listVendors, { token, query: { ...page, ...withInactive(inactive) } })),
    card: dashboardCalls.outgoingMoney,
    reports: ['108', '17', '110'],
    control: { id: 139, sign: -1 },
  },
} as const;
type Side = (typeof SIDES)[keyof typeof SIDES];

const withInactive = (inactive: boolean) => (inactive ? { inactive: 'true' as const } : {});
const total = (amounts: readonly (Cents | undefined)[]): Cents => sum(amounts.flatMap((amount) => amount ?? []));
const onDay = (date: IsoDate) => [{ paramType: 1, paramName: 'reportdate', paramvalue: date }];

/**
 * Returns the amount owed on a side. Checks that it equals the card, each report, and today's balance of the control
 * account.
 */
async function owedBy(token: string, { card, reports, control }: Side) {
  const reportParams = [...onDay(TODAY), { paramType: 3, paramName: 'basis', paramvalue: 0 }];
  const money = await t.call(card, { token, body: { reportParams } });
  for (const reportId of reports) {
    const answer = await t.call(reportCalls.runReport, { token, params: { reportId }, body: { reportParams } });
    expect([reportId, answer.reportSections[0]?.total ?? 0]).toEqual([reportId, money.totalAmount]);
  }
  const chart = await t.call(ledgerCalls.chartOfAccounts, { token });
  const account = chart.find(({ customerAccountID }) => customerAccountID === control.id);
  const late = total([money.thirtyAmount, money.sixtyAmount, money.ninetyAmount]);
  return { owed: money.totalAmount, late, balance: account?.balance };
}

/**
 * Checks that the total of a list, together with the differences shown on its screen, equals the amount owed or
 * overdue.
 */
async function compareDocuments(token: string, side: Side, { owed, late }: { owed: Cents; late: Cents }) {
  const open = await side.documents(token, 'open');
  const { sums, parts } = open;
  expect(total(open.rows.map((row) => row.openAmount))).toBe(sums['openAmount']);
  expect(total(open.rows.map((row) => row.invoiceAmount))).toBe(sums['invoiceAmount']);
  const { openAmount, creditAmount, unappliedAmount, journalAmount, laterAmount } = sums;
  expect(sums['owedAmount']).toBe(owed);
  expect(total([openAmount, creditAmount, unappliedAmount, journalAmount, laterAmount])).toBe(owed);

  const overdue = await side.documents(token, 'overdue');
  const lateRows = open.rows.filter((row) => row.daysOverdue > 0);
  expect(parts['overdue']).toEqual({ count: lateRows.length, amount: total(lateRows.map((row) => row.openAmount)) });
  expect([overdue.rows.length, overdue.sums['openAmount']]).toEqual([lateRows.length, parts['overdue']?.amount]);
  expect(total([overdue.sums['openAmount'], overdue.sums['otherLateAmount']])).toBe(late);
  expect(overdue.sums['lateAmount']).toBe(late);

  for (const [status, amount] of [
    ['draft', 'invoiceAmount'],
    ['hold', 'openAmount'],
  ] as const) {
    const part = await side.documents(token, status);
    const found = total(part.rows.map((row) => row[amount]));
    expect([status, part.sums[amount], parts[status]]).toEqual([
      status,
      found,
      { count: part.rows.length, amount: found },
    ]);
  }

  const [paid, all] = [await side.documents(token, 'paid'), await side.documents(token, 'all')];
  for (const { rows, sums: of } of [paid, all]) {
    expect(total(rows.map((row) => row.invoiceAmount))).toBe(of['invoiceAmount']);
  }
  expect([paid.sums['openAmount'], all.sums['openAmount']]).toEqual([0, openAmount]);
  const { invoiceAmount: unpaid, draftAmount } = sums;
  const apart = total([unpaid, paid.sums['invoiceAmount'], all.sums['voidAmount']]);
  // Void documents are neither open nor paid.
  expect([all.sums['draftAmount'], all.sums['invoiceAmount']]).toEqual([draftAmount, apart]);

  const payments = await side.payments(token);
  expect(total(payments.rows.map((row) => row.paymentAmount))).toBe(payments.sums['paymentAmount']);
  expect(total(payments.rows.map((row) => row.unappliedAmount))).toBe(payments.sums['unappliedAmount']);
  expect(total([payments.sums['unappliedAmount'], unappliedAmount])).toBe(0);
}

/**
 * Checks that the totals in the Customers and Vendors lists, together with the differences shown below the lists, equal
 * the amount owed, with and without inactive records.
 */
async function compareEntities(token: string, side: Side, owed: Cents) {
  const [active, all] = [await side.entities(token, false), await side.entities(token, true)];
  for (const { rows, sums } of [active, all]) {
    expect(total(rows.map((row) => row.currentbalance))).toBe(sums['currentbalance']);
    const { currentbalance, inactiveAmount, journalAmount, laterAmount } = sums;
    expect(total([currentbalance, inactiveAmount, journalAmount, laterAmount])).toBe(owed);
    expect(sums['owedAmount']).toBe(owed);
  }
  expect(total([active.sums['currentbalance'], active.sums['inactiveAmount']])).toBe(all.sums['currentbalance']);
}

/** Returns the credit memos in a date range and their tax, as negative amounts. */
async function creditedIn(token: string, from: IsoDate, to: IsoDate): Promise<Cents> {
  const { rows } = await listed((query) => t.call(creditCalls.listCredits, { token, query }));
  const posted = rows.filter(
    ({ badge, invoiceDate: day }) => badge !== 'Draft' && badge !== 'Void' && day >= from && day <= to,
  );
  return total(posted.flatMap(({ invoiceAmount, salesTaxAmount }) => [invoiceAmount, salesTaxAmount]));
}

/**
 * Checks that the invoices and credit memos in a date range, less the amounts in the list's note, equal the sales for
 * that range.
 */
async function compareHistory(token: string, from: IsoDate, to: IsoDate) {
  const body = { fromDate: from, toDate: to };
  const { rows, sums } = await listed((query) => t.call(billingCalls.invoiceHistory, { token, query, body }));
  expect(total(rows.map((row) => row.invoiceAmount))).toBe(sums['invoiceAmount']);
  const unsold = rows.filter(({ badge }) => badge === 'Draft' || badge === 'Void');
  expect(total([sums['draftAmount'], sums['voidAmount']])).toBe(total(unsold.map((row) => row.invoiceAmount)));
  const tax = total(rows.filter((row) => !unsold.includes(row)).map((row) => row.salesTaxAmount));
  const dates = [{ paramType: 1, paramName: 'startdate', paramvalue: from }, ...onDay(to)];
  const report = { params: { reportId: '106' }, body: { reportParams: dates } };
  const [sales] = (await t.call(reportCalls.runReport, { token, ...report })).reportSections;
  const sold = total([sums['invoiceAmount']]) - total([sums['draftAmount'], sums['voidAmount']]) - tax;
  expect(sold + (await creditedIn(token, from, to))).toBe(sales?.total ?? 0);
}

async function compareBooks(token: string) {
  for (const side of Object.values(SIDES)) {
    const { owed, late, balance } = await owedBy(token, side);
    expect(balance).toBe(owed);
    await compareDocuments(token, side, { owed, late });
    await compareEntities(token, side, owed);
  }
  await compareHistory(token, addDays(TODAY, -400), addDays(TODAY, -31));
  await compareHistory(token, addDays(TODAY, -30), TODAY);
}

const event = fc.record({
  kind: fc.constantFrom('invoice', 'invoice', 'payment', 'bill', 'bill', 'bill payment', 'journal'),
  day: fc.integer({ min: -120, max: 20 }),
  due: fc.option(fc.integer({ min: 0, max: 60 })),
  dollars: fc.integer({ min: 1, max: 900 }),
  who: fc.integer({ min: 0, max: 1 }),
  status: fc.constantFrom(1, 2, 3, 4, 5),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

async function makeBooks(company: WorldCompany, events: readonly Event[]): Promise<void> {
  const factory = factoryFor(t, company);
  const customers = [await factory.customer('North'), await factory.customer('South')];
  const vendors = [await factory.vendor('East'), await factory.vendor('West')];
  for (const { kind, day, due, dollars, who, status } of events) {
    const date = addDays(TODAY, day);
    const [customerId, vendorId] = [customers[who] ?? 0, vendors[who] ?? 0];
    const dueDate = due === null ? null : addDays(date, due);
    if (kind === 'invoice') {
      const body = { customerId, amount: dollars, invoiceDate: date, dueDate, arBillingStatus: status };
      await factory.invoice(body);
    }
    if (kind === 'payment') await factory.payment({ customerId, paymentAmount: dollars, paymentDate: date });
    if (kind === 'bill') {
      const [amount, later] = [dollars % 3 === 0 ? -dollars : dollars, dollars % 4 === 0 ? 12 : 0];
      await factory.bill({ vendorId, amount, invoiceDate: date, dueDate, postingDate: addDays(date, later) });
    }
    if (kind === 'bill payment') await factory.billPayment({ vendorId, paymentAmount: dollars, paymentDate: date });
    if (kind !== 'journal') continue;
    const line = { description: 'Random', postingDate: date, amount: dollars };
    const generalLedgerEntries = [
      { ...line, accountID: who === 0 ? 138 : 167, debit: true },
      { ...line, accountID: who === 0 ? 140 : 139, debit: false },
    ];
    await t.call(ledgerCalls.postTransaction, { token: company.administrator.token, body: { generalLedgerEntries } });
  }
  // Makes one customer and one vendor inactive while they have a balance.
  const gone = [customers[1] ?? 0, vendors[1] ?? 0];
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update entity set deleted = true where company_id = ${company.companyId} and id = any(${gone})`),
  );
}

it('in random books, each list total matches its report and card or the differences are shown', async () => {
  const property = fc.asyncProperty(fc.array(event, { minLength: 16, maxLength: 30 }), async (events) => {
    const company = await t.createCompany();
    await makeBooks(company, events);
    await compareBooks(company.administrator.token);
  });
  await fc.assert(property, { numRuns: RUNS });
});

it('in the demo company, each list total matches its report and card or the differences are shown', async () => {
  const { email, password } = await createDemo(t.services, TODAY);
  const { token } = await t.login(email, password);
  await compareBooks(await t.call(authCalls.updateUserTerms, { token, body: { termsAccepted: true } }));
});
