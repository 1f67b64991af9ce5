import type { Cents } from '@evenkeel/core/money';
import { readDay } from './days.ts';
import { amountOf, decideMark, type DecidedMark, isFigure } from './figures.ts';
import { columnsFor, namesColumns } from './headers.ts';
import type { StatementMapping } from './statement.ts';
import { cellOf, isBlank, isData, type Row } from './table.ts';

/** The position of a table among the rows of a file. */
export interface Frame {
  skip: number;
  header: boolean;
  /** The number of columns, counted up to the last column with a name. */
  width: number;
  /** The names of the columns, or `Column 1` and so on for columns without a name. */
  names: string[];
  rows: Row[];
}

/** The columns in the format of a mapping. */
export type Columns = Pick<
  StatementMapping,
  | 'dateColumn'
  | 'amountColumn'
  | 'debitColumn'
  | 'creditColumn'
  | 'directionColumn'
  | 'textColumns'
  | 'checkColumn'
  | 'bankIdColumn'
  | 'balanceColumn'
>;

/** The maximum number of rows before the table. */
const LONGEST_PREAMBLE = 60;
const SAMPLE = 200;

/**
 * Finds the start of the table: a header row with a date and an amount or, without a header, the first rows that have
 * both.
 */
export function frameOf(rows: readonly Row[], given: StatementMapping): Frame {
  const start = rows.slice(0, LONGEST_PREAMBLE);
  const titled = start.findIndex(({ cells }) => namesColumns(cells));
  const first = firstData(start);
  const head = rows.slice(0, Math.max(0, first)).findLastIndex((row) => !isBlank(row));
  const above = rows[head];
  const named = above?.cells.filter((cell) => cell.trim() !== '').length ?? 0;
  // Rows before the table are shorter than the rows in it. If there are many names, the last name may be missing.
  const needed = rows.slice(first, first + SAMPLE).reduce((most, { cells }) => Math.max(most, lastOf(cells)), 0);
  const isHeaded =
    above !== undefined && named > 1 && lastOf(above.cells) >= needed - (named > 2 ? 1 : 0) && !hasData(above);
  const guessed = titled !== -1 ? titled : Math.max(0, isHeaded ? head : first);
  const skip = given.skip ?? guessed;
  const header = given.header ?? (skip === guessed ? titled !== -1 || isHeaded : !hasData(rows[skip]));
  const below = rows.slice(skip + (header ? 1 : 0));
  const width = rows.slice(skip, skip + SAMPLE).reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const names = Array.from({ length: width }, (_, column) => {
    const name = header ? (rows[skip]?.cells[column] ?? '').trim().replace(/\s+/g, ' ') : '';
    return name === '' ? `Column ${column + 1}` : name;
  });
  const lastNamed = header ? lastOf(rows[skip]?.cells ?? []) + 1 : width;
  // A column without a name counts if every row has a value in that column.
  const filled = firstOf(below, isData, SAMPLE);
  const least = filled.reduce((fewest, { cells }) => Math.min(fewest, lastOf(cells) + 1), width);
  return { skip, header, width: Math.max(lastNamed, least), names, rows: below };
}

/** Returns the first rows that meet a condition. Testing all rows of a long file would take much longer. */
function firstOf(rows: readonly Row[], isWanted: (row: Row) => boolean, most: number): Row[] {
  const found: Row[] = [];
  for (const row of rows) {
    if (found.length === most) break;
    if (isWanted(row)) found.push(row);
  }
  return found;
}

const lastOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== '');

const hasData = (row: Row | undefined): boolean =>
  row !== undefined && row.cells.some((cell) => isFigure(cell) || readDay(cell) !== undefined);

/**
 * Returns the first of two consecutive rows that both have a date and an amount. A single row with both may be a
 * balance above the table.
 */
function firstData(rows: readonly Row[]): number {
  const found = rows.findIndex((row, index) => {
    const next = rows[index + 1];
    return isData(row) && (next === undefined || isData(next));
  });
  if (found !== -1) return found;
  const single = rows.findIndex(isData);
  return single === -1 ? rows.findIndex(({ cells }) => cells.some((cell) => readDay(cell) !== undefined)) : single;
}

/** The maximum number of rows that are used to identify the columns. */
const SAMPLE_ROWS = 200;

