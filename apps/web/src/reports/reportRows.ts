import type { ReportData } from '@evenkeel/contract/reports';
import { type PageCell as Cell, pageRows, type PageRow as Row } from '@evenkeel/core/reports/page';

export type Source = NonNullable<ReportData['reportSections'][number]['source']>;
export type PageCell = Cell<Source>;
export type PageRow = Row<Source>;

/** "1000 - Checking" → its number and its name; a label without a number is all name. */
export function splitLabel(label: string): { number: string; name: string } {
  const match = /^(\S+) - (.+)$/.exec(label);
  return { number: match?.[1] ?? '', name: match?.[2] ?? label };
}

/** The lines that a total adds up: those whose accounts are among its own. */
export function linesBehind(report: ReportData, source: Source): PageRow[] {
  const accounts = new Set(source.accountIds);
  return pageRows(report).filter((row) => {
    const behind = row.cells.flatMap((cell) => ('amount' in cell && cell.amount !== null ? [cell.source] : []));
    return row.look === 'line' && behind.some((each) => each?.accountIds.every((id) => accounts.has(id)) === true);
  });
}
