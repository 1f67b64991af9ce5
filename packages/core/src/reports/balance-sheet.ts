import { accountTypeInfo } from '../accounts.ts';
import { cents, negate, sum, ZERO } from '../money.ts';
import { closedRows, closeVirtually, outOfBalance, visible } from './balances.ts';
import type { AccountBalance, ReportAccount, ReportRow } from './balances.ts';
import { isFiltered, type Report, type ReportContext, together } from './report.ts';
import { amountOf, statement, type StatementSpec, totalLine, type TotalSpec } from './statement.ts';

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
  title: 'Balance Sheet',
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

/**
 * The sheet's totals alone, for ratios and cards: the same figures as on the report. The difference, assets −
 * liabilities − equity, is 0 unless a dimension filter takes lines away.
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

/** The year's earnings so far as the last line of equity. */
function netIncomeOf(ofYear: readonly ReportRow[]): ReportRow {
  const [type, name] = ['Equity', 'Net Income'];
  return {
    account: { id: 0, number: '', name, type, contra: false, category: '', label: name },
    info: accountTypeInfo(type),
    amount: sum(ofYear.map((row) => row.amount)),
    source: together(ofYear.map((row) => row.source)),
  };
}

/**
 * Assets against liabilities and equity as of context.asOf (accounting: A8, A10). Net Income is that of the fiscal
 * year so far. A dimension filter is balanced by a "Due to/from other" line, with a note; any other difference is
 * shown as "Out of balance".
 */
export function balanceSheet(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const { lasting, ofYear } = closedRows(balances, accounts, context);
  const netIncome = netIncomeOf(ofYear);
  const rows = [...visible(lasting), ...(netIncome.amount === 0 ? [] : [netIncome])];
  const difference = sum(rows.map((row) => row.amount));
  const due = isFiltered(context) ? difference : ZERO;
  const sheet = statement(BALANCE_SHEET, rows, { ...context, from: undefined });
  const note = { headerText: `Lines outside the filter are balanced by "${DUE}"` };
  return {
    ...sheet,
    reportHeaderItems: [...sheet.reportHeaderItems, ...(isFiltered(context) ? [note] : [])],
    reportSections: [...sheet.reportSections, ...(due === 0 ? [] : [totalLine(DUE, due)])],
    reportSummaries: [
      ...sheet.reportSummaries.map((each) => ({ ...each, amount: cents(each.amount + due) })),
      ...outOfBalance(difference, context),
    ],
  };
}
