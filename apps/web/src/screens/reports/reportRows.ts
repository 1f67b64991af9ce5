import type { ReportData } from '@evenkeel/contract/reports';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { type PageCell, pageRows, type PageRow } from '@evenkeel/core/reports/page';
import type { MadeOf, ReportSource } from '@evenkeel/core/reports/report';

export type { PageCell, PageRow };
export type Source = ReportSource;

/** A line of which its first words and one of its figures are left, the one that stood in this column. */
export interface LineRow extends PageRow {
  column: number;
}

/** A figure with the words of its column. */
export interface Side {
  title: string;
  amount: Cents;
  source: Source | undefined;
}

/** A figure that was chosen, and what is behind it. */
export interface ChosenFigure {
  key: string;
  /** The words of its row. */
  label: string;
  cell: PageCell;
  source: Source;
  /** A total: behind it are lines of the report, and behind them the entries. */
  isTotal: boolean;
  /** Its column on the page; of a share that of the amount. */
  column: number;
  /** The lines of a total that is the sum of those above it, with its column alone. */
  lines?: readonly LineRow[] | undefined;
  /** The two sides of a difference: one less the other. */
  sides?: readonly [Side, Side] | undefined;
  /** The part and the whole of a percentage. */
  percent?: { text: string; part: Side; whole: Side } | undefined;
}

/** The source of a cell; undefined for words and where none is known. */
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

/** A percentage leads to what it is a part of; a dash, of nothing, leads nowhere. */
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

/** The making of a column from others, by the heads above a row. */
function madeOf(rows: readonly PageRow[], at: number, column: number): MadeOf | undefined {
  const head = headsAbove(rows, at)?.cells[column];
  return head !== undefined && 'text' in head ? head.made : undefined;
}

const headsAbove = (rows: readonly PageRow[], at: number): PageRow | undefined =>
  rows.findLast((row, index) => index <= at && row.look === 'heads');

/** The first words of a row. */
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

/** The sources of either side; the dates are those of the first. */
function joined(sides: ChosenFigure['sides']): Source | undefined {
  const known = sides?.flatMap(({ source }) => source ?? []) ?? [];
  const [first] = known;
  if (first === undefined) return undefined;
  return { ...first, accountIds: [...new Set(known.flatMap(({ accountIds }) => accountIds))] };
}

/** "1000 - Checking" → its number and its name; a label without a number is all name. */
export function splitLabel(label: string): { number: string; name: string } {
  const match = /^(\S+) - (.+)$/.exec(label);
  return { number: match?.[1] ?? '', name: match?.[2] ?? label };
}

/**
 * The lines that a total of totals is made of, those whose accounts are among its own, with its column alone; of a
 * column that a line has nothing in, its first figure.
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

/** The lines of a total's block, or of its section, that have an amount in the column; that alone is left of them. */
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

/** The lines of a list with what some of its columns come to, or its last column when none is named. */
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

/** Words that tell a line from the next: a date, a type and a number. */
const MOST_WORDS = 3;

/** A line's first words and one of its figures. */
function reduced(row: PageRow, figure: PageCell, column = row.cells.indexOf(figure)): LineRow {
  const words = row.cells.flatMap((each) => ('text' in each && each.text !== '' ? [each.text] : []));
  return { ...row, cells: [{ text: words.slice(0, MOST_WORDS).join(' ') }, figure], column };
}

/** The sum of reduced lines; undefined for none. */
export function totalOf(lines: readonly PageRow[]): Cents | undefined {
  const amounts = lines.flatMap(({ cells: [, cell] }) => (cell !== undefined && 'amount' in cell ? [cell.amount] : []));
  return amounts.length === 0 ? undefined : sum(amounts.map((amount) => amount ?? ZERO));
}

/** The source of one line of a total: the total itself has no entries to read. */
export function sourceOf(lines: readonly PageRow[]): Source | undefined {
  for (const { cells } of lines) {
    for (const cell of cells) if ('amount' in cell && cell.source !== undefined) return cell.source;
  }
  return undefined;
}