/** Returns whether a column is given. −1 means that there is none. */
export const isGiven = (column: number | undefined): column is number => column !== undefined && column >= 0;

/** Returns the columns that are in a mapping. */
export function columnsOf(mapping: Columns): Columns {
  const { textColumns, ...rest } = mapping;
  const names = [
    'dateColumn',
    'amountColumn',
    'debitColumn',
    'creditColumn',
    'directionColumn',
    'checkColumn',
    'bankIdColumn',
    'balanceColumn',
  ] as const;
  const found: Columns = textColumns ? { textColumns } : {};
  for (const name of names) {
    const column = rest[name];
    if (column !== undefined) found[name] = column;
  }
  return found;
}

/** Returns the amount columns that a mapping contains. */
export function moneyColumns(columns: Columns): number[] {
  const { amountColumn, debitColumn, creditColumn, balanceColumn } = columns;
  return [amountColumn, debitColumn, creditColumn, balanceColumn].filter(isGiven);
}

/**
 * Returns the date column: the first column whose name indicates a date and that contains dates. Without names, it is
 * the only column that contains only dates. If several columns qualify, the user is asked.
 */
export function dayColumn(frame: Frame): { dateColumn?: number; asked?: number[] } {
  const rows = frame.rows.filter((row) => !isBlank(row)).slice(0, SAMPLE_ROWS);
  const share = (column: number): number =>
    rows.filter(({ cells }) => readDay(cells[column] ?? '') !== undefined).length / Math.max(1, rows.length);
  const named = frame.header ? columnsFor('date', frame.names) : [];
  const fitting = named.find((column) => rows.length === 0 || share(column) > 0);
  if (fitting !== undefined) return { dateColumn: fitting };
  const shares = frame.names.map((_, column) => share(column));
  const best = shares.reduce((a, b) => Math.max(a, b), 0);
  if (best === 0) return {};
  const equal = shares.flatMap((one, column) => (one === best ? [column] : []));
  const [first = 0, ...others] = equal;
  const isSame = others.every((other) => rows.every(({ cells }) => isSameDay(cells[first], cells[other])));
  return isSame ? { dateColumn: first } : { asked: equal };
}

const isSameDay = (a = '', b = ''): boolean => JSON.stringify(readDay(a)) === JSON.stringify(readDay(b));

/**
 * Returns the columns other than dates and amounts: check number, bank ID, and text. Columns in the mapping don't
 * change.
 */
export function otherColumns(frame: Frame, columns: Columns): Columns {
  const found = { ...columns };
  const taken = (): number[] => Object.values(found).flat().filter(isGiven);
  for (const [role, name] of [
    ['check', 'checkColumn'],
    ['bankId', 'bankIdColumn'],
  ] as const) {
    const column = frame.header ? columnsFor(role, frame.names).find((one) => !taken().includes(one)) : undefined;
    if (column !== undefined) found[name] ??= column;
  }
  if (found.textColumns) return found;
  const free = frame.names.map((_, column) => column).filter((column) => !taken().includes(column));
  const named = frame.header ? columnsFor('text', frame.names).filter((column) => free.includes(column)) : [];
  // The text columns are identified by name. If no name matches, all remaining columns are used.
  return { ...found, textColumns: named.length > 0 ? named : free };
}

/** Returns the other words in a row without text, because the payee may be in a separate column. */
export function otherWords(row: Row, columns: Columns): string[] {
  const taken = Object.values(columns).flat();
  return row.cells.filter(
    (cell, column) => !taken.includes(column) && /\p{L}/u.test(cell) && !isFigure(cell) && readDay(cell) === undefined,
  );
}

/** Returns the amount in a cell, or undefined if the cell is empty. */
export function optionalAmount(row: Row, column: number | undefined, decimal: '.' | ','): Cents | undefined {
  if (column === undefined || column < 0) return undefined;
  const cell = cellOf(row, column);
  return cell.text === '' ? undefined : amountOf(cell, decimal);
}

/** Decides the decimal mark for all amount columns together. */
export function markOfColumns(rows: readonly Row[], columns: Columns): DecidedMark {
  const money = moneyColumns(columns);
  const cells = rows.flatMap((row) => money.map((column) => cellOf(row, column)));
  return decideMark(cells.filter(({ text }) => text !== ''));
}
