import { cents, negate, sum } from '../money.ts';
import { inOneGo } from '../steps.ts';
import { closedRows, outOfBalance, visible } from './balances.ts';
import type { AccountBalance, ReportAccount, ReportRow } from './balances.ts';
import type { Report, ReportContext } from './report.ts';
import { tableReport, type TableSpec } from './table.ts';

/**
 * Returns the trial balance: the net amount of each account as a debit or a credit, with equal totals. Income and
 * expenses cover the fiscal year, and retained earnings include earlier years (docs/accounting.md, "The fiscal year").
 * A dimension filter limits the lines.
 */
export function trialBalance(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const { lasting, ofYear } = closedRows(balances, accounts, context);
  const rows = visible([...lasting, ...ofYear]);
  const report = inOneGo(tableReport(TABLE, rows, { ...context, from: undefined }));
  return { ...report, reportSummaries: outOfBalance(sum(rows.map((row) => row.amount)), context) };
}

const TABLE: TableSpec<ReportRow> = {
  columns: [
    { title: 'Account', text: ({ account }) => account.label },
    { title: 'Debit', amount: ({ amount }) => (amount > 0 ? amount : undefined) },
    { title: 'Credit', amount: ({ amount }) => (amount < 0 ? negate(amount) : undefined) },
  ],
  source: (row) => row.source,
  total: ([debits = cents(0), credits = cents(0)]) => cents(debits - credits),
};
