import { formatAmount, ZERO } from '@evenkeel/core/money';
import type { ChosenFigure, PageCell, PageRow } from './reportRows.ts';

/** The props of all report tables, in columns or with stacked lines. */
export interface PageTableProps {
  rows: readonly PageRow[];
  /** Returns the source of a row's amount in a column. */
  figureAt: (index: number, column: number) => ChosenFigure | undefined;
  title: string;
  chosen: string | undefined;
  /** Whether the table is being printed, which renders all rows. */
  isPrinting: boolean;
  onFigure: ((figure: ChosenFigure) => void) | undefined;
}

/** The number of columns from which a table counts as wide. */
export const WIDE = 4;

/**
 * The width in px of a character and of the space between columns, and the number of characters from which text may
 * wrap.
 */
const LETTER = 8;
const BETWEEN = 22;
const WRAPS_AT = 16;

export const wordsOfCell = (cell: PageCell | undefined): string =>
  cell !== undefined && 'text' in cell ? cell.text : '';

/** Returns whether the text of a cell is long enough to wrap. */
export const isLong = (cell: PageCell | undefined): boolean => wordsOfCell(cell).length > WRAPS_AT;

export const isRight = (cell: PageCell): boolean => 'amount' in cell || cell.isRight === true;

/** Returns whether a column contains amounts. Text columns take the width that they need. */
export function isFigures(rows: readonly PageRow[], column: number): boolean {
  return rows.some(({ cells }) => {
    const cell = cells[column];
    return cell !== undefined && 'amount' in cell;
  });
}

/** Returns whether the first column is text and all others are amounts. */
export function isOfFigures(rows: readonly PageRow[], columns: number): boolean {
  return Array.from({ length: columns - 1 }, (_, index) => index + 1).every((column) =>
    rows.every(({ look, cells }) => look !== 'line' || cells[column] === undefined || isRight(cells[column])),
  );
}

const lettersOf = (cell: PageCell): number =>
  'text' in cell ? cell.text.length : formatAmount(cell.amount ?? ZERO).length;

/**
 * Yields the cells that determine column widths. Skips titles and the labels of totals, because they extend over
 * adjacent columns.
 */
function* cellsOf(rows: readonly PageRow[]): Generator<[column: number, cell: PageCell]> {
  for (const { cells, look } of rows) {
    if (cells.length === 1) continue;
    for (const [column, cell] of cells.entries()) if (column > 0 || look === 'line') yield [column, cell];
  }
}

/**
 * Returns the width in px that a report's columns need next to each other. Amounts are never truncated. Long text
 * wraps.
 */
export function leastWidth(rows: readonly PageRow[], columns: number): number {
  const letters = Array.from({ length: columns }, () => 0);
  for (const [column, cell] of cellsOf(rows)) {
    const need = 'text' in cell ? Math.min(lettersOf(cell), WRAPS_AT) : lettersOf(cell);
    letters[column] = Math.max(letters[column] ?? 0, need);
  }
  return letters.reduce((all, most) => all + most * LETTER + BETWEEN, 0);
}

/** Returns the cell with the most characters in each column, which is as wide as the whole column. */
export function widestCells(rows: readonly PageRow[], columns: number): (PageCell | undefined)[] {
  const widest: (PageCell | undefined)[] = Array.from({ length: columns });
  const most = Array.from({ length: columns }, () => 0);
  for (const [column, cell] of cellsOf(rows)) {
    const letters = lettersOf(cell);
    if (letters <= (most[column] ?? 0)) continue;
    most[column] = letters;
    widest[column] = cell;
  }
  return widest;
}
