import type { Cents } from '@evenkeel/core/money';
import { readDay } from './days.ts';
import { amountOf, decideMark, isFigure } from './figures.ts';
import { columnsFor, namesColumns, type Role } from './headers.ts';
import type { StatementMapping } from './statement.ts';
import { cellOf, isBlank, isData, type Row } from './table.ts';

/** The place of a table among the rows of a file. */
export interface Frame {
  skip: number;
  header: boolean;
  /** The names of the columns; none of its own are `Column 1` and so on. */
  names: string[];
  rows: Row[];
}

/** Columns as a mapping names them. */
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

/** A preamble is not longer than this. */
const LONGEST_PREAMBLE = 60;
const SAMPLE = 200;

/** Finds where the table begins: at a row that names a date and an amount, else at the first rows that have both. */
export function frameOf(rows: readonly Row[], given: StatementMapping): Frame {
  const start = rows.slice(0, LONGEST_PREAMBLE);
  const named = start.findIndex(({ cells }) => namesColumns(cells));
  const first = firstData(start);
  const head = rows.slice(0, Math.max(0, first)).findLastIndex((row) => !isBlank(row));
  const above = rows[head];
  const isHeaded =
    above !== undefined && above.cells.filter((cell) => cell.trim() !== '').length > 1 && !hasData(above);
  const guessed = named !== -1 ? named : Math.max(0, isHeaded ? head : first);
  const skip = given.skip ?? guessed;
  const header = given.header ?? (skip === guessed ? named !== -1 || isHeaded : !hasData(rows[skip]));
  const below = rows.slice(skip + (header ? 1 : 0));
  const width = Math.max(0, ...rows.slice(skip, skip + SAMPLE).map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, column) => {
    const name = header ? (rows[skip]?.cells[column] ?? '').trim().replace(/\s+/g, ' ') : '';
    return name === '' ? `Column ${column + 1}` : name;
  });
  return { skip, header, names, rows: below };
}

const hasData = (row: Row | undefined): boolean =>
  row !== undefined && row.cells.some((cell) => isFigure(cell) || readDay(cell) !== undefined);

/** The first row with a date and an amount behind which another follows: one alone may be a balance of the preamble. */
function firstData(rows: readonly Row[]): number {
  const found = rows.findIndex((row, index) => {
    const next = rows[index + 1];
    return isData(row) && (next === undefined || isData(next));
  });
  if (found !== -1) return found;
  const single = rows.findIndex(isData);
  return single === -1 ? rows.findIndex(({ cells }) => cells.some((cell) => readDay(cell) !== undefined)) : single;
}

/** Guesses by names first, so that files of one layout are read alike; else by what the cells hold. */
class ColumnGuess {
  readonly columns: Columns;
  readonly #frame: Frame;
  readonly #rows: Row[];

  constructor(frame: Frame, given: Columns) {
    this.#frame = frame;
    this.columns = { ...given };
    const day = this.columns.dateColumn ?? this.#day();
    if (day !== undefined) this.columns.dateColumn = day;
    this.#rows = frame.rows
      .filter(({ cells }) => day !== undefined && readDay(cells[day] ?? '') !== undefined)
      .slice(0, SAMPLE);
    this.#money();
    this.#others();
    this.#words();
  }

