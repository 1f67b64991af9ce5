import type { ReportData } from '@evenkeel/contract/reports';
import { AP, AR, masterAccount, SALES_TAX_PAYABLE, UNAPPLIED_CASH_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, endOfMonth, formatMonth, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { cents, type Cents, fromPlain, sum, ZERO } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { type PageRow, pageRows } from '@evenkeel/core/reports/page';
import { expect } from 'vitest';
import type { HttpBooks } from './http-books.ts';
import type { Movement } from './judges.ts';

const { profitAndLoss, balanceSheet, trialBalance, generalLedger, journal, cashFlow } = reportKinds;
const { customerAging, customerAgingDetail, customerBalances } = reportKinds;
const { vendorAging, unpaidBills, vendorBalances } = reportKinds;
const { salesByCustomer, salesByProduct, salesByCategory, salesByMonth } = reportKinds;
const { salesByCustomerDetail, salesByProductDetail } = reportKinds;
const { salesTaxLiability } = reportKinds;
const { expensesByVendor, expensesByVendorDetail, expensesByCategory } = reportKinds;

interface Asked {
  first: IsoDate;
  last: IsoDate;
  basis: ReportBasis;
}

const wired = (basis: ReportBasis): number => (basis === 'cash' ? 1 : 0);
const amountsOf = ({ cells }: PageRow): Cents[] =>
  cells.flatMap((cell) => ('amount' in cell ? [cell.amount ?? ZERO] : []));
const wordsOf = ({ cells: [first] }: PageRow): string => (first !== undefined && 'text' in first ? first.text : '');
const lastRow = (report: ReportData): Cents[] =>
  amountsOf(pageRows(report).at(-1) ?? { key: '', look: 'line', cells: [] });

/**
 * Returns income and expenses by account and month ("140 2026-03-31"). Credits are positive for income, debits are
 * positive for expenses, and zeros are omitted.
 */
export function monthsOf(movements: readonly Movement[]): Map<string, Cents> {
  const earned = movements.flatMap(({ accountId, month, amount }): [string, Cents][] => {
    const root = masterAccount(accountId)?.root;
    if (amount === 0 || (root !== 'Income' && root !== 'Expense')) return [];
    return [[`${accountId} ${formatMonth(month)}`, root === 'Income' ? cents(-amount) : amount]];
  });
  return new Map(earned);
}

/** Returns movements from the columns of the Profit & Loss Statement by month. */
export async function monthColumns(http: HttpBooks, { first, last, basis }: Asked): Promise<Map<string, Cents>> {
  const params = { startdate: first, reportdate: last, basis: wired(basis), compare: 'month' };
  const report = await http.run(profitAndLoss.id, params);
  const months = report.reportSections[0]?.columnHeaders.map((head) => head.headerText) ?? [];
  const earned = report.reportSections.flatMap(({ reportBlocks }) =>
    reportBlocks.flatMap(({ reportLines }) =>
      reportLines.flatMap(({ lineItems }) =>
        lineItems.flatMap(({ itemText, source }, at): [string, Cents][] => {
          const isMonth = at > 0 && at < months.length - 1 && Number(itemText) !== 0;
          return isMonth ? [[`${source?.accountIds[0] ?? 0} ${months[at] ?? ''}`, fromPlain(itemText)]] : [];
        }),
      ),
    ),
  );
  return new Map(earned);
}

/** Expects all reports to agree with one another. */
export async function agreeWithOneAnother(
  http: HttpBooks,
  { ends, basis }: { ends: readonly IsoDate[]; basis: ReportBasis },
): Promise<void> {
  const last = ends.at(-1);
  if (last === undefined) throw new Error('the company has no month ends');
  const first = startOfMonth(ends[0] ?? last);
  const range = { startdate: first, reportdate: last, basis: wired(basis) };
  const run: RunReport = (id, params) => http.run(id, params);
  await columnsComeToTheWhole(http, range);
  const balances = await http.trialBalance(last, basis);
  await ledgerClosesTo(http, range, balances);
  for (const end of [ends[0] ?? last, last]) {
    const month = { startdate: startOfMonth(end), reportdate: end, basis: wired(basis) };
    await soldIsPosted(http, month);
    await spentIsTakenAway(run, month);
    await taxIsOwed(http, month);
  }
  await soldIsPosted(http, range);
  await spentIsTakenAway(run, range);
  await taxIsOwed(http, range);
  const sheet = await http.run(balanceSheet.id, { reportdate: last, basis: wired(basis), compare: 'quarter' });
  const assets = pageRows(sheet).find((row) => wordsOf(row) === 'Total Assets');
  expect(assets === undefined ? [] : amountsOf(assets)).toEqual(lastRow(sheet));
  if (basis === 'cash') return;
  await isOwed(http, ends, last);
  const cash = await http.run(cashFlow.id, { ...range, compare: 'quarter' });
  expect(cash.reportSummaries.map(({ description }) => description)).toEqual(['Cash at End of Period']);
  const ledger = [...balances].filter(([id]) => masterAccount(id)?.accountTypeLabel.match(/^(Bank|Cash)$/));
  expect(lastRow(cash).at(-1)).toBe(sum(ledger.map(([, amount]) => amount)));
}

/** Expects the months, quarters, and profit centers of the Profit & Loss to add up to the statement, line by line. */
async function columnsComeToTheWhole(http: HttpBooks, range: Record<string, string | number>): Promise<void> {
  const plain = pageRows(await http.run(profitAndLoss.id, range)).map((row) => [wordsOf(row), ...amountsOf(row)]);
  // If nothing has been paid yet, the cash basis report has its headings and a net income of 0.
  expect(plain.length).toBeGreaterThan(1);
  for (const compare of ['month', 'quarter', 'profitcenter']) {
    const [, ...rows] = pageRows(await http.run(profitAndLoss.id, { ...range, compare }));
    for (const row of rows) {
      const amounts = amountsOf(row);
      expect([compare, wordsOf(row), sum(amounts.slice(0, -1))]).toEqual([
        compare,
        wordsOf(row),
        amounts.at(-1) ?? ZERO,
      ]);
    }
    // An account with a total of 0 over the range still has a row, with its headings, if a month has an amount.
    const whole = rows.map((row) => [wordsOf(row), ...amountsOf(row).slice(-1)]).filter(([, amount]) => amount);
    expect(whole).toEqual(plain.filter(([, amount]) => amount));
  }
}

/**
 * Expects debits to equal credits in the general ledger and the journal, and every account to end with its balance in
 * the trial balance.
 */
async function ledgerClosesTo(
  http: HttpBooks,
  range: Record<string, string | number>,
  balances: ReadonlyMap<number, Cents>,
): Promise<void> {
  const trial = await http.run(trialBalance.id, range);
  const wanted = new Map(
    pageRows(trial)
      .filter(({ look }) => look === 'line')
      .map((row) => [wordsOf(row), Math.abs(sum(amountsOf(row)))]),
  );
  expect(wanted.size).toBe(balances.size);
  const ledger = pageRows(await http.run(generalLedger.id, range));
  const closing = ledger
    .filter(({ look }) => look === 'blockTotal')
    .map((row): [string, number] => [wordsOf(row).replace('Total ', ''), Math.abs(amountsOf(row).at(-1) ?? 0)]);
  expect(new Map(closing.filter(([, amount]) => amount !== 0))).toEqual(wanted);
  for (const rows of [ledger, pageRows(await http.run(journal.id, range))]) {
    const [debits, credits] = amountsOf(rows.at(-1) ?? { key: '', look: 'line', cells: [] });
    expect(debits).toBe(credits);
    expect(debits).toBeGreaterThan(0);
  }
}

/**
 * Expects the amounts by age, by document, and by customer or vendor to equal the control account halfway through the
 * books, at their end, and a month later.
 */
async function isOwed(http: HttpBooks, ends: readonly IsoDate[], last: IsoDate): Promise<void> {
  for (const day of [ends[Math.floor(ends.length / 2)] ?? last, last, endOfMonth(addDays(last, 1))]) {
    const balances = await http.trialBalance(day, 'accrual');
    for (const [reports, account, sign] of OWED) {
      const owed = cents(sign * (balances.get(account) ?? 0) + 0);
      for (const { id } of reports) {
        expect([id, day, lastRow(await http.run(id, { reportdate: day })).at(-1) ?? ZERO]).toEqual([id, day, owed]);
      }
    }
  }
}

const OWED = [
  [[customerAging, customerAgingDetail, customerBalances], AR, 1],
  [[vendorAging, unpaidBills, vendorBalances], AP, -1],
] as const;

/**
 * Expects sales by customer and product, as totals and line by line, to equal the posted income, from documents on the
 * accrual basis and from payments on the cash basis. On the accrual basis, a payment posts only the discount that it
 * takes, which reduces income and is not a sale.
 */
async function soldIsPosted(http: HttpBooks, range: Record<string, string | number>): Promise<void> {
  const posted = await http.run(journal.id, range);
  const sells =
    range['basis'] === wired('cash') ? /^\S+ (Invoice|Credit memo|Payment) / : /^\S+ (Invoice|Credit memo) /;
  const earned = posted.reportSections.flatMap(({ reportBlocks }) =>
    reportBlocks
      .filter(({ blockTitle }) => sells.test(blockTitle))
      .flatMap(({ reportLines }) => reportLines.flatMap(incomeOf)),
  );
  const sums = [salesByCustomer, salesByProduct, salesByCategory, salesByMonth];
  for (const { id } of [...sums, salesByCustomerDetail, salesByProductDetail]) {
    expect([id, range, lastRow(await http.run(id, range)).at(-1)]).toEqual([id, range, sum(earned)]);
  }
  for (const { id } of sums) await linesAreListed((each, params) => http.run(each, params), id, range);
}

/** Runs a report for a company. */
export type RunReport = (id: number, params: Record<string, string | number>) => Promise<ReportData>;

/** Expects the sources of each line in a list to add up to the line's amount. */
async function linesAreListed(run: RunReport, id: number, range: Record<string, string | number>): Promise<void> {
  const report = await run(id, range);
  for (const { lineItems, source } of report.reportSections[0]?.reportBlocks[0]?.reportLines ?? []) {
    const { reportId, only } = source?.detail ?? {};
    const asked = { ...range, only: `${only?.by} ${only?.id}` };
    const behind = lastRow(await run(reportId ?? -1, asked)).at(-1);
    expect([id, asked, behind]).toEqual([id, asked, fromPlain(lineItems.at(-1)?.itemText ?? '')]);
  }
}

/** Expects expenses by vendor, line by line and by category, to equal the expenses on the Profit & Loss. */
export async function spentIsTakenAway(run: RunReport, range: Record<string, string | number>): Promise<void> {
  const { reportSections } = await run(profitAndLoss.id, range);
  const taken = reportSections.filter(({ title }) => SPENT.includes(title)).map(({ total }) => total);
  for (const { id } of [expensesByVendor, expensesByVendorDetail, expensesByCategory]) {
    expect([id, range, lastRow(await run(id, range)).at(-1)]).toEqual([id, range, sum(taken)]);
  }
  await linesAreListed(run, expensesByVendor.id, range);
}

/**
 * Expects sales tax to equal the balance of its account at the end of a range, excluding manual entries. Each item's
 * tax must equal its rate times the taxed amount, within half a cent per invoice or payment. Every line must lead to
 * its documents.
 */
async function taxIsOwed(
  http: HttpBooks,
  range: { startdate: IsoDate; reportdate: IsoDate; basis: number },
): Promise<void> {
  const run: RunReport = (id, params) => http.run(id, params);
  const balances = await http.trialBalance(range.reportdate, range.basis === 1 ? 'cash' : 'accrual');
  const report = await run(salesTaxLiability.id, range);
  const lines = pageRows(report).filter(({ look }) => look === 'line');
  expect([range, lastRow(report).at(-1)]).toEqual([range, cents(0 - (balances.get(SALES_TAX_PAYABLE) ?? 0))]);
  expect(lines.map(wordsOf)).not.toContain('Other entries of invoices and payments');
  for (const { cells } of lines) {
    const [gross, exempt, taxable, rate, due] = cells.slice(1);
    const { detail } = gross !== undefined && 'amount' in gross ? (gross.source ?? {}) : {};
    if (detail === undefined || rate === undefined || !('text' in rate)) continue;
    const behind = await run(detail.reportId, { ...range, only: `${detail.only.by} ${detail.only.id}` });
    const found = amountsOf({
      key: '',
      look: 'line',
      cells: [gross, exempt, taxable, due].flatMap((cell) => cell ?? []),
    });
    expect([range, lastRow(behind)]).toEqual([range, found]);
    const entries = pageRows(behind).filter(({ look }) => look === 'line').length;
    const [, , base = ZERO, tax = ZERO] = found;
    const wanted = (base * Number.parseFloat(rate.text)) / 100;
    expect(Math.abs(wanted - tax)).toBeLessThanOrEqual(entries + 1);
  }
}

const SPENT = ['Cost of Goods Sold', 'Expenses', 'Other Expenses'];

type Line = ReportData['reportSections'][number]['reportBlocks'][number]['reportLines'][number];

/**
 * Returns the amount of a journal line in an income account (credits are positive), or an empty array for other
 * accounts.
 */
function incomeOf({ lineItems, source }: Line): Cents[] {
  const id = source?.accountIds[0] ?? 0;
  if (masterAccount(id)?.root !== 'Income' || id === UNAPPLIED_CASH_INCOME) return [];
  const [debit, credit] = lineItems.slice(-2).map(({ itemText }) => (itemText === '' ? ZERO : fromPlain(itemText)));
  return [cents((credit ?? ZERO) - (debit ?? ZERO))];
}
