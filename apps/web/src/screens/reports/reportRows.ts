import type { ReportData } from '@evenkeel/contract/reports';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { type PageCell, pageRows, type PageRow } from '@evenkeel/core/reports/page';
import type { MadeOf, ReportSource } from '@evenkeel/core/reports/report';

export type { PageCell, PageRow };
export type Source = ReportSource;

/** A line reduced to its first text cells and one amount, with the column that the amount came from. */
export interface LineRow extends PageRow {
  column: number;
}

/** An amount with the label of its column. */
export interface Side {
  title: string;
  amount: Cents;
  source: Source | undefined;
}

/** A selected amount and its source. */
export interface ChosenFigure {
  key: string;
  /** The text of the amount's row. */
  label: string;
  cell: PageCell;
  source: Source;
  /** Whether the amount is a total. A total opens report lines, which open their entries. */
  isTotal: boolean;
  /** The amount's column in the report. For a share, the column of the amount that it is a share of. */
  column: number;
  /** The lines that a total adds up, reduced to the total's column. */
  lines?: readonly LineRow[] | undefined;
  /** The two sides of a difference, the second subtracted from the first. */
  sides?: readonly [Side, Side] | undefined;
  /** The part and the whole of a percentage. */
  percent?: { text: string; part: Side; whole: Side } | undefined;
}

/** Returns the source of a cell. Undefined for text, or if there is no source. */
export function figureAt(rows: readonly PageRow[], at: number, column: number): ChosenFigure | undefined {
  const row = rows[at];
  const cell = row?.cells[column];
  if (row === undefined || cell === undefined || column === 0 || row.look === 'heads') return undefined;
  const made = madeOf(rows, at, column);
  const key = `${row.key}/${column}`;
  if (made?.as === 'percent' || made?.as === 'share') return percentAt(rows, at, { cell, made, key });
  if ('text' in cell || cell.amount === null) return undefined;
  const sides = made === undefined ? undefined : sidesAt(rows, at, made);
  const isTotal = row.look !== 'line';
  const above = isTotal ? linesAbove(rows, at, column) : [];
  const lines = totalOf(above) === cell.amount ? above : undefined;
  const source = cell.source ?? joined(sides) ?? sourceOf(lines ?? []);
  if (source === undefined) return undefined;
  return { key, label: wordsOf(row), cell, source, isTotal, column, lines, sides };
}

/**
 * Returns the source of a percentage, which is the source of the amount that the percentage is a share of. A dash has
 * no source.
 */
function percentAt(
  rows: readonly PageRow[],
  at: number,
  { cell, made, key }: { cell: PageCell; made: MadeOf; key: string },
): ChosenFigure | undefined {
  if (!('text' in cell) || !/\d/.test(cell.text)) return undefined;
  const [base, part] = [figureAt(rows, at, made.of), sideAt(rows, at, made.of)];
  const share = { title: 'Total Income', amount: made.whole ?? ZERO, source: undefined };
  const whole = made.as === 'share' ? share : sideAt(rows, at, made.by);
  if (base === undefined || part === undefined || whole === undefined) return undefined;
  return { ...base, key, cell, percent: { text: cell.text, part, whole } };
}

/** Returns how a column is calculated from others, according to the headings above a row. */
function madeOf(rows: readonly PageRow[], at: number, column: number): MadeOf | undefined {
  const head = headsAbove(rows, at)?.cells[column];
  return head !== undefined && 'text' in head ? head.made : undefined;
}

/** Returns whether an amount decreases net income compared with the budget. */
export function isLoss(cell: PageCell | undefined, head: PageCell | undefined): boolean {
  if (cell === undefined || !('amount' in cell) || cell.amount === null || cell.amount >= 0) return false;
  return head !== undefined && 'text' in head && head.made?.as === 'effect';
}

const headsAbove = (rows: readonly PageRow[], at: number): PageRow | undefined =>
  rows.findLast((row, index) => index <= at && row.look === 'heads');

/** Returns the first text cell of a row. */
export const wordsOf = ({ cells: [first] }: PageRow): string =>
  first !== undefined && 'text' in first ? first.text : '';

function sideAt(rows: readonly PageRow[], at: number, column = 0): Side | undefined {
  const cell = rows[at]?.cells[column];
  const head = headsAbove(rows, at)?.cells[column];
  if (cell === undefined || !('amount' in cell) || cell.amount === null) return undefined;
  return { title: head !== undefined && 'text' in head ? head.text : '', amount: cell.amount, source: cell.source };
}

