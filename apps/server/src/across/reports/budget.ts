import { budgetPeriods, budgetReport } from '@evenkeel/core/reports/budget';
import type { Report, ReportContext } from '@evenkeel/core/reports/report';
import { amountsBetween } from '../../books/ledger/balances.sql.ts';
import { budgetSumsSql } from '../../features/accounting/budgets.sql.ts';
import { type Running, scopeOf } from './books.ts';

/** Compares the actual amounts of the report date's month, and of the year to date, with the budget. */
export async function runBudget({ ctx: { tx }, books, context }: Running): Promise<Report> {
  const read = async (of: ReportContext) => {
    const range = { from: of.from ?? of.fiscalYearStart, to: of.asOf };
    const [actual, budget] = await Promise.all([
      tx.rows(amountsBetween({ ...scopeOf(of), ...range })),
      tx.rows(budgetSumsSql({ ...range, profitCenterId: of.profitCenter?.id })),
    ]);
    return { context: of, actual, budget };
  };
  const periods = budgetPeriods(context);
  const [month, year] = await Promise.all([read(periods.month), read(periods.year)]);
  return budgetReport({ month, year }, books.accounts);
}
