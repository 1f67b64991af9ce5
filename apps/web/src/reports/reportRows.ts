import type { ReportData } from '@evenkeel/contract/reports';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { type PageCell as Cell, pageRows, type PageRow as Row } from '@evenkeel/core/reports/page';

export type Source = NonNullable<ReportData['reportSections'][number]['source']>;
export type PageCell = Cell<Source>;
export type PageRow = Row<Source>;

/** "1000 - Checking" → its number and its name; a label without a number is all name. */
export function splitLabel(label: string): { number: string; name: string } {
  const match = /^(\S+) - (.+)$/.exec(label);
  return { number: match?.[1] ?? '', name: match?.[2] ?? label };
}

/**
 * The lines that a total of totals is made of, those whose accounts are among its own, with its column alone; of a
 * column that a line has nothing in, its first figure.
 */
export function linesBehind(report: ReportData, { source, column }: { source: Source; column: number }): PageRow[] {
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
export function linesAbove(rows: readonly PageRow[], at: number, column: number): PageRow[] {
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
export function linesOf(report: ReportData, columns: readonly string[] | undefined): PageRow[] {
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
    return [reduced(row, { ...first, amount })];
  });
}

/** What tells a line from the next: a date, a type and a number. */
const MOST_WORDS = 3;

/** A line's first words and one of its figures. */
function reduced(row: PageRow, figure: PageCell): PageRow {
  const words = row.cells.flatMap((each) => ('text' in each && each.text !== '' ? [each.text] : []));
  return { ...row, cells: [{ text: words.slice(0, MOST_WORDS).join(' ') }, figure] };
}

/** What reduced lines come to; undefined of none. */
export function totalOf(lines: readonly PageRow[]): Cents | undefined {
  const amounts = lines.flatMap(({ cells: [, cell] }) => (cell !== undefined && 'amount' in cell ? [cell.amount] : []));
  return amounts.length === 0 ? undefined : sum(amounts.map((amount) => amount ?? ZERO));
}

/** What some line of a total has behind it: the total itself is not asked for entries. */
export function sourceOf(lines: readonly PageRow[]): Source | undefined {
  for (const { cells } of lines) {
    for (const cell of cells) if ('amount' in cell && cell.source !== undefined) return cell.source;
  }
  return undefined;
}
