import { endOfMonth, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { readDay } from '@evenkeel/statements/days';
import { refusalAt, type ReportBasis } from './books.ts';
import type { FileBooks } from './reader.ts';
import { cellAt, type Row, type Rows, type Table } from './table.ts';

/**
 * The possible headings of a column, in lowercase without punctuation. The first heading that a table contains is used.
 */
export type Headings<Key extends string> = Readonly<Record<Key, readonly string[]>>;

/** A table whose header was found: the lines before it, its columns, and the rows below. */
export interface Report<Key extends string> {
  file: string;
  title: readonly string[];
  header: Row;
  columns: Readonly<Partial<Record<Key, number>>>;
  rows: Rows;
  /** The lines after the table, which contain the basis and the time of the export, for example. */
  footer: readonly string[];
}

/** Returns a heading in the form that `Headings` uses: "*Debit (USD)" becomes "debit". */
export const headingOf = (cell: string): string =>
  cell
    .toLowerCase()
    .replace(/[*:.]+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?(\(usd\)|\busd)$/, '')
    .trim();

const HEADER_WITHIN = 40;

/** Returns the columns in a header row by key. */
function columnsIn<Key extends string>(
  cells: readonly string[],
  headings: Headings<Key>,
): Partial<Record<Key, number>> {
  const own = cells.map(headingOf);
  const found: Partial<Record<Key, number>> = {};
  const taken = new Set<number>();
  for (const key of keysOf(headings)) {
    const column = headings[key]
      .map((heading) => own.findIndex((one, at) => one === heading && !taken.has(at)))
      .find((at) => at >= 0);
    if (column === undefined) continue;
    found[key] = column;
    taken.add(column);
  }
  return found;
}

/** Returns the keys of a record with their exact type instead of `string`. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const isKey = (key: string): key is Key => Object.hasOwn(record, key);
  return Object.keys(record).filter(isKey);
}

/** Returns the first row that has headings for all required columns, or undefined if there is none. */
export function reportIn<Key extends string>(
  table: Table,
  headings: Headings<Key>,
  required: readonly NoInfer<Key>[],
): Report<Key> | undefined {
  for (const [index, header] of table.rows.first(HEADER_WITHIN).entries()) {
    const columns = columnsIn(header.cells, headings);
    if (required.every((key) => columns[key] !== undefined)) return reportAt(table, headings, index);
  }
  return undefined;
}

/** Returns the table whose header is the row at an index, with the columns whose headings are known. */
export function reportAt<Key extends string>(
  table: Table,
  headings: Headings<Key>,
  index: number,
): Report<Key> | undefined {
  const header = index < 0 ? undefined : table.rows.at(index);
  if (header === undefined) return undefined;
  const title = table.rows.first(index).map(lineText);
  const rest = table.rows.part(index + 1);
  let end = rest.length;
  while (end > 0 && isFooter(rest.at(end - 1))) end -= 1;
  const footer = [...rest.part(end)].map(lineText);
  const columns = columnsIn(header.cells, headings);
  return { file: table.file, title, header, columns, rows: rest.part(0, end), footer };
}

/** Returns a line outside the table. If the line is not in quotation marks, its commas have split it into cells. */
const lineText = ({ cells }: Row): string => cells.filter((cell) => cell !== '').join(', ');

const FOOTER = /^((accrual|cash) basis\b|(sunday|monday|tuesday|wednesday|thursday|friday|saturday)(,|$))/i;

/** Returns whether a row is a line such as "Accrual Basis Friday, March 6, 2026 10:15 AM GMT-05:00". */
const isFooter = (row: Row | undefined): boolean => row !== undefined && FOOTER.test(lineText(row));

/** Returns the cell in a row for a column, or an empty string. */
export const cellOf = <Key extends string>({ columns }: Report<Key>, row: Row, key: Key): string =>
  cellAt(row, columns[key]);

const REPORT_NAMES = new RegExp(
  '^(journal( report)?|general ledger( detail)?|account (transactions|list)|(custom )?transaction detail.*|' +
    'trial balance|.*contact list|product.*list|open invoices|unpaid bills|a/[rp] aging.*|' +
    'accounts (receivable|payable) aging.*|chart of accounts|all transactions)$',
  'i',
);

/** Returns the company, the period, and the basis from the lines before and after a table. */
export function factsIn({
  title,
  footer,
}: Pick<Report<string>, 'title' | 'footer'>): Pick<FileBooks, 'company' | 'titles' | 'from' | 'to' | 'basis'> {
  const [company, ...others] = namesIn(title);
  const basisLine = [...title, ...footer].find((line) => /\b(accrual|cash) basis\b|^basis:/i.test(line));
  const period = title.map(periodIn).find((found) => found !== undefined);
  return {
    ...(company === undefined ? {} : { company, titles: [company, ...others] }),
    ...(period?.from === undefined ? {} : { from: period.from }),
    ...(period?.to === undefined ? {} : { to: period.to }),
    ...(basisLine === undefined ? {} : { basis: basisOf(basisLine) }),
  };
}

/** Returns the lines above a report that may be the company's name. */
const namesIn = (title: readonly string[]): string[] =>
  title.filter(
    (line) =>
      line !== '' && !REPORT_NAMES.test(line) && periodIn(line) === undefined && !/\bbasis\b|^all dates$/i.test(line),
  );

const basisOf = (line: string): ReportBasis => (/\bcash\b/i.test(line) && !/accrual/i.test(line) ? 'cash' : 'accrual');

const day = (text: string): IsoDate | undefined => parseDate(text) ?? readDay(text)?.mdy;
const MONTH_YEAR = /^([a-z]+),? (\d{4})$/i;

/** Returns the last day of the period in text such as "December 31, 2025" or "December 2025". */
function lastDay(text: string): IsoDate | undefined {
  const month = MONTH_YEAR.exec(text);
  if (!month) return day(text);
  const first = day(`${month[1] ?? ''} 1, ${month[2] ?? ''}`);
  return first && endOfMonth(first);
}

/**
 * Returns the period in a line such as "January 1 - December 31, 2025" or "For the period 1 July 2024 to 30 June 2025".
 */
export function periodIn(line: string): { from?: IsoDate; to?: IsoDate } | undefined {
  const text = line.replace(/^(for the (period|year|month)( ended)?|as (of|at)|from|period:?|dates?:)\s+/i, '').trim();
  const [, month = '', first = '', last = '', sameYear = ''] =
    /^([a-z]+) (\d+) ?[-–] ?(\d+), (\d{4})$/i.exec(text) ?? [];
  if (month !== '') return periodIn(`${month} ${first}, ${sameYear} - ${month} ${last}, ${sameYear}`);
  const parts = text.split(/\s+(?:to|through)\s+|\s*[–—]\s*|\s+-\s+|(?<=[a-z0-9])-(?=[A-Za-z])/);
  const [start = '', end] = parts;
  if (parts.length > 2) return undefined;
  if (end === undefined) {
    const to = lastDay(start);
    return to === undefined || !/\d{4}/.test(start) ? undefined : { to };
  }
  const to = lastDay(end);
  if (to === undefined) return undefined;
  const year = to.slice(0, 4);
  const from =
    day(start) ?? day(`${start}, ${year}`) ?? day(`${start} ${year}`) ?? day(`${start} 1, ${year}`) ?? firstOf(start);
  return from === undefined ? { to } : { from, to };
}

function firstOf(text: string): IsoDate | undefined {
  const month = MONTH_YEAR.exec(text);
  return month ? day(`${month[1] ?? ''} 1, ${month[2] ?? ''}`) : undefined;
}

/** Throws a Refusal if a report is on the cash basis. */
export function refuseCash(file: string, basis: ReportBasis | undefined): void {
  if (basis !== 'cash') return;
  throw refusalAt(
    file,
    'The report is on the cash basis, which hides open invoices and bills. Choose Accrual as the accounting method ' +
      'and export the report again. Evenkeel computes the cash basis from it.',
  );
}

/** Throws a Refusal that lists the missing columns of a report. */
export function refuseMissing<Key extends string>(
  table: Table,
  { headings, required, advice }: { headings: Headings<Key>; required: readonly Key[]; advice: string },
): never {
  const best = table.rows
    .first(HEADER_WITHIN)
    .map((row) => ({ row, columns: columnsIn(row.cells, headings) }))
    .toSorted((a, b) => Object.keys(b.columns).length - Object.keys(a.columns).length)[0];
  const missing = required
    .filter((key) => best?.columns[key] === undefined)
    .map((key) => `“${headings[key][0] ?? key}”`);
  const place = best === undefined ? table.file : { file: table.file, row: best.row.row };
  const columns = missing.length === 1 ? `the column ${missing[0] ?? ''}` : `the columns ${missing.join(', ')}`;
  throw refusalAt(place, `The report doesn't have ${columns}. ${advice}`);
}
