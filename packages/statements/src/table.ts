import Papa from 'papaparse';
import { readDay } from './days.ts';
import { isFigure } from './figures.ts';
import { MOST_LINES, type Placed, unreadable } from './statement.ts';

/** A row in a table: its cells, and the line in the file where it starts. */
export interface Row {
  cells: string[];
  row: number;
}

/** Returns a cell with its position. In messages, columns are numbered from 1. */
export function cellOf({ cells, row }: Row, column: number): Placed {
  return { text: (cells[column] ?? '').trim(), row, column: column + 1 };
}

/** Returns whether all cells in a row are empty. */
export const isBlank = ({ cells }: Row): boolean => cells.every((cell) => cell.trim() === '');

/** Returns whether a row has a date in one cell and an amount in another. */
export function isData({ cells }: Row): boolean {
  const days = cells.filter((cell) => readDay(cell) !== undefined);
  const figures = cells.filter((cell) => isFigure(cell));
  return days.length > 0 && figures.some((cell) => days.length > 1 || cell !== days[0]);
}

/** The maximum number of columns. No bank uses more, and each column takes time to analyze. */
const MOST_COLUMNS = 200;
/** The maximum number of rows, including a preamble and empty rows. */
const MOST_ROWS = MOST_LINES + 2000;
/** The maximum number of lines in the file. Cells may contain line breaks. */
const MOST_FILE_LINES = 1_000_000;

const SEPARATORS = [',', ';', '\t', '|'];
const SAMPLE = 200;
const SAMPLE_LETTERS = 64_000;

function parsed(text: string, separator: string): Papa.ParseResult<string[]> {
  return Papa.parse<string[]>(text, { delimiter: separator, newline: '\n', quoteChar: '"', preview: MOST_ROWS + 1 });
}

/**
 * Returns the separator that splits dates and amounts in most rows. If two separators are equally good, returns the one
 * that results in more cells.
 */
function separatorOf(text: string): string {
  const start = text.slice(0, SAMPLE_LETTERS).split('\n', SAMPLE).join('\n');
  const scores = SEPARATORS.map((separator) => {
    const rows = parsed(start, separator).data.map((cells) => ({ cells: cells.slice(0, MOST_COLUMNS), row: 0 }));
    const widths = rows.map(({ cells }) => cells.length).filter((width) => width > 1);
    const score = rows.filter(isData).length * 1000 + widths.length + Math.max(0, ...widths) / 1000;
    return { separator, score };
  });
  return scores.toSorted((a, b) => b.score - a.score)[0]?.separator ?? ',';
}

/** Throws if a table would be too expensive to read, before any of it is parsed. */
function checkSize(text: string): void {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > MOST_FILE_LINES) throw tooManyRows(count);
  }
}

const tooManyRows = (row: number): Error => unreadable({ row }, 'The file has more than 100,000 statement lines');

/**
 * Returns the rows in text. The separator is the given separator, the separator that the file declares (`sep=;`), or
 * the best-fitting separator.
 */
export function rowsOf(text: string, given?: string): { rows: Row[]; separator: string } {
  checkSize(text);
  const named = /^sep=(.)\n/i.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const separator = given ?? named?.[1] ?? separatorOf(body);
  const first = named ? 2 : 1;
  const { data, errors } = parsed(body, separator);
  const isWhole = errors.every(({ type }) => type !== 'Quotes');
  const rows = isWhole ? placed(data, first) : looseRows(body, separator, first);
  if (rows.length > MOST_ROWS) throw tooManyRows(rows[MOST_ROWS]?.row ?? first);
  const wide = rows.find(({ cells }) => cells.length > MOST_COLUMNS);
  if (wide) throw unreadable(wide, `The file has more than ${MOST_COLUMNS} columns`);
  for (const row of rows) {
    if (row.cells.some((cell) => cell.startsWith('="'))) row.cells = row.cells.map(plainCell);
  }
  return { rows, separator };
}

function placed(data: readonly string[][], first: number): Row[] {
  let line = first;
  return data.map((cells) => {
    const row = line;
    line += 1;
    for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1;
    return { cells, row };
  });
}

/** Removes the formula that prevents a spreadsheet from changing a cell (`="0123"`). */
const plainCell = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') && cell.length > 2 ? cell.slice(2, -1) : cell;

/** The maximum number of lines or characters in a quoted cell of a file with inconsistent quotation marks. */
const MOST_JOINED = 20;
const MOST_LETTERS = 4000;

/**
 * Parses text line by line if its quoted cells contain quotation marks that are not doubled, and returns the rows. A
 * mark ends its cell only before a separator. A row that is parsed in this way must have as many cells as the
 * consistent rows.
 */
function looseRows(text: string, separator: string, first: number): Row[] {
  const lines = text.split('\n');
  const found: Row[] = [];
  const loose: Row[] = [];
  const widths = new Map<number, number>();
  for (let at = 0; at < lines.length; at += 1) {
    const row = first + at;
    let line = lines[at] ?? '';
    let cells = cellsOf(line, separator, true);
    if (cells === undefined) {
      const guess = cellsOf(line, separator, false);
      if (guess !== undefined) loose.push({ cells: guess, row });
      for (let next = at + 1; guess === undefined && cells === undefined; next += 1) {
        line += `\n${lines[next] ?? ''}`;
        const isTooLong = next >= lines.length || next > at + MOST_JOINED || line.length > MOST_LETTERS;
        if (isTooLong) throw openQuote({ row }, lines[at] ?? '', separator);
        cells = cellsOf(line, separator, true);
        if (cells !== undefined) at = next;
      }
      cells ??= guess ?? [];
    } else widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    if (cells.length > MOST_COLUMNS) throw unreadable({ row }, `The file has more than ${MOST_COLUMNS} columns`);
    found.push({ cells, row });
    if (found.length > MOST_ROWS) throw tooManyRows(row);
  }
  const [width] = [...widths].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const odd = width === undefined ? undefined : loose.find(({ cells }) => cells.length !== width);
  if (odd) throw openQuote(odd, lines[odd.row - first] ?? '', separator);
  return found;
}

function openQuote({ row }: { row: number }, line: string, separator: string): Error {
  const before = line.slice(0, line.lastIndexOf(`${separator}"`) + 1);
  const column = line.startsWith('"') && before === '' ? 1 : before.split(separator).length;
  return unreadable({ row, column }, 'A quotation mark is not closed');
}

/**
 * Returns the cells in a line. Returns undefined if a quotation mark is not closed or, with `isStrict`, if a mark
 * inside a cell is not doubled.
 */
function cellsOf(line: string, separator: string, isStrict: boolean): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; at <= line.length;) {
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at);
      const stop = end === -1 ? line.length : end;
      cells.push(line.slice(at, stop));
      at = stop + 1;
      continue;
    }
    const end = closingOf(line, at + 1, { separator, isStrict });
    if (end === undefined) return undefined;
    cells.push(line.slice(at + 1, end).replaceAll('""', '"'));
    at = end + 2;
  }
  return cells;
}

/** Returns the position of the quotation mark that closes a cell. */
function closingOf(
  line: string,
  from: number,
  { separator, isStrict }: { separator: string; isStrict: boolean },
): number | undefined {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    const next = line[at + 1];
    if (isStrict && next === '"') at += 1;
    else if (next === undefined || next === separator) return at;
    else if (isStrict) return undefined;
  }
  return undefined;
}
