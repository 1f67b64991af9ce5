import { toPlain } from '@evenkeel/core/money';
import type { Report } from '@evenkeel/core/reports/report';
import { flattenReport, type FlatRow } from '@evenkeel/core/testing/flat-report';
import type { ExpectedReport, ExpectedRow } from './scenario.ts';

/**
 * Returns the differences between an expected and an actual report as sentences. All account rows are compared. Totals
 * and other lines are compared only if they are expected.
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
