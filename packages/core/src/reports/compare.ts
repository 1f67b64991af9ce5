import {
  addDays,
  addMonths,
  daysBetween,
  endOfMonth,
  fiscalYearStart,
  formatMonth,
  type IsoDate,
  partsOf,
  startOfMonth,
  startOfQuarter,
} from '../dates.ts';
import type { Compare } from './kinds.ts';
import type { ReportContext } from './report.ts';

/** A column in a report, with amounts for its own dates and filters. */
export interface Column<F> {
  title: string;
  figures: readonly F[];
  context: ReportContext;
}

/** The columns of a report from left to right. */
export interface Columns<F> {
  columns: readonly Column<F>[];
  /** The index of the column with the report's own totals. */
  main: number;
  /**
   * The calculated columns: the change from the second column to the first in money and percent, or, for a single
   * column, each amount's share of all income. With pairs of an actual amount and a budget, each pair is followed by
   * the effect of its difference on net income in money and percent.
   */
  more?: 'change' | 'share' | 'budget' | undefined;
}

/** Returns one column without a title, for a report without a comparison. */
export function alone<F>(figures: readonly F[], context: ReportContext): Columns<F> {
  return { columns: [{ title: '', figures, context }], main: 0 };
}

/** A column before its amounts are read. */
export type ColumnPlan = Omit<Column<never>, 'figures'>;
export type Plan = Omit<Columns<never>, 'columns'> & { columns: readonly ColumnPlan[] };

export interface PlanAsk {
  compare: Compare | undefined;
  context: ReportContext;
  fyStartMonth: number;
  /** The values of the compared dimension that are in use, sorted by name. */
  values: readonly { id: number; name: string }[];
}

/**
 * Plans a report's columns. For a date range, the last column covers the whole range and is read separately. For an
 * as-of report, the last column is the report date.
 */
export function planColumns({ compare, context, values, fyStartMonth }: PlanAsk): Plan {
  const { from, asOf } = context;
  const on = (dates: Dates): ReportContext => {
    return { ...context, ...dates, fiscalYearStart: fiscalYearStart(dates.asOf, fyStartMonth) };
  };
  if (compare === undefined) return { ...alone<never>([], context), columns: [{ title: '', context }] };
  if (compare === 'previousperiod' || compare === 'previousyear' || compare === 'samedays') {
    const columns = [context, on(earlier(compare, { from, asOf }))].map((one) => {
      return { title: titleOf(one), context: one };
    });
    return { columns, main: 0, more: 'change' };
  }
  if (compare === 'now') {
    const { known, ...now } = context;
    const words = known?.words ?? '';
    const columns = [
      { title: `Known ${words}`, context },
      { title: 'Known now', context: now },
      { title: 'Change', context: { ...now, known: { words, since: known?.through ?? 0 } } },
    ];
    return { columns, main: 0 };
  }
  if (compare === 'income') return { columns: [{ title: titleOf(context), context }], main: 0, more: 'share' };
  const whole = from === undefined ? [] : [{ title: 'Total', context }];
  const parts =
    compare === 'profitcenter' || compare === 'location'
      ? dimensionColumns(compare, context, values)
      : stretches(compare, context, fyStartMonth).map((range) => ({
          title: nameOf(compare, range, fyStartMonth),
          context: on(range),
        }));
  const columns = [...parts, ...whole];
  if (compare === 'monthyear') {
    const beside = columns.flatMap((column) => {
      const dates = earlier('previousyear', column.context);
      const title = column.context === context ? 'Total last year' : nameOf(compare, dates, fyStartMonth);
      return [column, { title, context: on(dates) }];
    });
    return { columns: beside, main: beside.length - 2 };
  }
  return { columns, main: columns.length - 1 };
}

type Dates = Pick<ReportContext, 'from' | 'asOf'>;

const titleOf = ({ from, asOf }: Dates): string =>
  from === undefined ? shortDate(asOf) : `${shortDate(from)} – ${shortDate(asOf)}`;

