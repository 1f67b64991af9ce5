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

/** A column of a statement: what its figures are, summed over its own dates and filters. */
export interface Column<F> {
  title: string;
  figures: readonly F[];
  context: ReportContext;
}

/** The columns of a statement from left to right. */
export interface Columns<F> {
  columns: readonly Column<F>[];
  /** Index of the column with the statement's own totals. */
  main: number;
  /**
   * Figures that are made of the others: of two columns what the first is more than the second, in money and percent;
   * of a single one what each figure is of all income.
   */
  more?: 'change' | 'share' | undefined;
}

/** One column without a title: a statement that is compared with nothing. */
export function alone<F>(figures: readonly F[], context: ReportContext): Columns<F> {
  return { columns: [{ title: '', figures, context }], main: 0 };
}

/** A column before it is read. */
export type ColumnPlan = Omit<Column<never>, 'figures'>;
export type Plan = Omit<Columns<never>, 'columns'> & { columns: readonly ColumnPlan[] };

export interface PlanAsk {
  compare: Compare | undefined;
  context: ReportContext;
  fyStartMonth: number;
  /** The values of the dimension that is compared by, by name; used ones only. */
  values: readonly { id: number; name: string }[];
}

/**
 * The columns of a statement. A range has a last column for the whole, read on its own; as of a date the last column
 * is the date itself.
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
 * "May 2026"; "Q2 2026", with its months where the fiscal year is no calendar year: "Q1 Jul–Sep 2025". As of a date the
 * date itself.
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
 * Whole months are followed back by whole months, other ranges by as many days; a date by the same day a month ago. A
 * year back the end of a month is one again, but for the same days: of February 28 these end on February 28.
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

/** The months or quarters of a range, cut off at its ends; as of a date the ends of those of its fiscal year. */
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

/** As a filter: the lines that name no profit center, or no location. */
export const UNASSIGNED = 0;
