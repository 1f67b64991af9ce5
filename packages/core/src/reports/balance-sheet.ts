import type { AccountType, StatementSection } from '../accounts.ts';
import { cents, negate } from '../money.ts';
import type { Cents } from '../money.ts';
import { accountBlock, closeVirtually, totalOf, visible } from './balances.ts';
import type { AccountBalance, ReportAccount, ReportRow } from './balances.ts';
import { moneyCell, reportHeader, section, sourceOf, sourcesIn, textCell, together, totalLine } from './report.ts';
import type { Report, ReportBlock, ReportContext, ReportLine, ReportSection } from './report.ts';

const TITLE = 'Balance Sheet';
const DUE = 'Due to/from other';

interface BlockPlan {
  title: string;
  types: readonly AccountType[];
}

interface SectionPlan {
  name: StatementSection;
  totalTitle: string;
  blocks: readonly BlockPlan[];
}

const ASSETS: readonly SectionPlan[] = [
  {
    name: 'Current Assets',
    totalTitle: 'Total Current Assets',
    blocks: [
      { title: 'Bank and Cash', types: ['Bank', 'Cash'] },
      { title: 'Accounts Receivable', types: ['Accounts Receivable'] },
      { title: 'Other Current Assets', types: ['Inventory', 'Other Current Asset', 'Short-Term Investment'] },
    ],
  },
  {
    name: 'Fixed Assets',
    totalTitle: 'Net Fixed Assets',
    blocks: [
      { title: 'Property and Equipment', types: ['Fixed Asset'] },
      { title: 'Accumulated Depreciation', types: ['Accumulated Depreciation'] },
    ],
  },
  {
    name: 'Other Assets',
    totalTitle: 'Total Other Assets',
    blocks: [{ title: 'Other Assets', types: ['Other Asset'] }],
  },
];

const LIABILITIES: readonly SectionPlan[] = [
  {
    name: 'Current Liabilities',
    totalTitle: 'Total Current Liabilities',
    blocks: [
      { title: 'Accounts Payable', types: ['Accounts Payable'] },
      { title: 'Credit Cards', types: ['Credit Card'] },
      { title: 'Sales Tax Payable', types: ['Sales Tax Payable'] },
      { title: 'Other Current Liabilities', types: ['Other Current Liability'] },
    ],
  },
  {
    name: 'Long-term Liabilities',
    totalTitle: 'Total Long-term Liabilities',
    blocks: [{ title: 'Long-term Liabilities', types: ['Long-Term Liability'] }],
  },
];

/** What the sheet comes to; the difference is 0 unless a dimension filter takes lines away. */
export interface BalanceSheetTotals {
  assets: Cents;
  liabilities: Cents;
  equity: Cents;
  netIncome: Cents;
  /** assets − liabilities − equity. */
  difference: Cents;
}

/** The sheet's totals alone, for ratios and cards: the same figures as on the report. */
export function balanceSheetTotals(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  retainedEarningsAccountId: number,
): BalanceSheetTotals {
  const { lasting, ofYear } = closeVirtually(balances, accounts, retainedEarningsAccountId);
  return totalsOf(lasting, ofYear);
}

function totalsOf(lasting: readonly ReportRow[], ofYear: readonly ReportRow[]): BalanceSheetTotals {
  const ofRoot = (root: string): Cents => totalOf(lasting.filter((row) => row.info.root === root));
  const netIncome = negate(cents(ofYear.reduce((total, row) => total + row.amount, 0)));
  const [assets, liabilities] = [ofRoot('Asset'), ofRoot('Liability')];
  const equity = cents(ofRoot('Equity') + netIncome);
  return { assets, liabilities, equity, netIncome, difference: cents(assets - liabilities - equity) };
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
  const closed = closeVirtually(balances, accounts, context.retainedEarningsAccountId);
  const totals = totalsOf(closed.lasting, closed.ofYear);
  const rows = visible(closed.lasting).map((row) => withSource(row, context));
  const filtered = context.profitCenter !== undefined || context.location !== undefined;
  const due = filtered ? totals.difference : cents(0);
  const rest = cents(totals.difference - due);
  const assets = ASSETS.flatMap((plan) => planned(plan, rows));
  const liabilities = LIABILITIES.flatMap((plan) => planned(plan, rows));
  const equity = equitySection(rows, totals, earningsLine(closed.ofYear, totals.netIncome, context));
  return {
    title: TITLE,
    reportHeaderItems: [
      ...reportHeader(TITLE, { ...context, from: undefined }),
      ...(filtered ? [{ headerText: `Lines outside the filter are balanced by "${DUE}"` }] : []),
    ],
    reportSections: [
      ...assets,
      totalLine('Total Assets', totals.assets, assets),
      ...liabilities,
      totalLine('Total Liabilities', totals.liabilities, liabilities),
      equity,
      ...(due === 0 ? [] : [totalLine(DUE, due)]),
    ],
    reportSummaries: [
      {
        description: 'Total Liabilities & Equity',
        amount: cents(totals.liabilities + totals.equity + due),
        source: together(sourcesIn([...liabilities, equity])),
      },
      ...(rest === 0 ? [] : [{ description: 'Out of balance', amount: rest }]),
    ],
  };
}

function withSource(row: ReportRow, context: ReportContext): ReportRow {
  const source = sourceOf(context, { accountId: row.account.id, to: context.asOf });
  if (row.account.id !== context.retainedEarningsAccountId) return { ...row, source };
  return { ...row, source: { ...source, earningsBefore: context.fiscalYearStart } };
}

function planned(plan: SectionPlan, rows: readonly ReportRow[]): ReportSection[] {
  const own = rows.filter((row) => row.info.section === plan.name);
  if (own.length === 0) return [];
  const only = plan.blocks.length === 1;
  const reportBlocks = plan.blocks.flatMap((block): ReportBlock[] => {
    const lines = own.filter((row) => block.types.includes(row.info.type));
    return lines.length === 0 ? [] : [accountBlock(block.title, lines, !only)];
  });
  return [section({ title: plan.name, totalTitle: plan.totalTitle, total: totalOf(own), reportBlocks })];
}

function earningsLine(rows: readonly ReportRow[], netIncome: Cents, context: ReportContext): ReportLine[] {
  if (netIncome === 0) return [];
  const accountIds = rows.map((row) => row.account.id);
  const source = sourceOf(context, { accountIds, from: context.fiscalYearStart, to: context.asOf });
  return [{ lineItems: [textCell('Net Income'), moneyCell(netIncome)], source }];
}

function equitySection(
  rows: readonly ReportRow[],
  totals: BalanceSheetTotals,
  earnings: readonly ReportLine[],
): ReportSection {
  const block = accountBlock(
    'Equity',
    rows.filter((row) => row.info.section === 'Equity'),
    false,
  );
  const reportLines = [...block.reportLines, ...earnings];
  return section({
    title: 'Equity',
    total: totals.equity,
    reportBlocks: [
      { ...block, total: totals.equity, reportLines, source: together(reportLines.map((line) => line.source)) },
    ],
  });
}
