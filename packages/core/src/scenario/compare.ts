import { toPlain } from '../money.ts';
import type { Cents } from '../money.ts';
import type { Report, ReportLine } from '../reports/report.ts';
import type { ExpectedReport, ExpectedRow } from './scenario.ts';

/** A report flattened to what a person would tick off: every account line and every total with its label. */
export interface FlatRow {
  /** null for totals, and for lines that are no account. */
  accountId: number | null;
  label: string;
  /** Plain decimal texts; "" for an empty cell. */
  amounts: string[];
}

/** Every line, block total, section total and summary of a report, in its order. */
export function flattenReport(report: Report): FlatRow[] {
  const rows: FlatRow[] = [];
  for (const section of report.reportSections) {
    for (const block of section.reportBlocks) {
      rows.push(...block.reportLines.map(flatLine));
      if (block.displayFooter) rows.push(flatTotal(`Total ${block.blockTitle}`, block.total));
    }
    if (section.hasColumnSummary) {
      for (const { columnSummaryItems } of section.columnSummaryLines) {
        const [label, ...amounts] = columnSummaryItems.map((item) => item.headerText);
        rows.push({ accountId: null, label: label ?? '', amounts });
      }
    } else if (section.displayFooter) rows.push(flatTotal(section.totalTitle, section.total));
  }
  return [...rows, ...report.reportSummaries.map(({ description, amount }) => flatTotal(description, amount))];
}

function flatLine({ lineItems, source }: ReportLine): FlatRow {
  const [label, ...amounts] = lineItems.map((cell) => cell.itemText);
  return { accountId: source?.accountId ?? null, label: label ?? '', amounts };
}

function flatTotal(label: string, amount: Cents): FlatRow {
  return { accountId: null, label, amounts: [toPlain(amount)] };
}

/**
 * What differs between an expected and an actual report, as sentences. Account rows must agree one for one; totals and
 * other lines are compared where they are expected.
 */
export function compareReport(expected: ExpectedReport, report: Report): string[] {
  const actual = flattenReport(report);
  const wrong = expected.rows.flatMap((row) => compareRow(row, actual));
  const known = new Set(expected.rows.map((row) => row.accountId));
  const extra = actual.filter((row) => row.accountId !== null && !known.has(row.accountId));
  return [...wrong, ...extra.map((row) => `not expected: ${show(row.label, row.amounts)}`)];
}

function compareRow(expected: ExpectedRow, actual: readonly FlatRow[]): string[] {
  const amounts = expected.amounts.map((amount) => (amount === null ? '' : toPlain(amount)));
  const found = actual.find((row) =>
    expected.accountId === null ? row.label === expected.label : row.accountId === expected.accountId,
  );
  const wanted = show(expected.label, amounts);
  if (found === undefined) return [`missing: ${wanted}`];
  const same = sameAmounts(amounts, found.amounts);
  return same ? [] : [`expected ${wanted}, found ${show(found.label, found.amounts)}`];
}

function sameAmounts(expected: readonly string[], actual: readonly string[]): boolean {
  return actual.every((text, index) => text === (expected[index] ?? '')) && expected.length <= actual.length;
}

function show(label: string, amounts: readonly string[]): string {
  return [label, ...amounts].join(' | ').trimEnd();
}
