import { isProfitAndLoss } from '../books/accounts.ts';
import { type AccountAmount, type ReportAccount, rowsOf, visible, withSource } from './balances.ts';
import { alone, type Columns } from './compare.ts';
import type { Report, ReportContext } from './report.ts';
import { amountOf, comparedStatement, type StatementSpec, type TotalSpec } from './statement.ts';

const earned = (title: string, of: TotalSpec['of']): TotalSpec => ({ title, of, root: 'Income' });
const GROSS_PROFIT = earned('Gross Profit', ['Income', 'Cost of Goods Sold']);
const NET_OPERATING_INCOME = earned('Net Operating Income', [...GROSS_PROFIT.of, 'Expenses']);
const NET_INCOME = earned('Net Income', [...NET_OPERATING_INCOME.of, 'Other Income', 'Other Expenses']);

/** The steps from income to net income, for all statements that have these totals. */
export const PROFIT_AND_LOSS_STEPS = {
  grossProfit: GROSS_PROFIT,
  netOperatingIncome: NET_OPERATING_INCOME,
  netIncome: NET_INCOME,
} as const;

/** The rows of the profit and loss statement. */
export const PROFIT_AND_LOSS: StatementSpec = {
  parts: [
    { section: 'Income' },
    { section: 'Cost of Goods Sold' },
    GROSS_PROFIT,
    { section: 'Expenses', blocks: 'categories' },
    NET_OPERATING_INCOME,
    { section: 'Other Income' },
    { section: 'Other Expenses' },
  ],
  summary: NET_INCOME,
};

/** Returns the steps from income to net income, which every report and card with one of these amounts uses. */
export function profitAndLossTotals(amounts: readonly AccountAmount[], accounts: readonly ReportAccount[]) {
  const rows = rowsOf(amounts, accounts);
  return {
    income: amountOf({ of: ['Income'], root: 'Income' }, rows),
    costOfGoodsSold: amountOf({ of: ['Cost of Goods Sold'], root: 'Expense' }, rows),
    grossProfit: amountOf(GROSS_PROFIT, rows),
    expenses: amountOf({ of: ['Expenses'], root: 'Expense' }, rows),
    netOperatingIncome: amountOf(NET_OPERATING_INCOME, rows),
    otherIncome: amountOf({ of: ['Other Income'], root: 'Income' }, rows),
    otherExpenses: amountOf({ of: ['Other Expenses'], root: 'Expense' }, rows),
    netIncome: amountOf(NET_INCOME, rows),
  };
}

/**
 * Returns the report from Income to Net Income over context.from … context.asOf. `amounts` are for this range. Contra
 * income is negative, expenses are grouped by account category, and accounts with a zero amount are hidden.
 */
export function profitAndLoss(
  amounts: readonly AccountAmount[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  return comparedProfitAndLoss(alone(amounts, context), accounts, context);
}

/** Returns the report with a column for each range, profit center, or location. */
export function comparedProfitAndLoss(
  { columns, ...rest }: Columns<AccountAmount>,
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const { from = context.fiscalYearStart } = context;
  const filled = columns.map((column) => {
    const { from: start = column.context.fiscalYearStart } = column.context;
    const figures = visible(rowsOf(column.figures, accounts))
      .filter((row) => isProfitAndLoss(row.info))
      .map((row) => withSource(row, column.context, start));
    return { ...column, figures };
  });
  return comparedStatement(PROFIT_AND_LOSS, { columns: filled, ...rest }, { ...context, from });
}
