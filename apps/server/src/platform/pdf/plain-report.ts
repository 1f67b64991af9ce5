import { type Cents, cents, toPlain } from '@evenkeel/core/money';
import type { Report, ReportCell, ReportSection } from '@evenkeel/core/reports/report';

/** Reports that are only printed: a heading, and tables without totals or links. */

export const textCell = (itemText: string): ReportCell => ({ itemText, isCurrency: false });
export const moneyCell = (amount: Cents): ReportCell => ({ itemText: toPlain(amount), isCurrency: true });
export const countCell = (value: number): ReportCell => ({
  ...textCell(value.toLocaleString('en-US')),
  rightAlign: true,
});

/** Returns a table. Each heading has a title and a flag that is true if the column contains amounts. */
export function plainSection(
  title: string,
  heads: readonly (readonly [string, boolean])[],
  rows: ReportCell[][],
): ReportSection {
  return {
    title,
    totalTitle: '',
    total: cents(0),
    hasColumnHeaders: true,
    columnHeaders: heads.map(([headerText, isCurrency]) => ({ headerText, isCurrency })),
    displayHeader: true,
    displayFooter: false,
    hasColumnSummary: false,
    columnSummaryLines: [],
    reportBlocks: [
      {
        blockTitle: '',
        displayHeader: false,
        displayFooter: false,
        total: cents(0),
        reportLines: rows.map((lineItems) => ({ lineItems })),
      },
    ],
  };
}

/** Returns a report with its headings, which start with the company and the title. */
export function plainReport(title: string, heads: readonly string[], reportSections: ReportSection[]): Report {
  return {
    title,
    reportHeaderItems: heads.map((headerText) => ({ headerText })),
    reportSections,
    reportSummaries: [],
  };
}
