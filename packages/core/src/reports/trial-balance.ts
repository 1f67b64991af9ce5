import { cents, negate, sum } from '../money.ts';
import type { Cents } from '../money.ts';
import { closeVirtually, visible } from './balances.ts';
import type { AccountBalance, ReportAccount, ReportRow } from './balances.ts';
import { sourceOf } from './report.ts';
import type { Report, ReportContext } from './report.ts';
import { tableReport, type TableSpec } from './table.ts';

/**
 * Account, debit, credit: the net of each account on its one side, totals equal (accounting: A10). Income and expense
 * are those of the fiscal year, retained earnings contain the years before (A8). A dimension filter filters lines.
 */
export function trialBalance(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const { lasting, ofYear } = closeVirtually(balances, accounts, context.retainedEarningsAccountId);
  const rows = visible([
    ...lasting.map((row) => withSource(row, context)),
    ...ofYear.map((row) => withSource(row, context, true)),
  ]);
  const report = tableReport(TABLE, rows, { ...context, from: undefined });
  const difference = sum(rows.map((row) => row.amount));
  return { ...report, reportSummaries: outOfBalance(difference, context) };
}

const TABLE: TableSpec<ReportRow> = {
  title: 'Trial Balance',
  columns: [
    { title: 'Account', text: ({ account }) => account.label },
    { title: 'Debit', amount: ({ amount }) => (amount > 0 ? amount : undefined) },
    { title: 'Credit', amount: ({ amount }) => (amount < 0 ? negate(amount) : undefined) },
  ],
  source: (row) => row.source,
  total: ([debits = cents(0), credits = cents(0)]) => cents(debits - credits),
};

function withSource(row: ReportRow, context: ReportContext, ofYear = false): ReportRow {
  const from = ofYear ? context.fiscalYearStart : undefined;
  const source = sourceOf(context, { accountId: row.account.id, from, to: context.asOf });
  if (row.account.id !== context.retainedEarningsAccountId) return { ...row, source };
  return { ...row, source: { ...source, earningsBefore: context.fiscalYearStart } };
}

/** Under a dimension filter the lines need not balance; without one a difference is shown in so many words. */
function outOfBalance(difference: Cents, context: ReportContext): Report['reportSummaries'] {
  const filtered = context.profitCenter !== undefined || context.location !== undefined;
  return difference === 0 || filtered ? [] : [{ description: 'Out of balance', amount: difference }];
}
