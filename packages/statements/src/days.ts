import { daysBetween, isIsoDate, type IsoDate } from '@evenkeel/core/dates';
import { type DateOrder, type Placed, quoted, type StatementQuestion, unreadable, patternOf } from './statement.ts';

/** The possible dates that text can mean, by the order of day, month, and year. */
export type Readings = Partial<Record<DateOrder, IsoDate>>;

const ORDERS: readonly DateOrder[] = ['mdy', 'dmy', 'ymd'];
/** The month names that banks use, in the languages of the headers. The first three letters are sufficient. */
const MONTHS = [
  'january february march april may june july august september october november december',
  'januar februar marz april mai juni juli august september oktober november dezember',
  'janner feber mrz april mai juni juli august september oktober november dezember',
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'januar februar marts april maj juni juli august september oktober november desember',
].map((names) => names.split(' '));
/** A time after a date, with its time zone. */
const TIME = patternOf(
  '',
  '[t ,]+(\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?( ?[ap]\\.?m\\.?)?( ?[a-z]{1,4})?( ?[-+]\\d{1,2}(:?\\d{2})?)?|',
  '\\d{1,2}\\.\\d{2}(\\.\\d{2})?)$',
);
const NUMBERS = /^(\d{1,4}) ?([-/.' ]) ?(\d{1,2}) ?([-/.' ]) ?(\d{4}|\d{1,2})$/;
const NAMED = [
  /^(?<day>\d{1,2})[-/. ]{1,2}(?<month>[a-z]{3,10})\.?[-/., ]{1,2}(?<year>\d{4}|\d{2})$/,
  /^(?<month>[a-z]{3,10})\.?[-/. ]{1,2}(?<day>\d{1,2}),? ?[-/ ]?(?<year>\d{4}|\d{2})$/,
  /^(?<year>\d{4})[-/. ](?<month>[a-z]{3,10})\.?[-/. ](?<day>\d{1,2})$/,
];

/** Returns the full year for two digits. 70 to 99 are before 2000, because statements from 2070 don't exist yet. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) >= 70 ? '19' : '20'}${year.padStart(2, '0')}`;
}

/** Returns the date if the three numbers form one. */
export function dateOf(year: string, month: string, day: string): IsoDate | undefined {
  const date = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isIsoDate(date) ? date : undefined;
}

/** Returns the date from eight digits at the start (20240506…) as written, without a time zone conversion. */
export function eightDigits(text: string): IsoDate | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})/.exec(text) ?? [];
  return year === '' ? undefined : dateOf(year, month, day);
}

/** Returns the date from six digits YYMMDD (MT940, BAI2). */
export function sixDigits(text: string): IsoDate | undefined {
  return /^\d{6}$/.test(text) ? dateOf(text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)) : undefined;
}

const same = (date: IsoDate): Readings => ({ mdy: date, dmy: date, ymd: date });

