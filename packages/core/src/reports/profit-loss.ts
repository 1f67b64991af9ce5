import type { StatementSection } from '../accounts.ts';
import { isProfitAndLoss } from '../accounts.ts';
import { cents } from '../money.ts';
import type { Cents } from '../money.ts';
import { accountBlock, inAccountOrder, rowsOf, totalOf, visible } from './balances.ts';
import type { AccountAmount, ReportAccount, ReportRow } from './balances.ts';
import { reportHeader, section, sourceOf, sourcesIn, together, totalLine } from './report.ts';
import type { Report, ReportBlock, ReportContext, ReportSection } from './report.ts';

const TITLE = 'Profit & Loss Statement';

export interface ProfitAndLossTotals {
  income: Cents;
  costOfGoodsSold: Cents;
  grossProfit: Cents;
  expenses: Cents;
  netOperatingIncome: Cents;
  otherIncome: Cents;
  otherExpenses: Cents;
  netIncome: Cents;
}

/** The steps from income to net income; every report and card that shows one of them takes it from here. */
export function profitAndLossTotals(
  amounts: readonly AccountAmount[],
  accounts: readonly ReportAccount[],
): ProfitAndLossTotals {
  return stepsOf(rowsOf(amounts, accounts));
}

function stepsOf(rows: readonly ReportRow[]): ProfitAndLossTotals {
  const income = totalIn(rows, 'Income');
  const costOfGoodsSold = totalIn(rows, 'Cost of Goods Sold');
  const expenses = totalIn(rows, 'Expenses');
  const otherIncome = totalIn(rows, 'Other Income');
  const otherExpenses = totalIn(rows, 'Other Expenses');
  const grossProfit = cents(income - costOfGoodsSold);
  const netOperatingIncome = cents(grossProfit - expenses);
  const netIncome = cents(netOperatingIncome + otherIncome - otherExpenses);
  return {
    income,
    costOfGoodsSold,
    grossProfit,
    expenses,
    netOperatingIncome,
    otherIncome,
    otherExpenses,
    netIncome,
  };
}

function ofSection(rows: readonly ReportRow[], name: StatementSection): ReportRow[] {
  return rows.filter((row) => row.info.section === name);
}

function totalIn(rows: readonly ReportRow[], name: StatementSection): Cents {
  return totalOf(ofSection(rows, name));
}

/**
 * Income to Net Income over context.from … context.asOf, `amounts` summed over that range (accounting: A10): contra
 * income negative, expenses grouped by account category, accounts at zero hidden.
 */
export function profitAndLoss(
  amounts: readonly AccountAmount[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): Report {
  const ranged = { ...context, from: context.from ?? context.fiscalYearStart };
  const rows = visible(rowsOf(amounts, accounts))
    .filter((row) => isProfitAndLoss(row.info))
    .map((row) => ({
      ...row,
      source: sourceOf(ranged, { accountId: row.account.id, from: ranged.from, to: ranged.asOf }),
    }));
  const steps = stepsOf(rows);
  const gross = [...plain(rows, 'Income'), ...plain(rows, 'Cost of Goods Sold')];
  const operating = expenseSection(rows);
  const other = [...plain(rows, 'Other Income'), ...plain(rows, 'Other Expenses')];
  const all = [...gross, ...operating, ...other];
  return {
    title: TITLE,
    reportHeaderItems: reportHeader(TITLE, ranged),
    reportSections: [
      ...gross,
      totalLine('Gross Profit', steps.grossProfit, gross),
      ...operating,
      totalLine('Net Operating Income', steps.netOperatingIncome, [...gross, ...operating]),
      ...other,
    ],
    reportSummaries: [{ description: 'Net Income', amount: steps.netIncome, source: together(sourcesIn(all)) }],
  };
}

/** A section of one unframed block, or nothing when none of its accounts moved. */
function plain(rows: readonly ReportRow[], title: StatementSection): ReportSection[] {
  const own = ofSection(rows, title);
  if (own.length === 0) return [];
  return [section({ title, total: totalOf(own), reportBlocks: [accountBlock(title, own, false)] })];
}

function expenseSection(rows: readonly ReportRow[]): ReportSection[] {
  const own = ofSection(rows, 'Expenses');
  if (own.length === 0) return [];
  return [section({ title: 'Expenses', total: totalOf(own), reportBlocks: byCategory(own) })];
}

/** One block per category, in the order of each category's first account. */
function byCategory(rows: readonly ReportRow[]): ReportBlock[] {
  const groups = new Map<string, ReportRow[]>();
  for (const row of rows.toSorted(inAccountOrder)) {
    const category = row.account.category || 'Uncategorized';
    groups.set(category, [...(groups.get(category) ?? []), row]);
  }
  return [...groups].map(([category, own]) => accountBlock(category, own));
}
