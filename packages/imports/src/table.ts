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

/** The rows of a whole table. */
interface Store {
  readonly length: number;
  /** Returns a row. A store that keeps only some rows parses the table to find the other rows. */
  at(index: number): Row | undefined;
  each(from: number, end: number): Iterable<Row>;
}

/** Some or all rows of a table. Each access creates new objects. */
export class Rows implements Iterable<Row> {
  readonly #store: Store;
  readonly #from: number;
  readonly #end: number;

  constructor(store: Store, from = 0, end = store.length) {
    this.#store = store;
    this.#from = from;
    this.#end = end;
  }

  get length(): number {
    return this.#end - this.#from;
  }

  /** Returns a row, counted from the end if the index is negative, or undefined if there are fewer rows. */
  at(index: number): Row | undefined {
    const at = index < 0 ? this.length + index : index;
    return at < 0 || at >= this.length ? undefined : this.#store.at(this.#from + at);
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.#store.each(this.#from, this.#end)[Symbol.iterator]();
  }

  /** Returns the first rows. */
  first(count: number): Row[] {
    return [...this.part(0, count)];
  }

  /** Returns the rows from an index up to, but not including, another index. */
  part(from: number, end = this.length): Rows {
    return new Rows(this.#store, this.#from + from, this.#from + Math.max(from, Math.min(end, this.length)));
  }
}

export const NO_ROWS = new Rows({ length: 0, at: () => undefined, each: () => [] });

const ROW = { number: 0, firstCell: 1 };
const ROW_SIZE = 2;

/** Rows that are stored compactly, like `Transactions`. */
export class PackedRows implements Store {
  readonly #strings = new Strings();
  readonly #heads = new Numbers();
  readonly #cells = new Numbers();

  push({ row, cells }: Row): void {
    this.#heads.push(row);
    this.#heads.push(this.#cells.length);
    for (const cell of cells) this.#cells.push(cell === '' ? 0 : this.#strings.keep(cell));
  }

  get length(): number {
    return this.#heads.length / ROW_SIZE;
  }

  at(index: number): Row | undefined {
    if (index >= this.length) return undefined;
    const head = (one: number, value: number): number => this.#heads.at(one * ROW_SIZE + value);
    const end = index + 1 < this.length ? head(index + 1, ROW.firstCell) : this.#cells.length;
    const cells: string[] = [];
    for (let cell = head(index, ROW.firstCell); cell < end; cell += 1) {
      cells.push(this.#strings.text(this.#cells.at(cell)) ?? '');
    }
    return { row: head(index, ROW.number), cells };
  }

  *each(from: number, end: number): Generator<Row> {
    for (let index = from; index < end; index += 1) {
      const row = this.at(index);
      if (row !== undefined) yield row;
    }
  }
}

/** The number of rows that a parsed table keeps at each end, where readers look for headings and totals. */
const KEPT = 100;

/** The rows of a large text, which is parsed again for each pass. The text takes less memory than its rows. */
class ParsedRows implements Store {
  readonly #parse: () => Iterable<Row>;
  readonly #start: Row[] = [];
  readonly #rest: Row[] = [];
  length = 0;

  constructor(parse: () => Iterable<Row>) {
    this.#parse = parse;
    for (const row of parse()) {
      if (this.length < KEPT) this.#start.push(row);
      this.#rest.push(row);
      if (this.#rest.length > 2 * KEPT) this.#rest.splice(0, KEPT);
      this.length += 1;
    }
  }

  at(index: number): Row | undefined {
    const kept = this.#start[index] ?? this.#rest[index - (this.length - this.#rest.length)];
    if (kept !== undefined || index >= this.length) return kept;
    for (const row of this.each(index, index + 1)) return row;
    return undefined;
  }

  *each(from: number, end: number): Generator<Row> {
    if (end <= this.#start.length) {
      yield* this.#start.slice(from, end);
      return;
    }
    let index = 0;
    for (const row of this.#parse()) {
      if (index >= end) return;
      if (index >= from) yield row;
      index += 1;
    }
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

/** The maximum length of the text that is searched for the end of a row. Rows within the limits are shorter. */
const MAX_ROW = 20_000_000;

/**
 * Returns the table in a text that is given in parts. A quoted cell may contain separators and line breaks. Throws a
 * Refusal if a quotation mark is not closed or the table is too large. With `isLarge`, the text is parsed again for
 * each pass.
 */
export function tableOf(file: string, parts: () => Iterable<string>, isLarge = false): Table {
  if (isLarge) return { file, rows: new Rows(new ParsedRows(() => rowsIn(file, parts()))) };
  const rows = new PackedRows();
  for (const row of rowsIn(file, parts())) rows.push(row);
  return { file, rows: new Rows(rows) };
}

function* rowsIn(file: string, parts: Iterable<string>): Generator<Row> {
  let parser: CsvParser | undefined;
  let row = 0;
  let rest = '';
  for (const part of parts) {
    const named = parser === undefined ? /^sep=(.)\n/i.exec(part) : null;
    if (named !== null) {
      parser = parserOf(named[1] ?? ',');
      row = 1;
    }
    const text = `${rest}${named === null ? part : part.slice(named[0].length)}`;
    parser ??= parserOf(separatorOf(text));
    const { count, used } = yield* rowsOfPart({ file, parser, text, row, isLast: false });
    row += count;
    rest = text.slice(used);
    if (rest.length > MAX_ROW) throw refusalAt({ file, row: row + 1 }, 'A cell in this row is too long');
  }
  if (rest !== '' && parser !== undefined) yield* rowsOfPart({ file, parser, text: rest, row, isLast: true });
}

/**
 * Returns the rows of a text that come after a number of earlier rows. Omits the last row if it may continue in the
 * next part. Also returns the number of all rows, including empty ones, and the number of characters in them.
 */
function* rowsOfPart({
  file,
  parser,
  text,
  row: before,
  isLast,
}: {
  file: string;
  parser: CsvParser;
  text: string;
  row: number;
  isLast: boolean;
}): Generator<Row, { count: number; used: number }> {
  const { data, errors, meta } = parser.parse(text, 0, !isLast);
  const wrong = errors.find(({ type }) => type === 'Quotes')?.row;
  for (const [index, own] of data.entries()) {
    const row = before + index + 1;
    if (index === wrong) throw refusalAt({ file, row }, NOT_CLOSED);
    checkRow({ file, row }, own);
    const cells = own.map(plainCell);
    if (cells.some((cell) => cell !== '')) yield { row, cells };
  }
  if (isLast && wrong !== undefined) throw refusalAt({ file, row: before + data.length }, NOT_CLOSED);
  return { count: data.length, used: meta.cursor };
}

const NOT_CLOSED = 'A quotation mark is not closed';

/** The part of Papa's parser that is used. It parses a text without its last row if that row may be incomplete. */
interface CsvParser {
  parse(text: string, baseIndex: number, ignoresLastRow: boolean): Papa.ParseResult<string[]>;
}

const parserOf = (delimiter: string): CsvParser => new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' });

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