function sidesAt(rows: readonly PageRow[], at: number, made: MadeOf): readonly [Side, Side] | undefined {
  if (made.as !== 'difference') return undefined;
  const [of, less] = [sideAt(rows, at, made.of), sideAt(rows, at, made.by)];
  return of === undefined || less === undefined ? undefined : [of, less];
}

/** Returns the combined source of both sides, with the dates of the first side. */
function joined(sides: ChosenFigure['sides']): Source | undefined {
  const known = sides?.flatMap(({ source }) => source ?? []) ?? [];
  const [first] = known;
  if (first === undefined) return undefined;
  return { ...first, accountIds: [...new Set(known.flatMap(({ accountIds }) => accountIds))] };
}

/** Splits "1000 - Checking" into number and name. A label without a number is only a name. */
export function splitLabel(label: string): { number: string; name: string } {
  const match = /^(\S+) - (.+)$/.exec(label);
  return { number: match?.[1] ?? '', name: match?.[2] ?? label };
}

/**
 * Returns the lines in a total of totals: the lines whose accounts are part of the total. Each line is reduced to the
 * total's column. A line that is empty in that column keeps its first amount.
 */
export function linesBehind(report: ReportData, { source, column }: { source: Source; column: number }): LineRow[] {
  const accounts = new Set(source.accountIds);
  return pageRows(report).flatMap((row) => {
    const figures = row.cells.filter((cell) => 'amount' in cell && cell.amount !== null);
    const own = row.cells[column];
    const figure = own !== undefined && figures.includes(own) ? own : figures[0];
    const isBehind = figures.some((cell) => 'amount' in cell && isWithin(cell.source, accounts));
    return row.look === 'line' && figure !== undefined && isBehind ? [reduced(row, figure)] : [];
  });
}

const isWithin = (source: Source | undefined, accounts: ReadonlySet<number>): boolean =>
  source?.accountIds.every((id) => accounts.has(id)) === true;

/** Returns the lines of a total's block or section that have an amount in the column, reduced to that column. */
export function linesAbove(rows: readonly PageRow[], at: number, column: number): LineRow[] {
  const look = rows[at]?.look;
  if (look === 'summary') return [];
  const starts = look === 'blockTotal' ? ['block', 'blockTotal', 'section', 'heads'] : ['heads', 'section'];
  const start = rows.findLastIndex((row, index) => index < at && starts.includes(row.look)) + 1;
  return rows.slice(start, at).flatMap((row) => {
    const cell = row.cells[column];
    if (row.look !== 'line' || cell === undefined || !('amount' in cell) || cell.amount === null) return [];
    return [reduced(row, cell)];
  });
}

/**
 * Returns the lines of a list, each with the total of its amounts in the named columns. Defaults to the last column.
 */
export function linesOf(report: ReportData, columns: readonly string[] | undefined): LineRow[] {
  const rows = pageRows(report);
  const titles = report.reportSections[0]?.columnHeaders.map(({ headerText }) => headerText) ?? [];
  const wanted = columns?.map((title) => titles.indexOf(title)) ?? [titles.length - 1];
  return rows.flatMap((row) => {
    const figures = wanted.flatMap((column) => {
      const cell = row.cells[column];
      return cell !== undefined && 'amount' in cell && cell.amount !== null ? [cell] : [];
    });
    const [first] = figures;
    if (row.look !== 'line' || first === undefined) return [];
    const amount = sum(figures.flatMap((cell) => cell.amount ?? []));
    return [reduced(row, { ...first, amount }, row.cells.indexOf(first))];
  });
}

/** The number of text cells that identify a line: a date, a type, and a number. */
const MOST_WORDS = 3;

/** Returns a line's first text cells and one of its amounts. */
function reduced(row: PageRow, figure: PageCell, column = row.cells.indexOf(figure)): LineRow {
  const words = row.cells.flatMap((each) => ('text' in each && each.text !== '' ? [each.text] : []));
  return { ...row, cells: [{ text: words.slice(0, MOST_WORDS).join(' ') }, figure], column };
}

/** Returns the total of reduced lines, or undefined if there are none. */
export function totalOf(lines: readonly PageRow[]): Cents | undefined {
  const amounts = lines.flatMap(({ cells: [, cell] }) => (cell !== undefined && 'amount' in cell ? [cell.amount] : []));
  return amounts.length === 0 ? undefined : sum(amounts.map((amount) => amount ?? ZERO));
}

/** Returns the first source found in the lines, because a total has no entries of its own. */
export function sourceOf(lines: readonly PageRow[]): Source | undefined {
  for (const { cells } of lines) {
    for (const cell of cells) if ('amount' in cell && cell.source !== undefined) return cell.source;
  }
  return undefined;
}
