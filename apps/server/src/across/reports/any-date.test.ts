import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankingCalls } from '@evenkeel/contract/banking';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import type { WorldCompany } from '../../testing/world.ts';

/**
 * Posts entries on each day from April 20 to June 9, 2026, and today. Half of each amount is in a bank account, and
 * half in an income account.
 */
const LINES = 40;
const FIRST = isoDate('2026-04-20');
const DAYS = 51;

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const { token } = company.administrator;
  const days = Array.from({ length: DAYS }, (_, day) => addDays(FIRST, day));
  for (const postingDate of [...days, todayIn('America/New_York')]) {
    const line = { description: 'Sale', postingDate, amount: 1 };
    const generalLedgerEntries = Array.from({ length: LINES / 2 }, () => [
      { ...line, accountID: CHECKING, debit: true },
      { ...line, accountID: SALES, debit: false },
    ]).flat();
    await t.call(ledgerCalls.postTransaction, { token, body: { generalLedgerEntries } });
  }
});
afterAll(() => t.close());

const run = (reportId: number, params: Record<string, string>): Promise<ReportData> =>
  t.call(reportCalls.runReport, {
    token: company.administrator.token,
    params: { reportId: String(reportId) },
    body: {
      reportParams: Object.entries(params).map(([paramName, paramvalue]) => ({ paramType: 3, paramName, paramvalue })),
    },
  });

const { trialBalance, balanceSheet, profitAndLoss, cashFlow } = reportKinds;
const asOf = { reportdate: '2026-05-17' };
const range = { startdate: '2026-04-25', ...asOf };
const kinds: [string, number, Record<string, string>][] = [
  ['trial balance', trialBalance.id, asOf],
  ['trial balance on the second-to-last day of a month', trialBalance.id, { reportdate: '2026-05-30' }],
  ['balance sheet', balanceSheet.id, asOf],
  ['balance sheet by month', balanceSheet.id, { ...asOf, compare: 'month' }],
  ['profit and loss report', profitAndLoss.id, range],
  ['profit and loss report for part of a month', profitAndLoss.id, { startdate: '2026-05-03', ...asOf }],
  ['profit and loss report by month', profitAndLoss.id, { ...range, compare: 'month' }],
  ['profit and loss report by profit center', profitAndLoss.id, { ...range, compare: 'profitcenter' }],
  ['cash flow report', cashFlow.id, range],
  ['cash flow report by month', cashFlow.id, { ...range, compare: 'month' }],
];

// Promise (speed): Financial reports, the chart of accounts, and the dashboard read no journal lines for their totals,
// regardless of the dates. [0 lines of 2,080]
test.each(kinds.flatMap((kind) => [0, 1].map((basis) => [...kind, basis] as const)))(
  'a %s (report %i, %j, basis %i) reads no journal lines for any date',
  async (_name, id, params, basis) => {
    const seen = await rowsRead(t.pool, { companyId: company.companyId, table: 'journal_line' }, () =>
      run(id, { ...params, basis: String(basis) }),
    );
    expect(seen.selects).toBeGreaterThan(2);
    expect(seen.rows).toBe(0);
  },
);

test('the chart of accounts, the bank accounts, and the dashboard read no journal lines', async () => {
  const { token } = company.administrator;
  const seen = await rowsRead(t.pool, { companyId: company.companyId, table: 'journal_line' }, async () => {
    await t.call(ledgerCalls.chartOfAccounts, { token });
    await t.call(bankingCalls.listBankingAccounts, { token });
    await t.call(dashboardCalls.getDashboard, { token });
  });
  expect(seen.selects).toBeGreaterThan(2);
  expect(seen.rows).toBe(0);
});

test('the test detects reads of journal lines: the journal report reads the lines for each day', async () => {
  const seen = await rowsRead(t.pool, { companyId: company.companyId, table: 'journal_line' }, () =>
    run(reportKinds.journal.id, { startdate: '2026-05-16', ...asOf }),
  );
  expect(seen.rows).toBeGreaterThanOrEqual(2 * LINES);
});
