import { masterAccount, RETAINED_EARNINGS } from '@evenkeel/core/books/accounts';
import { fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { cents, type Cents } from '@evenkeel/core/money';
import { closeVirtually } from '@evenkeel/core/reports/balances';
import { flattenReport, type FlatRow } from '@evenkeel/core/testing/flat-report';
import { reportAccounts } from '@evenkeel/core/testing/report-accounts';
import { balancesOf, type DatedEntries, reportOf, type ReportWanted } from '@evenkeel/scenario/reports';
import type { Scenario } from '@evenkeel/scenario/scenario';
import type { Movement } from './judges.ts';

export const views: readonly ReportBasis[] = ['accrual', 'cash'];
export const reportNames = ['trial-balance', 'profit-loss', 'balance-sheet'] as const;

/** Returns the earliest posting date. */
export function firstDay(journal: readonly DatedEntries[]): IsoDate {
  return anyDay(journal.map((each) => each.postingDate).toSorted());
}

/** Returns the latest posting date. */
export function lastDay(journal: readonly DatedEntries[]): IsoDate {
  return anyDay(
    journal
      .map((each) => each.postingDate)
      .toSorted()
      .reverse(),
  );
}

function anyDay([day]: readonly IsoDate[]): IsoDate {
  if (day === undefined) throw new Error('the journal is empty');
  return day;
}

export function coreRows(journal: readonly DatedEntries[], wanted: ReportWanted, scenario: Scenario): FlatRow[] {
  return flattenReport(reportOf(journal, wanted, scenario));
}

export interface AsOf {
  asOf: IsoDate;
  startMonth: number;
}

/** Returns debits less credits by account from core's trial balance, without accounts at 0. */
export function coreTrialBalance(
  journal: readonly DatedEntries[],
  { asOf, startMonth, basis }: AsOf & { basis: ReportBasis },
): Map<number, Cents> {
  const balances = balancesOf(journal, { to: asOf, basis }, fiscalYearStart(asOf, startMonth));
  const { lasting, ofYear } = closeVirtually(balances, reportAccounts, RETAINED_EARNINGS);
  const rows = [...lasting, ...ofYear].filter((row) => row.amount !== 0);
  return new Map(rows.map((row) => [row.account.id, row.amount]));
}

/**
 * Builds the trial balance from another program's monthly movements. The other programs never close a year, but
 * Evenkeel restarts income and expense accounts each year (docs/accounting.md, "The fiscal year"), so earlier amounts
 * are added to retained earnings.
 */
export function trialBalanceOf(movements: readonly Movement[], { asOf, startMonth }: AsOf): Map<number, Cents> {
  const yearStart = fiscalYearStart(asOf, startMonth);
  const totals = new Map<number, Cents>();
  for (const { accountId, month, amount } of movements) {
    if (month > asOf) continue;
    const root = masterAccount(accountId)?.root;
    const isEarlier = (root === 'Income' || root === 'Expense') && month < yearStart;
    const id = isEarlier ? RETAINED_EARNINGS : accountId;
    totals.set(id, cents((totals.get(id) ?? 0) + amount));
  }
  return new Map([...totals].filter(([, amount]) => amount !== 0));
}
