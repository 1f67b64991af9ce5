import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Budget, budgetCalls } from '@evenkeel/contract/budgets';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';

const RENT = 167;
const ADVERTISING = 150;

let t: TestApp;
let company: WorldCompany;
let north: number;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  north = await center('North');
  await post('2026-02-10', SALES, -1000);
  await post('2026-02-11', RENT, 300);
  await post('2025-02-12', SALES, -700);
  await post('2026-02-13', ADVERTISING, 20);
});
afterAll(() => t.close());

async function center(profitcentername: string): Promise<number> {
  const { token } = company.administrator;
  const body = { profitcenterid: 0, profitcentername };
  return (await t.call(ledgerCalls.createProfitCenter, { token, body })).profitcenterid;
}

/** Posts an amount to an account, with checking as the other side. A positive amount is a debit. */
async function post(postingDate: string, accountID: number, amount: number, profitCenterID?: number) {
  const line = (account: number, value: number) => ({
    accountID: account,
    debit: value > 0,
    amount: Math.abs(value),
    description: 'Entry',
    postingDate,
    ...(profitCenterID === undefined ? {} : { profitCenterID }),
  });
  const generalLedgerEntries = [line(accountID, amount), line(CHECKING, -amount)];
  await t.call(ledgerCalls.postTransaction, { token: company.administrator.token, body: { generalLedgerEntries } });
}

type Cell = [accountId: number, month: string, amount: number | null, was?: number | null];

const bodyOf = (year: number, cells: readonly Cell[], profitCenterId: number | null = null) => ({
  year,
  profitCenterId,
  cells: cells.map(([accountId, month, amount, was = null]) => ({ accountId, month: `${month}-01`, was, amount })),
});

const save = (year: number, cells: readonly Cell[], centerId: number | null = null, person?: Person): Promise<Budget> =>
  t.call(budgetCalls.saveBudget, {
    token: (person ?? company.administrator).token,
    body: bodyOf(year, cells, centerId),
  });
const refused = (year: number, cells: readonly Cell[], centerId: number | null = null, person?: Person) =>
  t.refused(budgetCalls.saveBudget, {
    token: (person ?? company.administrator).token,
    body: bodyOf(year, cells, centerId),
  });
const budget = (year: number, profitCenterId?: number, { token } = company.administrator): Promise<Budget> =>
  t.call(budgetCalls.getBudget, {
    token,
    query: { year: String(year), ...(profitCenterId === undefined ? {} : { profitCenterId: String(profitCenterId) }) },
  });
const rowOf = (of: Budget, accountId: number) => of.rows.find((row) => row.accountId === accountId);

test('a budget has every income and expense account with the actual amounts for both fiscal years', async () => {
  const found = await budget(2026);
  expect(found).toMatchObject({ year: 2026, name: '2026', profitCenterId: null, years: [] });
  expect([found.months[0], found.months[11]]).toEqual(['2026-01-01', '2026-12-01']);
  const sales = rowOf(found, SALES);
  expect([sales?.amounts.every((amount) => amount === null), sales?.isTotal]).toEqual([true, false]);
  expect([sales?.actuals[1], sales?.lastYear[1]]).toEqual([100_000, 70_000]);
  expect(rowOf(found, RENT)?.actuals[1]).toBe(30_000);
  expect(rowOf(found, CHECKING)).toBeUndefined();
  expect(found.rows.map(({ section }) => section)).toEqual(
    found.rows.map(({ section }) => section).toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
  );
});
const ORDER = ['Income', 'Cost of Goods Sold', 'Expenses', 'Other Income', 'Other Expenses'];

test('saved budget months are returned, zero differs from no budget, and null removes a month', async () => {
  const saved = await save(2024, [
    [SALES, '2024-01', 500],
    [SALES, '2024-02', 0],
    [RENT, '2024-01', 80],
  ]);
  expect(rowOf(saved, SALES)?.amounts.slice(0, 3)).toEqual([50_000, 0, null]);
  expect(await budget(2024)).toEqual(saved);
  expect(saved.years).toEqual([{ year: 2024, name: '2024' }]);
  const removed = await save(2024, [
    [SALES, '2024-01', null, 500],
    [SALES, '2024-02', null, 0],
    [RENT, '2024-01', null, 80],
  ]);
  expect(removed.years).toEqual([]);
});

