import { isProfitAndLoss, naturalAmount } from '../books/accounts.ts';
import { endOfMonth, formatMonth, startOfMonth } from '../dates.ts';
import { type AccountAmount, type ReportAccount, type ReportRow, rowsOf, withSource } from './balances.ts';
import type { Column } from './compare.ts';
import type { Report, ReportContext } from './report.ts';
import { comparedStatement, type StatementRow, type StatementSpec } from './statement.ts';
import { PROFIT_AND_LOSS_STEPS as steps } from './profit-loss.ts';

/** The rows of the profit and loss statement, with all expenses in one section. */
const BUDGET: StatementSpec = {
  parts: [
    { section: 'Income' },
    { section: 'Cost of Goods Sold' },
    steps.grossProfit,
    { section: 'Expenses' },
    steps.netOperatingIncome,
    { section: 'Other Income' },
    { section: 'Other Expenses' },
  ],
  summary: steps.netIncome,
};

/**
 * The amounts for a period. Budgets are positive on the side of the account's root, and actual amounts are debit −
 * credit.
 */
export interface BudgetedPeriod {
  context: ReportContext;
  actual: readonly AccountAmount[];
  budget: readonly AccountAmount[];
}

/** Returns the dates of the month and the year to date that a report covers. The month is always complete. */
export function budgetPeriods(context: ReportContext): { month: ReportContext; year: ReportContext } {
  const asOf = endOfMonth(context.asOf);
  return {
    month: { ...context, from: startOfMonth(asOf), asOf },
    year: { ...context, from: context.fiscalYearStart, asOf },
  };
}

/**
 * Returns the actual amounts and the budget for a month and the year to date. Accounts with neither an actual amount
 * nor a budget are hidden. An account without a budget has no difference, but its actual amounts are in the totals.
 */
export function budgetReport(
  { month, year }: Record<'month' | 'year', BudgetedPeriod>,
  accounts: readonly ReportAccount[],
): Report {
  const shown = new Set(
    [month, year].flatMap(({ actual, budget }) =>
      [...actual, ...budget].flatMap((each) => (each.amount ? each.accountId : [])),
    ),
  );
  const isShown = ({ account, info }: ReportRow) => shown.has(account.id) && isProfitAndLoss(info);
  const columnsOf = (title: string, { context, actual, budget }: BudgetedPeriod): Column<StatementRow>[] => [
    {
      title: `${title} Actual`,
      context,
      figures: rowsOf(actual, accounts)
        .filter(isShown)
        .map((row) => withSource(row, context, context.from)),
    },
    {
      title: `${title} Budget`,
      context,
      figures: rowsOf(budget, accounts)
        .filter(isShown)
        .map((row) => ({ ...row, amount: naturalAmount(row.info, row.amount) })),
    },
  ];
  const columns = [...columnsOf(formatMonth(month.context.asOf), month), ...columnsOf('YTD', year)];
  return comparedStatement(BUDGET, { columns, main: 2, more: 'budget' }, year.context);
}