function readingsOf(parts: Partial<Record<DateOrder, IsoDate | undefined>>): Readings | undefined {
  const found: Readings = {};
  for (const order of ORDERS) {
    const date = parts[order];
    if (date !== undefined) found[order] = date;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function named(text: string): Readings | undefined {
  const groups = NAMED.map((pattern) => pattern.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const { year = '', month = '', day = '' } = groups;
  const number = monthOf(month);
  const date = number === undefined ? undefined : dateOf(year, String(number), day);
  return date && same(date);
}

/** Returns the month for a name, or for its first letters if all languages that use them agree. */
function monthOf(name: string): number | undefined {
  const found = MONTHS.flatMap((names) => names.flatMap((month, index) => (month.startsWith(name) ? [index] : [])));
  const [index, ...others] = new Set(found);
  return index === undefined || others.length > 0 ? undefined : index + 1;
}

/** Returns all possible dates for a cell without a time, or undefined if the cell is not a date. */
export function readDay(written: string): Readings | undefined {
  if (written.length > 40) return undefined;
  if (!/\d\D+\d|^\s*\d{8}\s*$|\d{8}\D/.test(written)) return undefined;
  if (isIsoDate(written)) return same(written);
  if (written.trim().includes('\t')) return undefined;
  const text = withoutAccents(written.trim().toLowerCase())
    .replace(/\s+/g, ' ')
    .replace(/ de /g, ' ')
    .replace(TIME, '')
    .replace(/^(\d{4}):(\d{2}):(\d{2})$/, '$1-$2-$3');
  return readWritten(text) ?? readWritten(text.replace(/^[a-z]{2,10}\.?,? /, ''));
}

const withoutAccents = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  /^[\u0000-\u007f]*$/.test(text) ? text : text.normalize('NFD').replace(/\p{M}+/gu, '');

function readWritten(text: string): Readings | undefined {
  if (/^\d{8}$/.test(text)) return eightInAnyOrder(text);
  const [, a = '', first = '', b = '', second = '', c = ''] = NUMBERS.exec(text) ?? [];
  if (a === '') return named(text);
  if (first !== second && second !== "'") return undefined;
  // Quicken writes 5/6'08 for 2008 and, before 2000, 5/6/98.
  const last = second === "'" && c.length < 4 ? `20${c.padStart(2, '0')}` : c;
  if (a.length > 2) {
    const date = a.length === 4 && c.length <= 2 ? dateOf(a, b, c) : undefined;
    return date && same(date);
  }
  const isTwoDigits = last.length <= 2 && a.length === 2;
  return readingsOf({
    // If periods separate the numbers, the month never comes first.
    mdy: first === '.' ? undefined : dateOf(last, a, b),
    dmy: dateOf(last, b, a),
    ymd: isTwoDigits ? dateOf(a, b, c) : undefined,
  });
}

function eightInAnyOrder(text: string): Readings | undefined {
  const date = eightDigits(text);
  if (date !== undefined) return same(date);
  const [a, b, year] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)];
  return readingsOf({ mdy: dateOf(year, a, b), dmy: dateOf(year, b, a) });
}

/** A cell with a date and all of its possible readings. */
export interface DayCell extends Placed {
  readings: Readings;
}

/** Returns a cell as a date, or throws if the cell is not a date. */
export function dayCell(cell: Placed): DayCell {
  const readings = readDay(cell.text);
  if (readings === undefined) throw unreadable(cell, `${quoted(cell.text)} is not a date`);
  return { ...cell, readings };
}

/** The date order that was decided, and the question that is left open, if any. */
export interface DecidedOrder {
  dateOrder: DateOrder;
  /** Whether the dates in the file allow only this order, and the order affects at least one date. */
  isProved: boolean;
  question?: StatementQuestion;
}

const WORDS: Record<DateOrder, string> = { mdy: 'Month/day/year', dmy: 'Day/month/year', ymd: 'Year/month/day' };

/**
 * Decides the order of day, month, and year, which must fit every date in the column. Returns a question if several
 * orders fit and result in different dates.
 */
export function decideOrder(cells: readonly DayCell[]): DecidedOrder {
  const left = fitting(cells);
  const [first, ...others] = left.filter(
    (order, index) => !left.slice(0, index).some((other) => cells.every(({ readings: r }) => r[order] === r[other])),
  );
  const dateOrder = first ?? 'mdy';
  if (others.length === 0) {
    return { dateOrder, isProved: cells.some(({ readings: r }) => ORDERS.some((one) => r[one] !== r[dateOrder])) };
  }
  const telling = cells.find(({ readings: r }) => others.some((order) => r[order] !== r[dateOrder])) ?? cells[0];
  const choices = [dateOrder, ...others].map((value) => {
    return { value, label: `${WORDS[value]}: ${telling?.text.trim() ?? ''} is ${telling?.readings[value] ?? ''}` };
  });
  return { dateOrder, isProved: false, question: { name: 'dateOrder', choices } };
}

/**
 * Returns the orders in which every cell is a date. Throws for the first cell that fits none of the remaining orders.
 */
function fitting(cells: readonly DayCell[]): DateOrder[] {
  let left: DateOrder[] = [...ORDERS];
  for (const cell of cells) {
    const still = left.filter((order) => cell.readings[order] !== undefined);
    const [before] = cells;
    if (still.length === 0 && before) {
      throw unreadable(
        cell,
        `${quoted(cell.text)} is not a date in the same format as the earlier dates (${quoted(before.text)})`,
      );
    }
    left = still;
  }
  return left.length > 1 && !mayBeYearFirst(cells, left) ? left.filter((order) => order !== 'ymd') : left;
}

/** Returns the number of days between the first and the last date when the dates are read in the given order. */
function spanOf(cells: readonly DayCell[], order: DateOrder): number {
  let [low, high]: (IsoDate | undefined)[] = [undefined, undefined];
  for (const { readings } of cells) {
    const date = readings[order];
    if (date !== undefined && (low === undefined || date < low)) low = date;
    if (date !== undefined && (high === undefined || date > high)) high = date;
  }
  return low === undefined || high === undefined ? 0 : daysBetween(low, high);
}

/**
 * Returns whether the first two digits may be a year. They are not a year if the weeks in a statement would then become
 * decades (06.05.24, 13.05.24).
 */
function mayBeYearFirst(cells: readonly DayCell[], left: readonly DateOrder[]): boolean {
  if (cells.some(({ text }) => /^\d{4}/.test(text))) return true;
  const shortest = Math.min(...left.filter((order) => order !== 'ymd').map((order) => spanOf(cells, order)));
  return spanOf(cells, 'ymd') < 800 || shortest > 90;
}

/** Returns the date in a cell, read in the given order or in the order that was decided. */
export function dayOf(cell: DayCell, order: DateOrder): IsoDate {
  const date = cell.readings[order];
  if (date === undefined) throw unreadable(cell, `${quoted(cell.text)} is not a date in the format ${WORDS[order]}`);
  return date;
}