test('changes by two users to different months of one budget are both saved', async () => {
  await save(2023, [[SALES, '2023-01', 100]]);
  const [first, second] = await Promise.all([
    save(2023, [[SALES, '2023-02', 200]]),
    save(2023, [[RENT, '2023-02', 50]]),
  ]);
  expect([rowOf(first, SALES)?.amounts[0], rowOf(second, SALES)?.amounts[0]]).toEqual([10_000, 10_000]);
  const both = await budget(2023);
  expect([rowOf(both, SALES)?.amounts[1], rowOf(both, RENT)?.amounts[1]]).toEqual([20_000, 5000]);
});

test('if two users change the same budget month, the second user sees the first amount and saves nothing', async () => {
  await save(2022, [[SALES, '2022-03', 100]]);
  await save(2022, [[SALES, '2022-03', 150, 100]]);
  const refusal = await refused(2022, [
    [SALES, '2022-03', 170, 100],
    [RENT, '2022-03', 20],
  ]);
  expect([refusal.status, refusal.code]).toEqual([409, 'stale']);
  const now = await budget(2022);
  expect([rowOf(now, SALES)?.amounts[2], rowOf(now, RENT)?.amounts[2]]).toEqual([15_000, null]);
  expect(rowOf(await save(2022, [[SALES, '2022-03', 170, 150]]), SALES)?.amounts[2]).toBe(17_000);
});

test('only one of two simultaneous requests that change the same budget month is saved', async () => {
  const all = await Promise.allSettled([11, 12, 13, 14].map((amount) => save(2021, [[RENT, '2021-01', amount]])));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [row] = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ rows: number }>`
      select count(*)::int as rows from budget_amount where company_id = ${COMPANY} and month = '2021-01-01'`),
  );
  expect(row?.rows).toBe(1);
});

test('a repeated budget save, or the same amount from another user, is not an error', async () => {
  const cells: Cell[] = [[RENT, '2020-01', 40]];
  await save(2020, cells);
  expect(rowOf(await save(2020, cells), RENT)?.amounts[0]).toBe(4000);
});

test('profit center budgets add up to the total, which can be changed only in those budgets', async () => {
  await save(2027, [[SALES, '2027-01', 100]], north);
  await save(2027, [[SALES, '2027-01', 40]], 0);
  await save(2027, [[RENT, '2027-01', 30]]);
  const all = await budget(2027);
  expect([rowOf(all, SALES)?.amounts[0], rowOf(all, SALES)?.isTotal]).toEqual([14_000, true]);
  expect([rowOf(all, RENT)?.amounts[0], rowOf(all, RENT)?.isTotal]).toEqual([3000, false]);
  expect(rowOf(await budget(2027, north), SALES)?.amounts[0]).toBe(10_000);
  expect(rowOf(await budget(2027, 0), RENT)?.amounts[0]).toBe(3000);
  const refusal = await refused(2027, [[SALES, '2027-01', 150, 140]]);
  expect([refusal.status, refusal.message]).toEqual([
    422,
    'Sales has a budget by profit center. Select a profit center to change it.',
  ]);
});

test('a budget with an invalid month, account, amount, or profit center is rejected', async () => {
  const messages = async (cells: Cell[], centerId: number | null = null) => {
    const { status, fields = {} } = await refused(2026, cells, centerId);
    return [status, Object.keys(fields)[0]];
  };
  expect(await messages([[SALES, '2027-01', 1]])).toEqual([422, 'cells.0.month']);
  expect(await messages([[CHECKING, '2026-01', 1]])).toEqual([422, 'cells.0.accountId']);
  expect(await messages([[SALES, '2026-01', 1.5]])).toEqual([422, 'cells.0.amount']);
  expect(
    await messages([
      [SALES, '2026-01', 1],
      [SALES, '2026-01', 2],
    ]),
  ).toEqual([422, 'cells.1.month']);
  expect(await messages([[SALES, '2026-01', 1]], 999_999)).toEqual([422, 'profitCenterId']);
  expect((await refused(1900, [[SALES, '1900-01', 1]])).status).toBe(400);
});

