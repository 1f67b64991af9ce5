import { formatAmount, ZERO } from '@evenkeel/core/money';
import type { ChosenFigure, PageCell, PageRow } from './reportRows.ts';

/** Props of every table of a report, in columns or with stacked lines. */
export interface PageTableProps {
  rows: readonly PageRow[];
  /** Leads to the entries behind the figure of a row in a column. */
  figureAt: (index: number, column: number) => ChosenFigure | undefined;
  title: string;
  chosen: string | undefined;
  /** All rows are drawn then. */
  isPrinting: boolean;
  onFigure: ((figure: ChosenFigure) => void) | undefined;
}

/** More than words and three figures a row. */
export const WIDE = 4;

/** px of a letter or digit, of what stands between columns, and letters at which words may wrap. */
const LETTER = 8;
const BETWEEN = 22;
const WRAPS_AT = 16;

export const wordsOfCell = (cell: PageCell | undefined): string =>
  cell !== undefined && 'text' in cell ? cell.text : '';

/** Words that may wrap where others stay on their line. */
export const isLong = (cell: PageCell | undefined): boolean => wordsOfCell(cell).length > WRAPS_AT;

export const isRight = (cell: PageCell): boolean => 'amount' in cell || cell.isRight === true;

/** Whether a column holds amounts; words take what room they need. */
export function isFigures(rows: readonly PageRow[], column: number): boolean {
  return rows.some(({ cells }) => {
    const cell = cells[column];
    return cell !== undefined && 'amount' in cell;
  });
}

/** Words first and nothing but figures after them. */
export function isOfFigures(rows: readonly PageRow[], columns: number): boolean {
  return Array.from({ length: columns - 1 }, (_, index) => index + 1).every((column) =>
    rows.every(({ look, cells }) => look !== 'line' || cells[column] === undefined || isRight(cells[column])),
  );
}

const lettersOf = (cell: PageCell): number =>
  'text' in cell ? cell.text.length : formatAmount(cell.amount ?? ZERO).length;

/** Titles and the words of totals run over the columns beside them: these cells have a column of their own. */
function* cellsOf(rows: readonly PageRow[]): Generator<[column: number, cell: PageCell]> {
  for (const { cells, look } of rows) {
    if (cells.length === 1) continue;
    for (const [column, cell] of cells.entries()) if (column > 0 || look === 'line') yield [column, cell];
  }
}

/** px across that a report's columns need beside each other: amounts are never cut, words wrap where they are long. */
export function leastWidth(rows: readonly PageRow[], columns: number): number {
  const letters = Array.from({ length: columns }, () => 0);
  for (const [column, cell] of cellsOf(rows)) {
    const need = 'text' in cell ? Math.min(lettersOf(cell), WRAPS_AT) : lettersOf(cell);
    letters[column] = Math.max(letters[column] ?? 0, need);
  }
  return letters.reduce((all, most) => all + most * LETTER + BETWEEN, 0);
}

/** The cell with the most letters of each column: columns that hold these are as wide as those that hold all. */
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
