import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RETAINED_EARNINGS } from '../books/accounts.ts';
import { addDays, addMonths, fiscalYearStart, type IsoDate, isoDate } from '../dates.ts';
import { cents, fromPlain, sum, ZERO } from '../money.ts';
import { flattenReport } from '../testing/flat-report.ts';
import { reportAccounts } from '../testing/report-accounts.ts';
import { comparedBalanceSheet } from './balance-sheet.ts';
import type { AccountAmount, AccountBalance } from './balances.ts';
import { alone, type Columns, type Plan, planColumns } from './compare.ts';
import type { Compare } from './kinds.ts';
import { comparedProfitAndLoss } from './profit-loss.ts';
import type { Report, ReportContext } from './report.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 100);

/** The range includes two leap days. */
const FIRST = isoDate('2023-01-01');
const anyDay = fc.integer({ min: 0, max: 2200 }).map((days) => addDays(FIRST, days));
const anyRange = fc
  .tuple(anyDay, fc.integer({ min: 0, max: 500 }))
  .map(([from, days]) => ({ from, asOf: addDays(from, days) }));
const anyMonth = fc.integer({ min: 1, max: 12 });
/** Generates the first and last days of months more often than random dates. */
const anyLines = fc.array(
  fc.record({
    date: fc.oneof(
      anyDay,
      anyDay.map((day) => isoDate(`${day.slice(0, 8)}01`)),
      anyDay.map((day) => addDays(isoDate(`${day.slice(0, 8)}01`), -1)),
      fc.constantFrom(isoDate('2024-02-29'), isoDate('2024-02-28'), isoDate('2025-02-28'), isoDate('2028-02-29')),
    ),
    accountId: fc.constantFrom(101, 140, 146, 167, 176),
    amount: fc.integer({ min: -5000, max: 5000 }).map(cents),
  }),
  { maxLength: 60 },
);
type Line = { date: IsoDate; accountId: number; amount: ReturnType<typeof cents> };

function contextOf(dates: Pick<ReportContext, 'from' | 'asOf'>, fyStartMonth: number): ReportContext {
  return {
    title: 'Statement',
    companyName: 'Green Thumb',
    basis: 'accrual',
    ...dates,
    fiscalYearStart: fiscalYearStart(dates.asOf, fyStartMonth),
    retainedEarningsAccountId: RETAINED_EARNINGS,
  };
}

/** Returns the total of each account's lines on the included days. */
function summed(lines: readonly Line[], isIn: (date: IsoDate) => boolean): AccountAmount[] {
  const ids = [...new Set(lines.map(({ accountId }) => accountId))];
  return ids.map((accountId) => ({
    accountId,
    amount: sum(lines.flatMap((line) => (line.accountId === accountId && isIn(line.date) ? line.amount : []))),
  }));
}

const inRange = (lines: readonly Line[], { from = FIRST, asOf }: ReportContext): AccountAmount[] =>
  summed(lines, (date) => date >= from && date <= asOf);

function balances(lines: readonly Line[], { asOf, fiscalYearStart: year }: ReportContext): AccountBalance[] {
  const before = summed(lines, (date) => date < year && date <= asOf);
  return summed(lines, (date) => date <= asOf).map(({ accountId, amount }) => {
    const { amount: beforeYear = ZERO } = before.find((each) => each.accountId === accountId) ?? {};
    return { accountId, toDate: amount, beforeYear };
  });
}

/** Returns a plan with the amounts of each column. */
function filled<F>(plan: Plan, read: (context: ReportContext) => readonly F[]): Columns<F> {
  return { ...plan, columns: plan.columns.map((column) => ({ ...column, figures: read(column.context) })) };
}

/** Returns a column's amounts by row, without empty amounts. In this report, the total of a block has no columns. */
function columnOf(report: Report, at: number, columns: number): Map<string, string> {
  const rows = flattenReport(report).filter(({ amounts }) => amounts.length === columns && amounts[at] !== '0.00');
  return new Map(rows.map(({ label, amounts }) => [label, amounts[at] ?? '']));
}

const TIMES: readonly Compare[] = ['previousperiod', 'previousyear', 'samedays', 'month', 'monthyear', 'quarter'];

test("each column in a profit and loss comparison equals the report for the column's days", () => {
  const check = (lines: Line[], dates: { from: IsoDate; asOf: IsoDate }, month: number, compare: Compare) => {
    const context = contextOf(dates, month);
    const plan = planColumns({ compare, context, fyStartMonth: month, values: [] });
    const count = plan.columns.length + (plan.more === undefined ? 0 : 2);
    const made = comparedProfitAndLoss(
      filled(plan, (of) => inRange(lines, of)),
      reportAccounts,
      context,
    );
    for (const [at, { context: of }] of plan.columns.entries()) {
      const single = comparedProfitAndLoss(alone(inRange(lines, of), of), reportAccounts, of);
      const expected = columnOf(single, 0, 1);
      for (const [row, amount] of columnOf(made, at, count)) expect([row, amount]).toEqual([row, expected.get(row)]);
      const total = made.reportSummaries[0]?.columnTotals?.[at + 1]?.headerText ?? '';
      expect(fromPlain(total)).toBe(single.reportSummaries[0]?.amount);
    }
    const [own] = comparedProfitAndLoss(
      alone(inRange(lines, context), context),
      reportAccounts,
      context,
    ).reportSummaries;
    expect(made.reportSummaries[0]?.amount).toBe(own?.amount);
  };
  fc.assert(fc.property(anyLines, anyRange, anyMonth, fc.constantFrom(...TIMES), check), { numRuns });
});

