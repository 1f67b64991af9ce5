import { RETAINED_EARNINGS } from '@evenkeel/core/books/accounts';
import { fiscalYearStart } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import { inView } from '@evenkeel/core/books/ledger';
import type { Entry, ReportBasis } from '@evenkeel/core/books/ledger';
import { cents } from '@evenkeel/core/money';
import { balanceSheet } from '@evenkeel/core/reports/balance-sheet';
import type { AccountAmount, AccountBalance } from '@evenkeel/core/reports/balances';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { profitAndLoss } from '@evenkeel/core/reports/profit-loss';
import type { Report, ReportContext } from '@evenkeel/core/reports/report';
import { trialBalance } from '@evenkeel/core/reports/trial-balance';
import { reportAccounts } from '@evenkeel/core/testing/report-accounts';
import type { ExpectedReport } from './scenario.ts';

/** The part of a journal transaction that reports read. */
export interface DatedEntries {
  postingDate: IsoDate;
  entries: readonly Entry[];
}

export interface BalanceRange {
  from?: IsoDate | undefined;
  to: IsoDate;
  basis: ReportBasis;
}

/**
 * Returns Σ debit − credit for each account, over the lines on a basis from `from` (or the beginning) to `to`,
 * inclusive.
 */
export function amountsOf(journal: readonly DatedEntries[], { from, to, basis }: BalanceRange): AccountAmount[] {
  const totals = new Map<number, number>();
  for (const { postingDate, entries } of journal) {
    if (postingDate > to || (from !== undefined && postingDate < from)) continue;
    for (const { accountId, amount, basis: own } of entries) {
      if (inView(own, basis)) totals.set(accountId, (totals.get(accountId) ?? 0) + amount);
    }
  }
  return [...totals].map(([accountId, amount]) => ({ accountId, amount: cents(amount) }));
}

/** Returns the balances for as-of reports. */
export function balancesOf(
  journal: readonly DatedEntries[],
  { to, basis }: BalanceRange,
  yearStart: IsoDate,
): AccountBalance[] {
  const earlier = amountsOf(
    journal.filter((each) => each.postingDate < yearStart),
    { to, basis },
  );
  const before = new Map(earlier.map(({ accountId, amount }) => [accountId, amount]));
  return amountsOf(journal, { to, basis }).map(({ accountId, amount }) => {
    return { accountId, toDate: amount, beforeYear: before.get(accountId) ?? cents(0) };
  });
}

export type ReportWanted = Pick<ExpectedReport, 'report' | 'from' | 'asOf' | 'basis'>;

const KINDS: Readonly<Record<ReportWanted['report'], ReportKind>> = {
  'profit-loss': reportKinds.profitAndLoss,
  'balance-sheet': reportKinds.balanceSheet,
  'trial-balance': reportKinds.trialBalance,
};

/** Runs a report on a journal in memory. */
export function reportOf(
  journal: readonly DatedEntries[],
  wanted: ReportWanted,
  company: { companyName: string; fiscalYearStartMonth: number },
): Report {
  const { report, from, asOf, basis } = wanted;
  const yearStart = fiscalYearStart(asOf, company.fiscalYearStartMonth);
  const { title } = KINDS[report];
  const context: ReportContext = {
    title,
    companyName: company.companyName,
    basis,
    asOf,
    from: from ?? undefined,
    fiscalYearStart: yearStart,
    retainedEarningsAccountId: RETAINED_EARNINGS,
  };
  if (report === 'profit-loss') {
    const range = { from: from ?? yearStart, to: asOf, basis };
    return profitAndLoss(amountsOf(journal, range), reportAccounts, context);
  }
  const balances = balancesOf(journal, { to: asOf, basis }, yearStart);
  return report === 'trial-balance'
    ? trialBalance(balances, reportAccounts, context)
    : balanceSheet(balances, reportAccounts, context);
}
