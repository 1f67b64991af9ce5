import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { BANK_CHARGES, CHECKING, CREDIT_CARD, SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { type PageCell, pageRows } from '@evenkeel/core/reports/page';
import type { Report } from '@evenkeel/core/reports/report';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { moment } from '../../testing/moment.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { runReport } from './reports.ts';
import { amount, day, startHistory, type Step, step } from './testing/history.ts';

const RUNS = Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? 3));
/** The steps after the first four records. Those records can be changed, reversed, paid, and deleted. */
const STEPS = 5;

const kinds = Object.values<ReportKind>(reportKinds);
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
    key === 'through' || key === 'knownAt' ? undefined : value,
  );
}

async function allReports(company: WorldCompany, customerId: number, more: Params = {}): Promise<string[]> {
  const texts: string[] = [];
  for (const kind of kinds) {
    const params = { ...DATES, ...(kind.of === 'customer' ? { customerid: String(customerId) } : {}), ...more };
    for (const basis of ['0', '1']) texts.push(bytesOf(await run(company, kind, { ...params, basis })));
  }
  return texts;
}

// Promise (books): Every report as known at an earlier time equals the report that was run then, byte for byte, on both
// bases, even if documents, payments, budgets, or reconciliations changed later. [3 random histories, all reports]
test('reports as known at a time are byte-for-byte identical to those run at that time, on both bases', async () => {
  const first = fc.tuple(
    fc.record({ act: fc.constant('invoice' as const), day, amount, pick: fc.constant(0) }),
    fc.record({ act: fc.constant('bill' as const), day, amount, pick: fc.constant(0) }),
    fc.record({ act: fc.constant('pay' as const), day, amount, pick: fc.constant(0) }),
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
      const { customerId, play } = await startHistory(t, company);
      const then: { at: string; texts: string[] }[] = [];
      for (const each of steps) {
        if (!(await play(each))) continue;
        then.push({ at: await moment(), texts: await allReports(company, customerId) });
      }
      for (const { at, texts } of then) expect(await allReports(company, customerId, { knownat: at })).toEqual(texts);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // Thousands of reports take a minute on a busy machine.
}, 300_000);

test('the change since a given time is the difference in each row and the total of its transactions', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const { play } = await startHistory(t, company);
  const steps: Step[] = [
    { act: 'invoice', day: 60, amount: 50_000, pick: 0 },
    { act: 'entry', day: 10, amount: 700, debit: BANK_CHARGES, credit: CHECKING, basis: 'B' },
    { act: 'entry', day: 61, amount: 900, debit: CHECKING, credit: SALES, basis: 'B' },
  ];
  for (const each of steps) await play(each);
  const at = await moment();
  for (const each of [
    { act: 'reverse', day: 0, amount: 1, pick: 1 },
    { act: 'deleteInvoice', day: 0, amount: 1, pick: 0 },
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

/** Returns the sum of the lines in the columns with these titles, or in the last column. */
function sumOf(report: Report, columns: readonly string[] | undefined): number {
  const rows = pageRows(report);
  const titles =
    rows.find(({ look }) => look === 'heads')?.cells.map((cell) => ('text' in cell ? cell.text : '')) ?? [];
  const chosen = columns === undefined ? [titles.length - 1] : columns.map((title) => titles.indexOf(title));
  const lines = rows.filter(({ look }) => look === 'line');
  const amountAt = (cell: PageCell | undefined): number =>
    cell !== undefined && 'amount' in cell ? (cell.amount ?? 0) : 0;
  return lines.flatMap(({ cells }) => chosen.map((at) => amountAt(cells[at]))).reduce((all, one) => all + one, 0);
}

test('each amount in a report as known at a time is the total of its transactions or of its lines', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const { customerId, play } = await startHistory(t, company);
  const made = ['invoice', 'invoice', 'bill', 'pay', 'credit'] as const;
  for (const [pick, act] of made.entries()) expect(await play({ act, day: 60 + pick, amount: 9_900, pick })).toBe(true);
  await play({ act: 'entry', day: 61, amount: 900, debit: CHECKING, credit: SALES, basis: 'B' });
  const at = await moment();
  const later = ['changeInvoice', 'changePayment', 'deletePayment', 'deleteInvoice', 'changeBill', 'pay'] as const;
  for (const act of later) expect(await play({ act, day: 64, amount: 4_400, pick: 0 })).toBe(true);
  const counts = { transactions: 0, lines: 0 };
  for (const kind of kinds) {
    for (const basis of ['0', '1']) {
      const asked = { basis, knownat: at, ...(kind.of === 'customer' ? { customerid: String(customerId) } : {}) };
      const report = await run(company, kind, { ...DATES, ...asked });
      const cells = pageRows(report).flatMap(({ look, cells: all }) => (look === 'line' ? all : []));
      for (const cell of cells) {
        if (!('amount' in cell) || !cell.amount || cell.source?.transactionId !== undefined) continue;
        const { detail, transactionId: _, ...body } = cell.source ?? { accountIds: [] };
        if (detail !== undefined) {
          const { reportId: id, only, columns, knownAt } = detail;
          const range = { startdate: cell.source?.from ?? '2000-01-01', reportdate: cell.source?.to ?? '' };
          const params = { ...range, basis, only: `${only.by} ${only.id}`, knownat: knownAt ?? '' };
          const listed = await run(company, { id } as ReportKind, params);
          expect([kind.title, sumOf(listed, columns)]).toEqual([kind.title, cell.amount]);
          counts.lines += 1;
        } else if (body.accountIds.length > 0) {
          const posted = await t.call(ledgerCalls.postedItems, { token, body } as never);
          expect([kind.title, Math.abs(posted.amount)]).toEqual([kind.title, Math.abs(cell.amount)]);
          counts.transactions += 1;
        }
      }
    }
  }
  expect(Math.min(counts.transactions, counts.lines)).toBeGreaterThan(20);
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

test('a company that was upgraded can run reports on documents as of the upgrade or later', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const since = sql`update company set past_since = '2026-05-15T12:59:30Z' where company_id = ${company.companyId}`;
  await t.inCompany(company.companyId, (tx) => tx.rows(since));
  const params = { reportId: String(reportKinds.customerAging.id) };
  const of = (knownat: string) => ({ token, params, body: { reportParams: reportParamsOf({ ...DATES, knownat }) } });
  const refused = await t.refused(reportCalls.runReport, of('2026-05-15T08:59'));
  expect([refused.status, refused.fields]).toEqual([
    400,
    { knownat: "Customer Aging Report can't go back further than 5/15/2026 9:00 AM" },
  ]);
  await t.call(reportCalls.runReport, of('2026-05-15T09:00'));
  await t.call(reportCalls.runReport, { ...of('2026-05-14'), params: { reportId: String(reportKinds.journal.id) } });
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
