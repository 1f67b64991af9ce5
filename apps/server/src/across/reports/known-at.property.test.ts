import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { BANK_CHARGES, CHECKING, CREDIT_CARD, SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { pageRows } from '@evenkeel/core/reports/page';
import type { Report } from '@evenkeel/core/reports/report';
import { post } from '../../books/ledger/journal.ts';
import { entry, posting } from '../../books/ledger/testing/books.ts';
import { now } from '../../platform/clock.ts';
import { inCompany } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { runReport } from './reports.ts';

const RUNS = Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? 3));
/** The steps after the first three records. Those records can be reversed, paid, and deleted. */
const STEPS = 5;

const kinds = Object.values<ReportKind>(reportKinds);
const known = kinds.filter(({ isKnown }) => isKnown === true);
const DATES = { startdate: '2025-12-15', reportdate: '2026-02-10' };

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

type Params = Record<string, string>;

const reportParamsOf = (params: Params) =>
  Object.entries(params).map(([paramName, paramvalue]) => ({ paramType: 3, paramName, paramvalue }));

const run = (company: WorldCompany, { id }: ReportKind, params: Params): Promise<Report> =>
  t.withCtx(company.administrator, (ctx) => runReport(ctx, id, { reportParams: reportParamsOf(params) }));

/** Returns the report as text, without the line about the date and time, and without the limits in its sources. */
function bytesOf(report: Report): string {
  const reportHeaderItems = report.reportHeaderItems.filter(({ headerText }) => !headerText.startsWith('As known at'));
  return JSON.stringify({ ...report, reportHeaderItems }, (key, value: unknown) =>
    key === 'through' ? undefined : value,
  );
}

async function allReports(company: WorldCompany, more: Params = {}): Promise<string[]> {
  const texts: string[] = [];
  for (const kind of known) {
    for (const basis of ['0', '1']) texts.push(bytesOf(await run(company, kind, { ...DATES, basis, ...more })));
  }
  return texts;
}

