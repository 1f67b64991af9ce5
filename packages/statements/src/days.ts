import { isIsoDate, type IsoDate } from '@evenkeel/core/dates';
import { type DateOrder, type Placed, quoted, type StatementQuestion, unreadable } from './statement.ts';

/** The dates that a text may mean, by the order in which day, month and year are read. */
export type Readings = Partial<Record<DateOrder, IsoDate>>;

const ORDERS: readonly DateOrder[] = ['mdy', 'dmy', 'ymd'];
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const NUMBERS = /^(\d{1,4}) ?([-/.' ]) ?(\d{1,2}) ?([-/.' ]) ?(\d{4}|\d{1,2})$/;
const NAMED = [
  /^(?<day>\d{1,2})[-/. ]{1,2}(?<month>[a-z]{3,9})\.?[-/., ]{1,2}(?<year>\d{4}|\d{2})$/,
  /^(?<month>[a-z]{3,9})\.?[-/. ]{1,2}(?<day>\d{1,2}),? ?[-/ ]?(?<year>\d{4}|\d{2})$/,
  /^(?<year>\d{4})[-/. ](?<month>[a-z]{3,9})[-/. ](?<day>\d{1,2})$/,
];

/** A year of two digits: 70 to 99 is before 2000, as nobody's statements are from 2070 yet. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) >= 70 ? '19' : '20'}${year.padStart(2, '0')}`;
}

/** The date, if these three numbers make one. */
export function dateOf(year: string, month: string, day: string): IsoDate | undefined {
  const date = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isIsoDate(date) ? date : undefined;
}

/** The date of eight digits at the start (20240506…), as they are written: no zone moves it. */
export function eightDigits(text: string): IsoDate | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})/.exec(text) ?? [];
  return year === '' ? undefined : dateOf(year, month, day);
}

/** The date of six digits YYMMDD (MT940, BAI2). */
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
  const number = MONTHS.indexOf(month.slice(0, 3)) + 1;
  const date = number > 0 ? dateOf(year, String(number), day) : undefined;
  return date && same(date);
}

/** All dates that a cell may mean; a time of day behind them is left out. Undefined for what is no date. */
export function readDay(written: string): Readings | undefined {
  if (written.length > 40) return undefined;
  const text = written
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[t ,]+\d{1,2}:\d{2}.*$/, '')
    .replace(/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /, '');
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
    mdy: dateOf(last, a, b),
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

/** A cell with a date, and all that it may mean. */
export interface DayCell extends Placed {
  readings: Readings;
}

/** A cell that must be a date. */
export function dayCell(cell: Placed): DayCell {
  const readings = readDay(cell.text);
  if (readings === undefined) throw unreadable(cell, `${quoted(cell.text)} is not a date`);
  return { ...cell, readings };
}

/** A decided order, and the question that remains open, if one does. */
export interface DecidedOrder {
  dateOrder: DateOrder;
  question?: StatementQuestion;
}

const WORDS: Record<DateOrder, string> = { mdy: 'Month/day/year', dmy: 'Day/month/year', ymd: 'Year/month/day' };

/** The order of day, month and year that fits every date of the column; asks where several do, and mean other days. */
export function decideOrder(cells: readonly DayCell[]): DecidedOrder {
  const left = fitting(cells);
  const [first, ...others] = left.filter(
    (order, index) => !left.slice(0, index).some((other) => cells.every(({ readings: r }) => r[order] === r[other])),
  );
  const dateOrder = first ?? 'mdy';
  if (others.length === 0) return { dateOrder };
  const telling = cells.find(({ readings: r }) => others.some((order) => r[order] !== r[dateOrder])) ?? cells[0];
  const choices = [dateOrder, ...others].map((value) => {
    return { value, label: `${WORDS[value]}: ${telling?.text.trim() ?? ''} is ${telling?.readings[value] ?? ''}` };
  });
  return { dateOrder, question: { name: 'dateOrder', choices } };
}

/** The orders in which each cell is a date. Refuses the first cell that leaves none. */
function fitting(cells: readonly DayCell[]): DateOrder[] {
  let left: DateOrder[] = [...ORDERS];
  for (const cell of cells) {
    const still = left.filter((order) => cell.readings[order] !== undefined);
    const [before] = cells;
    if (still.length === 0 && before) {
      throw unreadable(
        cell,
        `${quoted(cell.text)} is no date in the order of those before it (${quoted(before.text)})`,
      );
    }
    left = still;
  }
  return left.length > 1 && !mayBeYearFirst(cells) ? left.filter((order) => order !== 'ymd') : left;
}

/** Two digits in front may be a year if they differ less than those at the end (24-05-06, 24-05-07). */
function mayBeYearFirst(cells: readonly DayCell[]): boolean {
  const parts = cells.map(({ text }) => text.match(/\d+/g) ?? []);
  if (parts.some(([year = '']) => year.length > 2)) return true;
  return new Set(parts.map(([first]) => first)).size < new Set(parts.map((part) => part[2])).size;
}

/** The date of a cell in the order that was decided or given. */
export function dayOf(cell: DayCell, order: DateOrder): IsoDate {
  const date = cell.readings[order];
  if (date === undefined) throw unreadable(cell, `${quoted(cell.text)} is no date in the order ${WORDS[order]}`);
  return date;
}
