import { Failure } from './failure.ts';

/**
 * A calendar date without a time or time zone: `YYYY-MM-DD`, years 1900 to 2199. Comparing dates as strings gives the
 * correct order.
 */
declare const dateBrand: unique symbol;
export type IsoDate = string & { readonly [dateBrand]: true };

const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
const US = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Returns whether the text is a date that exists in the calendar. For example, 2023-02-29 does not exist. */
export function isIsoDate(text: string): text is IsoDate {
  const match = ISO.exec(text);
  return match !== null && exists(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** The last supported date. */
export const LAST_DAY = '2199-12-31' as IsoDate;

function exists(year: number, month: number, day: number): boolean {
  return year >= 1900 && year <= 2199 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Converts text to an IsoDate. Accepts `YYYY-MM-DD` and `M/D/YYYY`, as the API does. Throws Failure 'malformed'. */
export function isoDate(text: string): IsoDate {
  const date = parseDate(text);
  if (date === undefined) throw new Failure('malformed', `'${text.slice(0, 20)}' is not a date`);
  return date;
}

/** Converts text to a date like `isoDate`, but returns undefined if the text is invalid. */
export function parseDate(text: string): IsoDate | undefined {
  if (isIsoDate(text)) return text;
  const match = US.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[3]), Number(match[1]), Number(match[2])];
  return exists(year, month, day) ? make(year, month, day) : undefined;
}

/** A time after a date, in the formats that JavaScript and databases use: `T00:00:00.000Z`, ` 00:00:00+02`. */
const TIME = /[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?$/i;

/**
 * Parses a date from an API client, which may send a timestamp instead of a date. The date is used as written, and the
 * time and time zone are ignored.
 */
export function parseWireDate(text: string): IsoDate | undefined {
  return parseDate(text.replace(TIME, ''));
}

/** Returns the number of days in a month, 28 to 31. `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export interface DateParts {
  year: number;
  month: number;
  day: number;
}

/** Returns the year, month, and day of a date. The month is 1 to 12. */
export function partsOf(date: IsoDate): DateParts {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

function make(year: number, month: number, day: number): IsoDate {
  const [mm, dd] = [month, day].map((part) => String(part).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${mm}-${dd}` as IsoDate;
}

function dayNumber(date: IsoDate): number {
  const { year, month, day } = partsOf(date);
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/** Returns the date `days` later, or earlier if `days` is negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date((dayNumber(date) + days) * 86_400_000).toISOString().slice(0, 10) as IsoDate;
}

/** Returns the number of calendar days from `from` to `to`, which is negative if `to` is earlier. */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** Returns the same day `months` later, or the last day of a shorter month (Jan 31 + 1 month → Feb 28). */
export function addMonths(date: IsoDate, months: number): IsoDate {
  const { year, month, day } = partsOf(date);
  const index = year * 12 + (month - 1) + months;
  const [y, m] = [Math.floor(index / 12), (index % 12) + 1];
  return make(y, m, Math.min(day, daysInMonth(y, m)));
}

/** Returns the first day of the date's month. */
export function startOfMonth(date: IsoDate): IsoDate {
  const { year, month } = partsOf(date);
  return make(year, month, 1);
}

/** Returns the last day of the date's month. */
export function endOfMonth(date: IsoDate): IsoDate {
  const { year, month } = partsOf(date);
  return make(year, month, daysInMonth(year, month));
}

/** Returns the first day of the date's fiscal year. `startMonth` is 1 to 12 (docs/accounting.md, "The fiscal year"). */
export function fiscalYearStart(date: IsoDate, startMonth: number): IsoDate {
  const { year, month } = partsOf(date);
  return make(month < startMonth ? year - 1 : year, startMonth, 1);
}

/** Returns the first day of the date's fiscal quarter. `startMonth` is the first month of the fiscal year, 1 to 12. */
export function startOfQuarter(date: IsoDate, startMonth: number): IsoDate {
  const since = (partsOf(date).month - startMonth + 12) % 12;
  return addMonths(startOfMonth(date), -(since % 3));
}

/** Returns the earlier of two dates. */
export function earlierOf(a: IsoDate, b: IsoDate): IsoDate {
  return a < b ? a : b;
}

/** Returns the later of two dates. */
export function laterOf(a: IsoDate, b: IsoDate): IsoDate {
  return a > b ? a : b;
}

export interface DateRange {
  from: IsoDate;
  to: IsoDate;
}

/** Returns the range from the earliest to the latest date, or undefined for an empty list. */
export function rangeOfDates(dates: readonly IsoDate[]): DateRange | undefined {
  const [first, ...others] = dates;
  return first && { from: others.reduce(earlierOf, first), to: others.reduce(laterOf, first) };
}

/** The periods for reports and cards. The API uses their index numbers. */
export const PERIODS = [
  'This Month',
  'This Year',
  'Last Month',
  'Last 12 Months',
  'This Quarter',
  'Last Quarter',
  'Last Year',
  'Year to last month',
  'Custom',
  'Year to Date',
] as const;

const OFFERED: readonly (typeof PERIODS)[number][] = [
  'This Month',
  'Last Month',
  'This Quarter',
  'Last Quarter',
  'Year to Date',
  'This Year',
  'Last Year',
  'Year to last month',
  'Last 12 Months',
];

/**
 * The numbers of the periods that a report offers, in display order. Custom is not included because it has its own
 * dates.
 */
export const PRESETS: readonly number[] = OFFERED.map((name) => PERIODS.indexOf(name));

/**
 * Returns the inclusive range of a preset around `date`. A "This …" preset runs to the end of its period. For Custom
 * (8), returns only the day itself.
 */
export function periodRange(period: number, date: IsoDate, startMonth: number): DateRange {
  const year = fiscalYearStart(date, startMonth);
  const month = startOfMonth(date);
  const quarter = startOfQuarter(date, startMonth);
  switch (period) {
    case 0:
      return { from: month, to: endOfMonth(date) };
    case 1:
      return { from: year, to: addDays(addMonths(year, 12), -1) };
    case 2:
      return { from: addMonths(month, -1), to: addDays(month, -1) };
    case 3:
      return { from: addDays(addMonths(date, -12), 1), to: date };
    case 4:
      return { from: quarter, to: addDays(addMonths(quarter, 3), -1) };
    case 5:
      return { from: addMonths(quarter, -3), to: addDays(quarter, -1) };
    case 6:
      return { from: addMonths(year, -12), to: addDays(year, -1) };
    case 7:
      return yearToLastMonth(month, startMonth);
    case 9:
      return { from: year, to: date };
    default:
      return { from: date, to: date };
  }
}

/**
 * Returns the range from the start of the fiscal year to the end of last month. In the first month, the range is the
 * whole previous year.
 */
function yearToLastMonth(month: IsoDate, startMonth: number): DateRange {
  const to = addDays(month, -1);
  return { from: fiscalYearStart(to, startMonth), to };
}

/**
 * Returns the forms in which a search word can match the text `05/06/2026 5/6/2026 2026-05-06`. A complete date is
 * searched for with its leading zeros, so that 1/4/2026 does not match 11/4/2026. Other words are unchanged.
 */
export function dateSpellings(word: string): string[] {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})(\/\d{0,4})?$/.exec(word) ?? [];
  if (month === '') return [word];
  const padded = `${month.padStart(2, '0')}/${day.padStart(2, '0')}${year}`;
  return year.length === 5 ? [padded] : [word, padded];
}

/** The names of the months, January first. */
export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Formats `2026-05-06` as "5/6/2026" for tables and fields. */
export function formatDate(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${month}/${day}/${year}`;
}

/** Formats `2026-05-26` as "May 26, 2026" for report headings and printed documents. */
export function formatLongDate(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${MONTHS[month - 1] ?? ''} ${day}, ${year}`;
}

/** Formats `2026-10-31` as "October 2026". */
export function monthName(date: IsoDate): string {
  const { year, month } = partsOf(date);
  return `${MONTHS[month - 1] ?? ''} ${year}`;
}

/** Formats `2026-05-26` as "May 2026" for column headings. */
export function formatMonth(date: IsoDate): string {
  const { year, month } = partsOf(date);
  return `${(MONTHS[month - 1] ?? '').slice(0, 3)} ${year}`;
}