test('a user needs Manage Accounting to save a budget and View Accounting to see one', async () => {
  expect((await refused(2026, [[SALES, '2026-01', 1]], null, company.reader)).status).toBe(403);
  expect((await budget(2026, undefined, company.reader)).year).toBe(2026);
});

test('each budget save adds one audit log entry with only the changed months', async () => {
  await save(2019, [
    [SALES, '2019-01', 10],
    [SALES, '2019-02', 20],
  ]);
  await save(2019, [
    [SALES, '2019-01', 10, 10],
    [SALES, '2019-02', 25, 20],
  ]);
  const rows = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ title: string; before: unknown; after: unknown }>`
      select title, before, after from audit_log
      where company_id = ${COMPANY} and subject_type = 'budget' and subject_id = 2019 order by id desc limit 1`),
  );
  const cell = (amount: number) => [{ account: 'Sales', month: '2019-02-01', amount }];
  expect(rows).toMatchObject([{ title: '2019 Budget', before: { cells: cell(20) }, after: { cells: cell(25) } }]);
});

test("a company's budget is not visible to another company", async () => {
  const other = await t.createCompany();
  await save(2018, [[SALES, '2018-01', 10]]);
  expect((await budget(2018, undefined, other.administrator)).years).toEqual([]);
  const query = { year: '2018', profitCenterId: String(north) };
  const refusal = await t.refused(budgetCalls.getBudget, { token: other.administrator.token, query });
  expect(refusal.status).toBe(422);
});

test('a profit center with a budget is made inactive instead of deleted', async () => {
  const south = await center('South');
  await save(2017, [[SALES, '2017-01', 10]], south);
  const { token } = company.administrator;
  await t.call(ledgerCalls.deleteProfitCenter, { token, params: { profitcenterid: String(south) } });
  const all = await t.call(ledgerCalls.listProfitCenters, { token, query: { inactive: 'true' } });
  expect(all.find(({ profitcenterid }) => profitcenterid === south)?.active).toBe(false);
});

const report = (reportdate: string, params: Record<string, string | number> = {}) =>
  t.call(reportCalls.runReport, {
    token: company.administrator.token,
    params: { reportId: String(reportKinds.budgetAgainstActual.id) },
    body: {
      reportParams: Object.entries({ reportdate, ...params }).map(([paramName, paramvalue]) => {
        return { paramType: 3, paramName, paramvalue };
      }),
    },
  });

async function linesOf(reportdate: string, params: Record<string, string | number> = {}): Promise<string[]> {
  const { reportSections, reportSummaries } = await report(reportdate, params);
  const lines = reportSections.flatMap(({ reportBlocks, columnSummaryLines }) => [
    ...reportBlocks.flatMap((block) => block.reportLines.map((line) => line.lineItems.map((cell) => cell.itemText))),
    ...columnSummaryLines.map((line) => line.columnSummaryItems.map((cell) => cell.headerText)),
  ]);
  return [...lines, ...reportSummaries.map((one) => one.columnTotals?.map((cell) => cell.headerText) ?? [])].map(
    (each) => each.join(' | '),
  );
}

