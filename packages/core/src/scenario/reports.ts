import { accountLabel, masterAccounts, RETAINED_EARNINGS } from '../accounts.ts';
import { fiscalYearStart } from '../dates.ts';
import type { IsoDate } from '../dates.ts';
import { inView } from '../ledger.ts';
import type { Entry, ReportBasis } from '../ledger.ts';
import { cents } from '../money.ts';
import { balanceSheet } from '../reports/balance-sheet.ts';
import type { AccountAmount, AccountBalance, ReportAccount } from '../reports/balances.ts';
import { type ReportKind, reportKinds } from '../reports/kinds.ts';
import { profitAndLoss } from '../reports/profit-loss.ts';
import type { Report, ReportContext } from '../reports/report.ts';
import { trialBalance } from '../reports/trial-balance.ts';
import type { ExpectedReport } from './scenario.ts';

/** The journal as reports read it; BooksTransaction is one. */
export interface DatedEntries {
  postingDate: IsoDate;
  entries: readonly Entry[];
}

export const reportAccounts: readonly ReportAccount[] = masterAccounts.map((account) => {
  const named = { number: account.accountNumber, name: account.accountName };
  const { id, accountTypeLabel: type, contra, category } = account;
  return { id, ...named, type, contra, category, label: accountLabel(named, true) };
});

export interface BalanceRange {
  from?: IsoDate | undefined;
  to: IsoDate;
  basis: ReportBasis;
}

/** Σ debit − credit per account over the lines of a view from `from` (or the beginning) to `to`, inclusive. */
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

/** What the reports as of a date are made from. */
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

/** Runs one of the reports over a journal in memory. */
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