test("each column in a balance sheet comparison equals the report for the column's date", () => {
  const check = (lines: Line[], asOf: IsoDate, month: number, compare: Compare) => {
    const context = contextOf({ asOf }, month);
    const plan = planColumns({ compare, context, fyStartMonth: month, values: [] });
    const made = comparedBalanceSheet(
      filled(plan, (of) => balances(lines, of)),
      reportAccounts,
      context,
    );
    for (const [at, { context: of }] of plan.columns.entries()) {
      const single = comparedBalanceSheet(alone(balances(lines, of), of), reportAccounts, of);
      const total = made.reportSummaries[0]?.columnTotals?.[at + 1]?.headerText ?? '';
      expect(fromPlain(total)).toBe(single.reportSummaries[0]?.amount);
    }
    expect(plan.columns[plan.main]?.context.asOf).toBe(asOf);
  };
  fc.assert(fc.property(anyLines, anyDay, anyMonth, fc.constantFrom(...TIMES), check), { numRuns });
});

test('a comparison by month with last year covers each day in both ranges in exactly one month', () => {
  const check = (dates: { from: IsoDate; asOf: IsoDate }, month: number) => {
    const { columns, main } = planColumns({
      compare: 'monthyear',
      context: contextOf(dates, month),
      fyStartMonth: month,
      values: [],
    });
    for (const year of [0, 1]) {
      const own = columns.filter((_, at) => at % 2 === year).map(({ context }) => context);
      const [whole, months] = [own.at(-1), own.slice(0, -1)];
      expect(months[0]?.from).toBe(whole?.from);
      expect(months.at(-1)?.asOf).toBe(whole?.asOf);
      for (const [at, next] of months.slice(1).entries()) {
        expect(next.from).toBe(addDays(months[at]?.asOf ?? FIRST, 1));
      }
    }
    expect(columns[main]?.context).toMatchObject(dates);
  };
  fc.assert(fc.property(anyRange, anyMonth, check), { numRuns });
});

test('the same range last year has the same start and end dates, except for February 29', () => {
  const check = (dates: { from: IsoDate; asOf: IsoDate }, month: number) => {
    const context = contextOf(dates, month);
    const { columns } = planColumns({ compare: 'samedays', context, fyStartMonth: month, values: [] });
    const day = (date: IsoDate | undefined) => (date?.endsWith('-02-29') === true ? '02-28' : date?.slice(5));
    const [, before] = columns;
    expect([day(before?.context.from), day(before?.context.asOf)]).toEqual([day(dates.from), day(dates.asOf)]);
    expect(before?.context.asOf).toBe(addMonths(dates.asOf, -12));
  };
  fc.assert(fc.property(anyRange, anyMonth, check), { numRuns });
});

test.each<[Compare, string | undefined, string, string[]]>([
  ['samedays', '2025-02-01', '2025-02-28', ['2025-02-01 2025-02-28', '2024-02-01 2024-02-28']],
  ['previousyear', '2025-02-01', '2025-02-28', ['2025-02-01 2025-02-28', '2024-02-01 2024-02-29']],
  ['samedays', '2024-02-29', '2024-03-10', ['2024-02-29 2024-03-10', '2023-02-28 2023-03-10']],
  ['samedays', undefined, '2026-05-26', [' 2026-05-26', ' 2025-05-26']],
])('the comparison %s for %s to %s covers the days %j', (compare, from, asOf, expected) => {
  const dates = { ...(from !== undefined && { from: isoDate(from) }), asOf: isoDate(asOf) };
  const { columns } = planColumns({ compare, context: contextOf(dates, 1), fyStartMonth: 1, values: [] });
  expect(columns.map(({ context }) => `${context.from ?? ''} ${context.asOf}`)).toEqual(expected);
});

test('a comparison by month with last year has correct column names for a range and for a date', () => {
  const titles = (dates: Pick<ReportContext, 'from' | 'asOf'>) => {
    const context = contextOf(dates, 4);
    const { columns } = planColumns({ compare: 'monthyear', context, fyStartMonth: 4, values: [] });
    return columns.map(({ title }) => title);
  };
  const asOf = isoDate('2026-05-26');
  expect(titles({ from: isoDate('2026-04-15'), asOf })).toEqual([
    'Apr 2026',
    'Apr 2025',
    'May 2026',
    'May 2025',
    'Total',
    'Total last year',
  ]);
  expect(titles({ asOf })).toEqual(['4/30/2026', '4/30/2025', '5/26/2026', '5/26/2025']);
});