const shortDate = (date: IsoDate): string => `${partsOf(date).month}/${partsOf(date).day}/${partsOf(date).year}`;

type Stretch = 'month' | 'monthyear' | 'quarter';

/**
 * Returns text such as "May 2026" or "Q2 2026". If the fiscal year is not a calendar year, a quarter includes its
 * months: "Q1 Jul–Sep 2025". For an as-of report, the text is the date.
 */
function nameOf(compare: Stretch, { from, asOf }: Dates, fyStartMonth: number): string {
  if (from === undefined) return titleOf({ from, asOf });
  if (compare !== 'quarter') return formatMonth(from);
  const first = startOfQuarter(from, fyStartMonth);
  const { month, year } = partsOf(first);
  const quarter = `Q${((month - fyStartMonth + 12) % 12) / 3 + 1}`;
  if (fyStartMonth === 1) return `${quarter} ${year}`;
  const [name = ''] = formatMonth(first).split(' ');
  return `${quarter} ${name}–${formatMonth(addMonths(first, 2))}`;
}

const isMonthEnd = (date: IsoDate): boolean => date === endOfMonth(date);

/**
 * Returns the earlier dates for a comparison. Whole months are compared with whole months, other ranges are compared
 * with ranges of the same length, and a date is compared with the same day a month earlier. A year earlier, the end of
 * a month stays the end of the month. In a comparison with the same days last year, however, February 28 stays February
 * 28.
 */
function earlier(compare: 'previousperiod' | 'previousyear' | 'samedays', { from, asOf }: Dates): Dates {
  const back = (date: IsoDate, months: number): IsoDate =>
    isMonthEnd(date) ? endOfMonth(addMonths(startOfMonth(date), -months)) : addMonths(date, -months);
  if (compare !== 'previousperiod') {
    const end = compare === 'samedays' ? addMonths(asOf, -12) : back(asOf, 12);
    return { from: from === undefined ? undefined : addMonths(from, -12), asOf: end };
  }
  if (from === undefined) return { from, asOf: back(asOf, 1) };
  const before = addDays(from, -1);
  if (from !== startOfMonth(from) || !isMonthEnd(asOf)) {
    return { from: addDays(before, -daysBetween(from, asOf)), asOf: before };
  }
  const [first, last] = [partsOf(from), partsOf(asOf)];
  const months = (last.year - first.year) * 12 + last.month - first.month + 1;
  return { from: addMonths(from, -months), asOf: before };
}

/**
 * Returns the months or quarters in a range, cut off at the ends of the range. For an as-of report, returns the last
 * days of the months or quarters in the report date's fiscal year.
 */
function stretches(
  compare: Stretch,
  { from, asOf, fiscalYearStart: year }: ReportContext,
  fyStartMonth: number,
): Dates[] {
  const parts: Dates[] = [];
  for (let first = from ?? year; first <= asOf;) {
    const next =
      compare === 'quarter' ? addMonths(startOfQuarter(first, fyStartMonth), 3) : addMonths(startOfMonth(first), 1);
    const end = addDays(next, -1) < asOf ? addDays(next, -1) : asOf;
    parts.push({ from: from === undefined ? undefined : first, asOf: end });
    first = next;
  }
  return parts;
}

function dimensionColumns(
  compare: 'profitcenter' | 'location',
  context: ReportContext,
  values: PlanAsk['values'],
): ColumnPlan[] {
  const name = compare === 'profitcenter' ? 'profitCenter' : 'location';
  const filter = context[name];
  const shown = [...values, { id: UNASSIGNED, name: 'Unassigned' }].filter(
    ({ id }) => filter === undefined || filter.id === id,
  );
  return shown.map((value) => ({ title: value.name, context: { ...context, [name]: value } }));
}

/** The filter value for lines without a profit center or location. */
export const UNASSIGNED = 0;
