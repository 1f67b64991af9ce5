import Papa from 'papaparse';
import { refusalAt } from './books.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import { Numbers, Strings } from './strings.ts';

/** A row in a table, with its number in the file, counted from 1. Cells are trimmed. */
export interface Row {
  row: number;
  cells: readonly string[];
}

/** The nonempty rows in a text file or a sheet. */
export interface Table {
  file: string;
  rows: Rows;
}

const ROW = { number: 0, firstCell: 1 };
const ROW_SIZE = 2;

/** Rows in little memory, like `Transactions`. Each access creates new objects. */
export class Rows implements Iterable<Row> {
  readonly #strings: Strings;
  readonly #heads: Numbers;
  readonly #cells: Numbers;
  readonly #from: number;
  readonly #end: number | undefined;

  /** With `part`, the rows are some of the rows of another table. */
  constructor(part?: { of: Rows; from: number; end: number }) {
    const of = part?.of;
    this.#strings = of === undefined ? new Strings() : of.#strings;
    this.#heads = of === undefined ? new Numbers() : of.#heads;
    this.#cells = of === undefined ? new Numbers() : of.#cells;
    this.#from = part?.from ?? 0;
    this.#end = part?.end;
  }

  push({ row, cells }: Row): void {
    this.#heads.push(row);
    this.#heads.push(this.#cells.length);
    for (const cell of cells) this.#cells.push(cell === '' ? 0 : this.#strings.keep(cell));
  }

  get #all(): number {
    return this.#heads.length / ROW_SIZE;
  }

  get length(): number {
    return (this.#end ?? this.#all) - this.#from;
  }

  /** Returns a row, counted from the end if the index is negative, or undefined if there are fewer rows. */
  at(index: number): Row | undefined {
    const at = index < 0 ? this.length + index : index;
    if (at < 0 || at >= this.length) return undefined;
    const own = this.#from + at;
    const head = (one: number, value: number): number => this.#heads.at(one * ROW_SIZE + value);
    const end = own + 1 < this.#all ? head(own + 1, ROW.firstCell) : this.#cells.length;
    const cells: string[] = [];
    for (let cell = head(own, ROW.firstCell); cell < end; cell += 1) {
      cells.push(this.#strings.text(this.#cells.at(cell)) ?? '');
    }
    return { row: head(own, ROW.number), cells };
  }

  *[Symbol.iterator](): Iterator<Row> {
    const { length } = this;
    for (let index = 0; index < length; index += 1) {
      const row = this.at(index);
      if (row !== undefined) yield row;
    }
  }

  /** Returns the first rows. */
  first(count: number): Row[] {
    return [...this.slice(0, count)];
  }

  /** Returns the rows from an index up to, but not including, another index. */
  slice(from: number, end = this.length): Rows {
    const last = Math.max(from, Math.min(end, this.length));
    return new Rows({ of: this, from: this.#from + from, end: this.#from + last });
  }
}

/** Returns a cell, or an empty string if the row is shorter. */
export const cellAt = ({ cells }: Row, column: number | undefined): string =>
  column === undefined ? '' : (cells[column] ?? '');

/** Returns the only cell with text in a row, or undefined if there are several. */
export function onlyCell({ cells }: Row): string | undefined {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length === 1 ? filled[0] : undefined;
}

const SEPARATORS = [',', '\t', ';', '|'];

/** Returns the separator that splits most of the first rows into several cells. */
function separatorOf(text: string): string {
  const start = text.slice(0, 40_000);
  const scores = SEPARATORS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(start, { delimiter, newline: '\n', preview: 60 });
    const filled = data.map((cells) => cells.length).filter((width) => width > 2);
    return { delimiter, score: filled.length * 1000 + Math.max(0, ...filled) };
  });
  return scores.toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ',';
}

/** The longest text that is searched for the end of a row. Rows within the limits are shorter. */
const MAX_ROW = 20_000_000;

/**
 * Returns the table in the parts of a text. A quoted cell may contain separators and line breaks. Throws a Refusal if a
 * quotation mark is not closed or the table is too large.
 */
export function tableOf(file: string, parts: Iterable<string>): Table {
  const rows = new Rows();
  let parser: CsvParser | undefined;
  let row = 0;
  let rest = '';
  /** Adds the rows of a text, except the last one if it may go on in the next part. Returns the unused text. */
  const take = (text: string, isLast: boolean): string => {
    const { data, errors, meta } = (parser ??= parserFor(text)).parse(text, 0, !isLast);
    const wrong = errors.find(({ type }) => type === 'Quotes')?.row ?? Number.POSITIVE_INFINITY;
    for (const [index, own] of data.entries()) {
      row += 1;
      if (index >= wrong) break;
      checkRow({ file, row }, own);
      const cells = own.map(plainCell);
      if (cells.some((cell) => cell !== '')) rows.push({ row, cells });
    }
    if (wrong < data.length || (isLast && errors.length > 0 && wrong < Number.POSITIVE_INFINITY)) {
      throw refusalAt({ file, row: Math.max(row, 1) }, 'A quotation mark is not closed');
    }
    return text.slice(meta.cursor);
  };
  for (const part of parts) {
    const named = parser === undefined ? /^sep=(.)\n/i.exec(part) : null;
    if (named !== null) {
      parser = parserOf(named[1] ?? ',');
      row = 1;
    }
    rest = take(`${rest}${named === null ? part : part.slice(named[0].length)}`, false);
    if (rest.length > MAX_ROW) throw refusalAt({ file, row: row + 1 }, 'A cell in this row is too long');
  }
  if (rest !== '') take(rest, true);
  return { file, rows };
}

/** The part of Papa's parser that is used. It parses a text without its last row if that may be incomplete. */
interface CsvParser {
  parse(text: string, baseIndex: number, ignoresLastRow: boolean): Papa.ParseResult<string[]>;
}

const parserOf = (delimiter: string): CsvParser => new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' });

const parserFor = (text: string): CsvParser => parserOf(separatorOf(text));

/** Throws a Refusal if a row exceeds the limits. */
export function checkRow(place: { file: string; row: number }, cells: readonly string[]): void {
  if (place.row > MAX_ROWS) throw refusalAt(place, `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows`);
  if (cells.length > MAX_COLUMNS) throw refusalAt(place, `The row has more than ${MAX_COLUMNS} columns`);
  if (cells.some((cell) => cell.length > MAX_CELL)) throw refusalAt(place, 'A cell in this row is too long');
}

/** Returns a cell without the formula (`="0123"`) that keeps its value as text in a spreadsheet. */
function plainCell(cell: string): string {
  const text = cell.trim();
  return text.startsWith('="') && text.endsWith('"') && text.length > 2 ? text.slice(2, -1) : text;
}