/** Most of the days are in the range of the reports, and some are before or after the range. */
const day = fc.integer({ min: 30, max: 110 });
const amount = fc.integer({ min: 1, max: 99_999 });
const account = fc.constantFrom(CHECKING, CREDIT_CARD, SALES, SERVICE_INCOME, BANK_CHARGES);
const step = fc.oneof(
  fc.record({
    act: fc.constant('entry' as const),
    day,
    amount,
    debit: account,
    credit: account,
    basis: fc.constantFrom('A' as const, 'B' as const, 'C' as const),
  }),
  fc.record({
    act: fc.constantFrom(...(['reverse', 'reverse', 'delete', 'delete', 'invoice', 'bill', 'pay'] as const)),
    day,
    amount,
    pick: fc.nat(9),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Replays a history in a new company. */
async function historyOf(company: WorldCompany) {
  const { token } = company.bookkeeper;
  const make = factoryFor(t, company);
  const [customerId, vendorId] = [await make.customer(), await make.vendor()];
  const journals: { id: number; postingDate: string }[] = [];
  const invoices: number[] = [];
  const bills: number[] = [];
  const date = (days: number) => addDays(isoDate('2025-11-01'), days);
  const chosen = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)];
  return async (each: Step): Promise<void> => {
    if (each.act === 'entry') {
      const entries = [entry(each.debit, each.amount), entry(each.credit, -each.amount)];
      const postings = [
        posting(
          date(each.day),
          entries.map((one) => ({ ...one, basis: each.basis })),
        ),
      ];
      const request = { source: { type: 'journal' as const, id: 0 }, postings };
      const [posted] = await inCompany(t.pool, company.companyId, (tx) =>
        post({ tx, userId: company.bookkeeper.userId }, [request]),
      );
      const [transaction] = posted?.transactions ?? [];
      if (transaction !== undefined) journals.push({ id: transaction.id, postingDate: transaction.postingDate });
      return;
    }
    const cash = cents(each.amount) / 100;
    if (each.act === 'reverse') {
      const one = chosen(journals, each.pick);
      if (one === undefined) return;
      journals.splice(journals.indexOf(one), 1);
      // Half of the reversals are on the same day, so that reports hide the pair.
      const postingDate = each.day % 2 === 0 ? one.postingDate : date(120);
      await t.call(ledgerCalls.reverseTransaction, {
        token,
        params: { transactionId: String(one.id) },
        body: { postingDate: isoDate(postingDate) },
      } as never);
    } else if (each.act === 'invoice') {
      invoices.push((await make.invoice({ customerId, invoiceDate: date(each.day), amount: cash })).id);
    } else if (each.act === 'bill') {
      bills.push((await make.bill({ vendorId, invoiceDate: date(each.day), amount: cash })).id);
    } else if (each.act === 'pay') {
      const invoiceId = chosen(invoices, each.pick);
      if (invoiceId !== undefined) invoices.splice(invoices.indexOf(invoiceId), 1);
      const paymentApplications = invoiceId === undefined ? [] : [{ invoiceId, amount: 0.01 }];
      await make.payment({ customerId, paymentDate: date(each.day), paymentAmount: cash, paymentApplications });
    } else {
      const invoice = chosen(invoices, each.pick);
      const bill = chosen(bills, each.pick);
      if (invoice !== undefined) {
        invoices.splice(invoices.indexOf(invoice), 1);
        await t.call(billingCalls.deleteInvoice, { token, params: { id: invoice } } as never);
      } else if (bill !== undefined) {
        bills.splice(bills.indexOf(bill), 1);
        await t.call(expenseCalls.deleteExpense, { token, params: { id: bill } } as never);
      }
    }
  };
}

test('reports as known at a time are byte-for-byte identical to those run at that time, on both bases', async () => {
  const first = fc.tuple(
    fc.record({ act: fc.constant('invoice' as const), day, amount, pick: fc.constant(0) }),
    fc.record({ act: fc.constant('bill' as const), day, amount, pick: fc.constant(0) }),
    fc.record({
      act: fc.constant('entry' as const),
      day,
      amount,
      debit: fc.constant(CHECKING),
      credit: fc.constant(SERVICE_INCOME),
      basis: fc.constant('B' as const),
    }),
  );
  const later = fc.array(step, { minLength: STEPS, maxLength: STEPS });
  const history = fc.tuple(first, later).map((both): Step[] => both.flat());
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const company = await t.createCompany();
      const play = await historyOf(company);
      const then: { at: string; texts: string[] }[] = [];
      for (const each of steps) {
        await play(each);
        then.push({ at: now().toISOString(), texts: await allReports(company) });
        await setTimeout(2);
      }
      for (const { at, texts } of then) expect(await allReports(company, { knownat: at })).toEqual(texts);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test('the change since a given time is the difference in each row and the total of its transactions', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const play = await historyOf(company);
  const steps: Step[] = [
    { act: 'invoice', day: 60, amount: 50_000, pick: 0 },
    { act: 'entry', day: 10, amount: 700, debit: BANK_CHARGES, credit: CHECKING, basis: 'B' },
    { act: 'entry', day: 61, amount: 900, debit: CHECKING, credit: SALES, basis: 'B' },
  ];
  for (const each of steps) await play(each);
  const at = now().toISOString();
  await setTimeout(2);
  for (const each of [
    { act: 'reverse', day: 0, amount: 1, pick: 1 },
    { act: 'delete', day: 0, amount: 1, pick: 0 },
    { act: 'entry', day: 12, amount: 300, debit: BANK_CHARGES, credit: CREDIT_CARD, basis: 'B' },
  ] satisfies Step[]) {
    await play(each);
  }
  for (const kind of [reportKinds.balanceSheet, reportKinds.profitAndLoss]) {
    const report = await run(company, kind, { ...DATES, knownat: at, compare: 'now' });
    let changes = 0;
    for (const { cells } of pageRows(report)) {
      const [was, is, change] = cells.slice(1).map((cell) => ('amount' in cell ? cell : undefined));
      if (typeof was?.amount !== 'number' || typeof is?.amount !== 'number' || typeof change?.amount !== 'number')
        continue;
      expect(is.amount - was.amount).toBe(change.amount);
      if (change.amount === 0 || change.source === undefined || change.source.accountIds.length === 0) continue;
      const { accountIds, from, to, basis, profitCenterId, locationId, earningsBefore, since } = change.source;
      const body = { accountIds, from, to, basis, profitCenterId, locationId, earningsBefore, since };
      const { amount: moved, items } = await t.call(ledgerCalls.postedItems, { token, body });
      expect(Math.abs(moved)).toBe(Math.abs(change.amount));
      expect(items.reduce((all, item) => all + item.amount, 0)).toBe(moved);
      expect(items.every(({ person, at: time }) => person !== '' && time !== null)).toBe(true);
      changes += 1;
    }
    expect(changes).toBeGreaterThan(1);
  }
});

test("a date means the end of the day, and a time is in the company's time zone, as the heading says", async () => {
  const company = await t.createCompany();
  const headings = async (knownat: string) =>
    (await run(company, reportKinds.trialBalance, { ...DATES, knownat })).reportHeaderItems.map(
      (each) => each.headerText,
    );
  expect(await headings('2026-05-15')).toContain('As known at the end of 5/15/2026');
  expect(await headings('2026-05-15T09:00')).toContain('As known at 5/15/2026 9:00 AM');
  expect(await headings('2026-05-15T13:00:00.000Z')).toContain('As known at 5/15/2026 9:00 AM');
});

test.each(kinds.filter(({ isKnown }) => isKnown !== true))("$title can't exclude later entries", async (kind) => {
  const { token } = t.world.company.administrator;
  const reportParams = reportParamsOf({ ...DATES, knownat: '2026-01-31' });
  const body = { reportParams: reportParams.map((each) => ({ ...each, paramType: 3 })) };
  const refused = await t.refused(reportCalls.runReport, { token, params: { reportId: String(kind.id) }, body });
  expect([refused.status, refused.fields]).toEqual([400, { knownat: `${kind.title} can't exclude later entries` }]);
});

test.each(['yesterday', '2026-02-30', '2026-05-15T25:00'])(
  'a report as known at the time %j is rejected',
  async (knownat) => {
    const { token } = t.world.company.administrator;
    const body = { reportParams: reportParamsOf({ ...DATES, knownat }) };
    const refused = await t.refused(reportCalls.runReport, { token, params: { reportId: '3' }, body });
    expect([refused.status, Object.keys(refused.fields ?? {})]).toEqual([400, ['knownat']]);
  },
);
