import { formatAmount, formatWhole, ZERO } from '@evenkeel/core/money';
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

/** The minimum number of columns in a wide table. */
export const WIDE = 4;

/**
 * The width in px of a character and of the space between columns, and the minimum number of characters in text that
 * can wrap.
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

/** The columns of a statement with many amounts, which fill the pane in small type. */
export interface DenseColumns {
  /** Whether amounts are whole dollars, because cents don't fit. */
  isWhole: boolean;
  /** The width of each column in px. If their total is more than the pane, the amounts scroll below the labels. */
  widths: readonly number[];
}

/** The minimum number of columns in a dense statement. */
const DENSE = 7;
/**
 * The widths in px of the labels, of an amount (its minimum), and of the last amount. There is one set for amounts with
 * cents, and one for whole dollars.
 */
const WITH_CENTS = { label: 216, amount: 69, last: 104 };
const IN_DOLLARS = { label: 212, amount: 58, last: 88 };
/** The widths in px of a bold digit and of a comma, point, or parenthesis in small type. */
const DIGIT = 7.7;
const MARK = 3.4;
/** The width in px of the heading Difference. */
const DIFFERENCE = 70;
/** The padding in px of a cell, and of the last cell on its right. */
const PADDING = 8;
const EDGE = 24;

const widthOfText = (text: string): number => {
  const digits = text.replace(/[^\d%$A-Za-z]/g, '').length;
  return Math.ceil(digits * DIGIT + (text.length - digits) * MARK);
};

function denseWidths(rows: readonly PageRow[], columns: number, isWhole: boolean): number[] {
  const least = isWhole ? IN_DOLLARS : WITH_CENTS;
  const widths = Array.from({ length: columns }, (_, column) =>
    column === 0 ? least.label : column === columns - 1 ? least.last : least.amount,
  );
  for (const { cells, look } of rows) {
    for (const [column, cell] of cells.entries()) {
      if ('text' in cell && cell.made?.as === 'effect') widths[column] = Math.max(widths[column] ?? 0, DIFFERENCE);
      if (column === 0 || ('text' in cell && look === 'heads')) continue;
      const text = 'text' in cell ? cell.text : (isWhole ? formatWhole : formatAmount)(cell.amount ?? ZERO);
      const need = widthOfText(text) + PADDING + (column === columns - 1 ? EDGE - PADDING / 2 : 0);
      widths[column] = Math.max(widths[column] ?? 0, need);
    }
  }
  return widths;
}

/**
 * Returns the columns of a statement with many amounts, for a pane of this width (0 if unknown). Undefined for other
 * reports.
 */
export function denseColumns(rows: readonly PageRow[], columns: number, room: number): DenseColumns | undefined {
  if (columns < DENSE || !isOfFigures(rows, columns)) return undefined;
  const widths = denseWidths(rows, columns, false);
  if (room === 0 || widths.reduce((all, width) => all + width, 0) <= room) return { isWhole: false, widths };
  return { isWhole: true, widths: denseWidths(rows, columns, true) };
}

/** Returns the cell with the most characters in each column, which determines the column's width. */
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