  #named(role: Role): number[] {
    return this.#frame.header ? columnsFor(role, this.#frame.names) : [];
  }

  #day(): number | undefined {
    const rows = this.#frame.rows.filter((row) => !isBlank(row)).slice(0, SAMPLE);
    const share = (column: number): number =>
      rows.filter(({ cells }) => readDay(cells[column] ?? '') !== undefined).length / Math.max(1, rows.length);
    const named = this.#named('date').find((column) => rows.length === 0 || share(column) > 0);
    if (named !== undefined) return named;
    const shares = this.#frame.names.map((_, column) => share(column));
    const best = Math.max(0, ...shares);
    return best > 0 ? shares.indexOf(best) : undefined;
  }

  /** True where at least this share of the cells are amounts; the rest is refused when it is read. */
  #isMoney(column: number, share: number): boolean {
    const filled = this.#rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((cell) => cell !== '');
    return filled.filter((cell) => isFigure(cell)).length >= filled.length * share;
  }

  #money(): void {
    const { columns } = this;
    if (columns.amountColumn === undefined && columns.debitColumn === undefined && columns.creditColumn === undefined) {
      this.#namedMoney();
      if (columns.amountColumn === undefined && columns.debitColumn === undefined) this.#writtenMoney();
    }
    const balance = this.#free('balance', (column) => this.#isMoney(column, 1));
    if (balance !== undefined) columns.balanceColumn ??= balance;
  }

  #namedMoney(): void {
    const [debit, credit, amount] = (['debit', 'credit', 'amount'] as const).map((role) =>
      this.#free(role, (column) => this.#isMoney(column, 0.5)),
    );
    if (debit !== undefined && credit !== undefined) {
      Object.assign(this.columns, { debitColumn: debit, creditColumn: credit });
    } else if (amount !== undefined) this.columns.amountColumn = amount;
    else if (debit !== undefined) this.columns.debitColumn = debit;
    else if (credit !== undefined) this.columns.creditColumn = credit;
  }

  /** Without names: one column of amounts, or two of which one is the running balance, or money out and money in. */
  #writtenMoney(): void {
    const found = this.#frame.names
      .map((_, column) => column)
      .filter((column) => column !== this.columns.dateColumn && this.#isMoney(column, 0.9))
      .filter((column) => this.#rows.some(({ cells }) => /\d[.,]\d\d\D*$|[-(+$€£]/.test(cells[column] ?? '')));
    const [first, second, third] = found;
    if (first === undefined) return;
    if (second !== undefined && this.#areExclusive(first, second)) {
      Object.assign(this.columns, { debitColumn: first, creditColumn: second });
      if (third !== undefined) this.columns.balanceColumn ??= third;
    } else {
      this.columns.amountColumn = first;
      if (second !== undefined) this.columns.balanceColumn ??= second;
    }
  }

  #areExclusive(first: number, second: number): boolean {
    const isFilled = (text = ''): boolean => /[1-9]/.test(text);
    return this.#rows.every(({ cells }) => isFilled(cells[first]) !== isFilled(cells[second]));
  }

  #taken(): number[] {
    return Object.values(this.columns)
      .flat()
      .filter((column) => column >= 0);
  }

  #free(role: Role, isFit: (column: number) => boolean): number | undefined {
    const taken = this.#taken();
    return this.#named(role).find((column) => !taken.includes(column) && isFit(column));
  }

  #others(): void {
    const { columns } = this;
    const isSide = (column: number): boolean =>
      this.#rows.length > 0 && this.#rows.every(({ cells }) => sideOf(cells[column] ?? '') !== undefined);
    const direction = columns.amountColumn === undefined ? undefined : this.#free('direction', isSide);
    if (direction !== undefined) columns.directionColumn ??= direction;
    const check = this.#free('check', () => true);
    if (check !== undefined) columns.checkColumn ??= check;
    const bankId = this.#free('bankId', () => true);
    if (bankId !== undefined) columns.bankIdColumn ??= bankId;
  }

  /** The bank's words by their names; without any, whatever else there is. */
  #words(): void {
    if (this.columns.textColumns) return;
    const taken = this.#taken();
    const named = this.#named('text').filter((column) => !taken.includes(column));
    const rest = this.#frame.names.map((_, column) => column).filter((column) => !taken.includes(column));
    this.columns.textColumns = named.length > 0 ? named : rest;
  }
}

/** The columns of a table, as far as they can be told; what is given stays. */
export function guessColumns(frame: Frame, given: Columns): Columns {
  return new ColumnGuess(frame, given).columns;
}

/** Money in or out, as a word beside an amount says it. */
export function sideOf(text: string): 'in' | 'out' | undefined {
  const word = text.trim().toLowerCase();
  if (/^(dr|d|debit|dbit|withdrawal|out|-|s|soll|af)\.?$/.test(word)) return 'out';
  return /^(cr|c|credit|crdt|deposit|in|\+|h|haben|bij)\.?$/.test(word) ? 'in' : undefined;
}

/** An amount of a cell; undefined for an empty one. */
export function optionalAmount(row: Row, column: number | undefined, decimal: '.' | ','): Cents | undefined {
  if (column === undefined || column < 0) return undefined;
  const cell = cellOf(row, column);
  return cell.text === '' ? undefined : amountOf(cell, decimal);
}

/** The decimal mark of all columns of money together. */
export function markOfColumns(rows: readonly Row[], columns: Columns): ReturnType<typeof decideMark> {
  const money = [columns.amountColumn, columns.debitColumn, columns.creditColumn, columns.balanceColumn].filter(
    (column) => column !== undefined && column >= 0,
  );
  const cells = rows.flatMap((row) => money.map((column) => cellOf(row, column ?? 0)));
  return decideMark(cells.filter(({ text }) => text !== ''));
}
