import Papa from 'papaparse';
import { readDay } from './days.ts';
import { isFigure } from './figures.ts';
import { type Placed, unreadable } from './statement.ts';

/** A row of a table: its cells, and the line of the file that it begins at. */
export interface Row {
  cells: string[];
  row: number;
}

/** A cell with its place; columns count from 1 where a person reads them. */
export function cellOf({ cells, row }: Row, column: number): Placed {
  return { text: (cells[column] ?? '').trim(), row, column: column + 1 };
}

/** True for a row without a letter. */
export const isBlank = ({ cells }: Row): boolean => cells.every((cell) => cell.trim() === '');

/** True for a row with a date in one cell and an amount in another. */
export function isData({ cells }: Row): boolean {
  const days = cells.filter((cell) => readDay(cell) !== undefined);
  const figures = cells.filter((cell) => isFigure(cell));
  return days.length > 0 && figures.some((cell) => days.length > 1 || cell !== days[0]);
}

const SEPARATORS = [',', ';', '\t', '|'];
const SAMPLE = 200;

function parsed(text: string, separator: string): Papa.ParseResult<string[]> {
  return Papa.parse<string[]>(text, { delimiter: separator, newline: '\n', quoteChar: '"' });
}

/** The separator that sets dates and amounts apart in most rows; between equals the one with more cells. */
function separatorOf(text: string): string {
  const start = text.split('\n', SAMPLE).join('\n');
  const scores = SEPARATORS.map((separator) => {
    const rows = parsed(start, separator).data.map((cells) => ({ cells, row: 0 }));
    const widths = rows.map(({ cells }) => cells.length).filter((width) => width > 1);
    const score = rows.filter(isData).length * 1000 + widths.length + Math.max(0, ...widths) / 1000;
    return { separator, score };
  });
  return scores.toSorted((a, b) => b.score - a.score)[0]?.separator ?? ',';
}

/** Quotation marks that were not closed would swallow lines: refused. One inside of a line is a letter like others. */
function checkQuotes({ data, errors }: Papa.ParseResult<string[]>, rows: readonly Row[]): void {
  for (const { type, code, row: index = 0 } of errors) {
    const isSwallowing = data[index]?.some((cell) => cell.includes('\n')) ?? true;
    if (type !== 'Quotes' || (code === 'InvalidQuotes' && !isSwallowing)) continue;
    const row = rows[index]?.row ?? 1;
    const column = (data[index]?.findIndex((cell) => cell.includes('\n')) ?? 0) + 1;
    throw unreadable({ row, column: Math.max(1, column) }, 'A quotation mark is opened and not closed');
  }
}

/** The rows of a text, and the separator that was given, that the file itself names (`sep=;`), or that fits best. */
export function rowsOf(text: string, given?: string): { rows: Row[]; separator: string } {
  const named = /^sep=(.)\n/i.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const separator = given ?? named?.[1] ?? separatorOf(body);
  const result = parsed(body, separator);
  let line = named ? 2 : 1;
  const rows = result.data.map((cells) => {
    const row = line;
    line += 1;
    for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1;
    return { cells, row };
  });
  checkQuotes(result, rows);
  return { rows, separator };
}
