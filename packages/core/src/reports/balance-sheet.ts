import { accountTypeInfo } from '../books/accounts.ts';
import { type Cents, negate, sum, ZERO } from '../money.ts';
import { closedRows, closeVirtually, namedAccount, outOfBalance, visible } from './balances.ts';
import type { AccountBalance, ReportAccount, ReportRow } from './balances.ts';
import { alone, type Column, type Columns } from './compare.ts';
import { isFiltered, type Report, type ReportContext, together } from './report.ts';
import { amountOf, comparedStatement, type StatementRow, type StatementSpec, type TotalSpec } from './statement.ts';

const DUE = 'Due to/from other';

const ASSETS: TotalSpec = {
  title: 'Total Assets',
  of: ['Current Assets', 'Fixed Assets', 'Other Assets'],
  root: 'Asset',
};
const LIABILITIES: TotalSpec = {
  title: 'Total Liabilities',
  of: ['Current Liabilities', 'Long-term Liabilities'],
  root: 'Liability',
};

const BALANCE_SHEET: StatementSpec = {
  parts: [
    {
      section: 'Current Assets',
      blocks: {
        'Bank and Cash': ['Bank', 'Cash'],
        'Accounts Receivable': ['Accounts Receivable'],
        'Other Current Assets': ['Inventory', 'Other Current Asset', 'Short-Term Investment'],
      },
    },
    {
      section: 'Fixed Assets',
      totalTitle: 'Net Fixed Assets',
      blocks: { 'Property and Equipment': ['Fixed Asset'], 'Accumulated Depreciation': ['Accumulated Depreciation'] },
    },
    { section: 'Other Assets' },
    ASSETS,
    {
      section: 'Current Liabilities',
      blocks: {
        'Accounts Payable': ['Accounts Payable'],
        'Credit Cards': ['Credit Card'],
        'Sales Tax Payable': ['Sales Tax Payable'],
        'Other Current Liabilities': ['Other Current Liability'],
      },
    },
    { section: 'Long-term Liabilities' },
    LIABILITIES,
    { section: 'Equity', always: true },
  ],
  summary: { title: 'Total Liabilities & Equity', of: [...LIABILITIES.of, 'Equity'], root: 'Liability' },
};

const WITH_DUE: StatementSpec = {
  ...BALANCE_SHEET,
  parts: [...BALANCE_SHEET.parts, { title: DUE, of: [DUE], root: 'Liability' }],
  summary: { ...BALANCE_SHEET.summary, of: [...BALANCE_SHEET.summary.of, DUE] },
};

/**
 * Returns only the totals of the balance sheet, for ratios and cards. These totals equal the amounts on the report. The
 * difference, assets − liabilities − equity, is 0 unless a dimension filter removes lines.
 */
export function balanceSheetTotals(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  retainedEarningsAccountId: number,
) {
  const { lasting, ofYear } = closeVirtually(balances, accounts, retainedEarningsAccountId);
  const netIncome = netIncomeOf(ofYear);
  const rows = [...lasting, netIncome];
  return {
    assets: amountOf(ASSETS, rows),
    liabilities: amountOf(LIABILITIES, rows),
    equity: amountOf({ of: ['Equity'], root: 'Equity' }, rows),
    netIncome: negate(netIncome.amount),
    difference: sum(rows.map((row) => row.amount)),
  };
}

/** Returns the year's earnings to date as the last row of equity. */
function netIncomeOf(ofYear: readonly ReportRow[]): ReportRow {
  const type = 'Equity';
  return {
    account: namedAccount('Net Income', type),
    info: accountTypeInfo(type),
    amount: sum(ofYear.map((row) => row.amount)),
    source: together(ofYear.map((row) => row.source)),
  };
}

/** Returns the row that balances a report whose lines are filtered. */
function dueRow(amount: Cents): StatementRow {
  const type = 'Other Current Liability';
  return { account: namedAccount(DUE, type), info: { type, root: 'Liability', section: DUE }, amount };
}

/**
 * Returns the balance sheet as of context.asOf (docs/accounting.md, "The fiscal year"). Net Income covers the fiscal
 * year to date. A report with a dimension filter is balanced by a "Due to/from other" line, with a note. Any other
 * difference is shown as "Out of balance".
 */
export function balanceSheet(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  return comparedBalanceSheet(alone(balances, context), accounts, context);
}

/** Returns the balance sheet with a column for each date. */
export function comparedBalanceSheet(
  { columns, ...rest }: Columns<AccountBalance>,
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const read = columns.map((column) => ({ ...column, figures: sheetRows(column, accounts) }));
  const differences = read.map(({ figures }) => sum(figures.map((row) => row.amount)));
  const hasDue = isFiltered(context) && differences.some((amount) => amount !== 0);
  const balanced = read.map((column, at) => {
    return { ...column, figures: [...column.figures, dueRow(negate(differences[at] ?? ZERO))] };
  });
  const of = { columns: hasDue ? balanced : read, ...rest };
  const sheet = comparedStatement(hasDue ? WITH_DUE : BALANCE_SHEET, of, { ...context, from: undefined });
  const note = { headerText: `Entries outside the filter are balanced by "${DUE}"` };
  return {
    ...sheet,
    reportHeaderItems: [...sheet.reportHeaderItems, ...(isFiltered(context) ? [note] : [])],
    reportSummaries: [
      ...sheet.reportSummaries,
      ...read.flatMap((column, at) => outOfBalance(differences[at] ?? ZERO, column.context)),
    ],
  };
}

/** Returns a column's account rows, followed by the year's earnings as the last row of equity. */
function sheetRows({ figures, context }: Column<AccountBalance>, accounts: readonly ReportAccount[]): StatementRow[] {
  const { lasting, ofYear } = closedRows(figures, accounts, context);
  const netIncome = netIncomeOf(ofYear);
  return [...visible(lasting), ...(netIncome.amount === 0 ? [] : [netIncome])];
}
