import { addDays, addMonths, type DateRange, endOfMonth, type IsoDate, MONTHS, startOfMonth } from '../dates.ts';

/** The filing periods of a tax agency, and business days. */

/** The months in a period, by filing frequency: annually, semiannually, quarterly, monthly. */
const MONTHS_IN_PERIOD = [12, 6, 3, 1];

export interface PeriodTerms {
  /** See `filingFrequencies`. */
  frequency: number;
  /** A month (1 to 12) in which a period starts. New York's quarters start in March. */
  firstMonth: number;
}

/** Returns the period that contains a date. */
export function periodOf({ frequency, firstMonth }: PeriodTerms, date: IsoDate): DateRange {
  const length = MONTHS_IN_PERIOD[frequency] ?? 1;
  const since = (Number(date.slice(5, 7)) - firstMonth + 12) % length;
  const from = addMonths(startOfMonth(date), -since);
  return { from, to: endOfMonth(addMonths(from, length - 1)) };
}

/**
 * Returns the period that contains `first`, the period that contains `last`, and all periods between them, including
 * periods without tax.
 */
export function periodsBetween(terms: PeriodTerms, first: IsoDate, last: IsoDate): DateRange[] {
  const periods: DateRange[] = [];
  for (let period = periodOf(terms, first); period.from <= last; period = periodOf(terms, addDays(period.to, 1))) {
    periods.push(period);
  }
  return periods;
}

/** Returns the day of the week, 0 for Sunday. */
const weekday = (date: IsoDate): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** Returns the nth weekday of a month, or the last one if n is −1. */
function nthWeekday(month: IsoDate, day: number, nth: number): IsoDate {
  if (nth < 0) {
    const last = endOfMonth(month);
    return addDays(last, -((weekday(last) - day + 7) % 7));
  }
  return addDays(month, ((day - weekday(month) + 7) % 7) + (nth - 1) * 7);
}

/**
 * Returns whether a date is a federal holiday, either on its actual day or on the day on which it is observed (5 U.S.C.
 * 6103).
 */
export function isFederalHoliday(date: IsoDate): boolean {
  const month = startOfMonth(date);
  const floating: Record<string, readonly [day: number, nth: number]> = {
    '01': [1, 3],
    '02': [1, 3],
    '05': [1, -1],
    '09': [1, 1],
    '10': [1, 2],
    '11': [4, 4],
  };
  const rule = floating[date.slice(5, 7)];
  if (rule !== undefined && nthWeekday(month, ...rule) === date) return true;
  const isFixed = (day: IsoDate): boolean => ['01-01', '06-19', '07-04', '11-11', '12-25'].includes(day.slice(5));
  const observed = weekday(date) === 1 ? addDays(date, -1) : weekday(date) === 5 ? addDays(date, 1) : date;
  return isFixed(date) || isFixed(observed);
}

/** Returns the date, or the next day that is not a Saturday, Sunday, or federal holiday. */
export function businessDayFrom(date: IsoDate): IsoDate {
  let day = date;
  while ([0, 6].includes(weekday(day)) || isFederalHoliday(day)) day = addDays(day, 1);
  return day;
}

/** Returns a period in words: "May 2026", or "March – May 2026" and "December 2026 – February 2027". */
export function periodName({ from, to }: DateRange): string {
  const [month, last] = [from, to].map((date) => MONTHS[Number(date.slice(5, 7)) - 1] ?? '');
  const [year, lastYear] = [from.slice(0, 4), to.slice(0, 4)];
  if (from.slice(0, 7) === to.slice(0, 7)) return `${month} ${year}`;
  return year === lastYear ? `${month} – ${last} ${year}` : `${month} ${year} – ${last} ${lastYear}`;
}
