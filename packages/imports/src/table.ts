import Papa from 'papaparse';
import { refusalAt } from './books.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_ROWS } from './limits.ts';

/** A row in a table, with its number in the file, counted from 1. Cells are trimmed. */
export interface Row {
  row: number;
  cells: readonly string[];
}

/** The nonempty rows in a text file or a sheet. */
export interface Table {
  file: string;
  rows: readonly Row[];
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

/**
 * Returns the table in text. A quoted cell may contain separators and line breaks. Throws a Refusal if a quotation mark
 * is not closed or the table is too large.
 */
export function tableOf(file: string, text: string): Table {
  const named = /^sep=(.)\n/i.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const delimiter = named?.[1] ?? separatorOf(body);
  const rows: Row[] = [];
  const intern = interned();
  let row = named ? 1 : 0;
  // Rows are received one by one, because receiving all of them at once would take twice the memory.
  Papa.parse<string[]>(body, {
    delimiter,
    newline: '\n',
    quoteChar: '"',
    step: ({ data, errors }) => {
      row += 1;
      if (errors.some(({ type }) => type === 'Quotes'))
        throw refusalAt({ file, row }, 'A quotation mark is not closed');
      checkRow({ file, row }, data);
      const cells = data.map((cell) => intern(plainCell(cell)));
      if (cells.some((cell) => cell !== '')) rows.push({ row, cells });
    },
  });
  return { file, rows };
}

const MAX_INTERNED = 200_000;

/** Returns a function that returns the same string object for equal strings. Most cells in a report are repeated. */
export function interned(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (text.length <= 60 && known.size < MAX_INTERNED) known.set(text, text);
    return text;
  };
}

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