test('the budget report compares the month and year to date, with parentheses for unfavorable changes', async () => {
  await save(2026, [
    [SALES, '2026-01', 800],
    [SALES, '2026-02', 1200],
    [SALES, '2026-03', 5000],
    [RENT, '2026-02', 200],
  ]);
  expect(await linesOf('2026-02-15')).toEqual([
    'Sales | 1000.00 | 1200.00 | -200.00 | (16.7%) | 1000.00 | 2000.00 | -1000.00 | (50.0%)',
    'Total Income | 1000.00 | 1200.00 | -200.00 | (16.7%) | 1000.00 | 2000.00 | -1000.00 | (50.0%)',
    'Gross Profit | 1000.00 | 1200.00 | -200.00 | (16.7%) | 1000.00 | 2000.00 | -1000.00 | (50.0%)',
    'Advertising & Marketing | 20.00 | – | – | – | 20.00 | – | – | –',
    'Rent & Lease | 300.00 | 200.00 | -100.00 | (50.0%) | 300.00 | 200.00 | -100.00 | (50.0%)',
    'Total Expenses | 320.00 | 200.00 | -120.00 | (60.0%) | 320.00 | 200.00 | -120.00 | (60.0%)',
    'Net Operating Income | 680.00 | 1000.00 | -320.00 | (32.0%) | 680.00 | 1800.00 | -1120.00 | (62.2%)',
    'Net Income | 680.00 | 1000.00 | -320.00 | (32.0%) | 680.00 | 1800.00 | -1120.00 | (62.2%)',
  ]);
});

test("actual amounts in the budget report link to their accounts and dates, and budget amounts don't", async () => {
  const { reportSections } = await report('2026-02-15');
  const cells = reportSections.flatMap((part) => part.reportBlocks)[0]?.reportLines[0]?.lineItems ?? [];
  const dates = cells.map(({ source }) => source && [source.accountIds, source.from, source.to]);
  expect(dates.filter((each) => each !== undefined)).toEqual([
    [[SALES], '2026-02-01', '2026-02-28'],
    [[SALES], '2026-01-01', '2026-02-28'],
  ]);
});

test('the budget report for a profit center has only its budget and entries', async () => {
  await post('2027-01-05', SALES, -90, north);
  const [sales] = await linesOf('2027-01-31', { profitcenterid: north });
  expect(sales).toBe('Sales | 90.00 | 100.00 | -10.00 | (10.0%) | 90.00 | 100.00 | -10.00 | (10.0%)');
});

test("the revenue card's target is the budgeted income unless a user sets a target", async () => {
  const { token } = company.administrator;
  const target = async (periodType: number) => {
    const reportParams = [
      { paramType: 1, paramName: 'reportdate', paramvalue: '2026-02-15' },
      { paramType: 3, paramName: 'periodType', paramvalue: periodType },
    ];
    return (await t.call(dashboardCalls.revenue, { token, body: { reportParams } })).target;
  };
  expect(await target(0)).toEqual({ periodType: 0, amount: 120_000, computed: true, budgeted: true });
  // The year contains months without a budget.
  expect((await target(1))?.budgeted).toBeUndefined();
  await t.call(dashboardCalls.saveTargets, { token, body: [{ periodType: 0, amount: 900 }] });
  expect(await target(0)).toEqual({ periodType: 0, amount: 90_000, computed: false });
});

test('a fiscal year that starts in July keeps the months of its budget', async () => {
  const other = await t.createCompany();
  const { token } = other.administrator;
  const body = bodyOf(2026, [
    [SALES, '2026-07', 70],
    [SALES, '2026-12', 10],
  ]);
  await t.call(budgetCalls.saveBudget, { token, body });
  await t.call(budgetCalls.saveBudget, { token, body: bodyOf(2027, [[SALES, '2027-01', 30]]) });
  await t.inCompany(other.companyId, (tx) =>
    tx.rows(
      sql`update setting set setting_value = '7' where company_id = ${COMPANY} and setting_name = 'fyStartMonth'`,
    ),
  );
  const found = await budget(2026, undefined, other.administrator);
  expect([found.name, found.years.map(({ name }) => name)]).toEqual(['2026–2027', ['2026–2027']]);
  expect(rowOf(found, SALES)?.amounts.slice(0, 7)).toEqual([7000, null, null, null, null, 1000, 3000]);
});
