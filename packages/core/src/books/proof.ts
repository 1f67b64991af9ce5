import { fiscalYearStart, type IsoDate, isoDate } from '../dates.ts';
import { cents, type Cents, ZERO } from '../money.ts';
import { type AccountBalance, closeVirtually, type ReportAccount } from '../reports/balances.ts';
import type { ReportBasis } from './ledger.ts';

/** The sums of one account's lines in a month on both bases, debit − credit in cents. */
export interface MonthSum extends Record<ReportBasis, Cents> {
  /** The first day of the month. */
  month: string;
  accountId: number;
}

/** A trial balance at the end of a month: debit − credit in cents by account ID, without zeros. */
export interface MonthBalances extends Record<ReportBasis, Record<number, Cents>> {
  /** YYYY-MM. */
  month: string;
}

interface YearEnd {
  accounts: readonly ReportAccount[];
  fyStartMonth: number;
  retainedEarningsAccountId: number;
}

/**
 * Returns the trial balances of every month with entries, using the rule of the Trial Balance report: income and
 * expenses count from the start of the fiscal year, and earlier amounts are part of retained earnings. The sums are
 * sorted by month.
 */
export function trialBalancesByMonth(sums: readonly MonthSum[], books: YearEnd): MonthBalances[] {
  const months = new Map<string, MonthSum[]>();
  for (const sum of sums) {
    const known = months.get(sum.month);
    if (known === undefined) months.set(sum.month, [sum]);
    else known.push(sum);
  }
  const running = { accrual: new RunningBalances(), cash: new RunningBalances() };
  return [...months].map(([month, ofMonth]) => {
    const year = fiscalYearStart(isoDate(month), books.fyStartMonth);
    const closed = (basis: ReportBasis): Record<number, Cents> => {
      const balances = running[basis].add(year, ofMonth, basis);
      const { lasting, ofYear } = closeVirtually(balances, books.accounts, books.retainedEarningsAccountId);
      const rows = [...lasting, ...ofYear].filter(({ amount }) => amount !== 0);
      return Object.fromEntries(rows.map(({ account, amount }) => [account.id, amount]));
    };
    return { month: month.slice(0, 7), accrual: closed('accrual'), cash: closed('cash') };
  });
}

class RunningBalances {
  #year = '';
  readonly #balances = new Map<number, AccountBalance>();

  /** Adds a month's sums. Returns the balances at the end of the month. */
  add(year: string, sums: readonly MonthSum[], basis: ReportBasis): AccountBalance[] {
    if (year !== this.#year) {
      for (const each of this.#balances.values()) each.beforeYear = each.toDate;
      this.#year = year;
    }
    for (const sum of sums) {
      const { accountId } = sum;
      const known = this.#balances.get(accountId) ?? { accountId, toDate: ZERO, beforeYear: ZERO };
      this.#balances.set(accountId, { ...known, toDate: cents(known.toDate + sum[basis]) });
    }
    return [...this.#balances.values()];
  }
}

/** The text that the last line of a proof signs. The number is the version of the format. */
export const proofMessage = (digest: string, sums: readonly number[]): string =>
  ['evenkeel proof 1', digest, ...sums].join(' ');

/** Returns text such as "Proof 2026-05-05.txt". */
export const proofFileName = (date: IsoDate): string => `Proof ${date}.txt`;
