import { type Cents, toPlain } from '../money.ts';
import type { Report, ReportLine } from '../reports/report.ts';

/** A row in a flattened report: an account line or a total, with its label. */
export interface FlatRow {
  /** Null for totals and for lines without an account. */
  accountId: number | null;
  label: string;
  /** Plain decimal text. "" for an empty cell. */
  amounts: string[];
}

/** Returns every line, block total, section total, and summary, in the order of the report. */
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

/**
 * The source of an account's line has exactly one account. Net Income's source may also have only one account, but Net
 * Income is not an account.
 */
function flatLine({ lineItems, source }: ReportLine): FlatRow {
  const [label = '', ...amounts] = lineItems.map((cell) => cell.itemText);
  const [accountId = null, ...others] = source?.accountIds ?? [];
  const isAccount = others.length === 0 && label !== 'Net Income';
  return { accountId: isAccount ? accountId : null, label, amounts };
}

function flatTotal(label: string, amount: Cents): FlatRow {
  return { accountId: null, label, amounts: [toPlain(amount)] };
}
