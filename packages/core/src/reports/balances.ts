import { type AccountType, accountTypeInfo, type AccountTypeInfo, isProfitAndLoss } from '../books/accounts.ts';
import type { IsoDate } from '../dates.ts';
import { type Cents, cents, sum, ZERO } from '../money.ts';
import { isFiltered, type ReportContext, type ReportSource, type ReportSummary, sourceOf } from './report.ts';

/** An account's totals up to the report's date D. Each total is debit − credit in cents. */
export interface AccountBalance {
  accountId: number;
  /** The total of all lines on or before D. */
  toDate: Cents;
  /** The total of the lines before the fiscal year that contains D. */
  beforeYear: Cents;
}

/** An account's total over a date range, debit − credit in cents. */
export interface AccountAmount {
  accountId: number;
  amount: Cents;
}

export interface ReportAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  category: string;
  /** The label that accountLabel returns for the company's useAccountNumbers setting. */
  label: string;
}

/** An account with the amount that a report shows. */
export interface ReportRow {
  account: ReportAccount;
  info: AccountTypeInfo;
  /** Debit − credit, in cents. */
  amount: Cents;
  source?: ReportSource | undefined;
}

const natural = new Intl.Collator('en', { numeric: true });

/** Compares rows by account number (accounts without a number last), then name, then ID. */
export function inAccountOrder(a: Pick<ReportRow, 'account'>, b: Pick<ReportRow, 'account'>): number {
  const [left, right] = [a.account, b.account];
  if ((left.number === '') !== (right.number === '')) return left.number === '' ? 1 : -1;
  return natural.compare(left.number, right.number) || natural.compare(left.name, right.name) || left.id - right.id;
}

/**
 * Joins amounts with their accounts. Amounts for unknown accounts are included, because the report would not add up
 * without them.
 */
export function rowsOf(amounts: readonly AccountAmount[], accounts: readonly ReportAccount[]): ReportRow[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return amounts.map(({ accountId, amount }) => {
    const account = byId.get(accountId) ?? unknownAccount(accountId);
    return { account, amount, info: accountTypeInfo(account.type, account.contra) };
  });
}

function unknownAccount(id: number): ReportAccount {
  return { ...namedAccount(`Account ${id}`, 'Other Asset'), id };
}

/** Returns a pseudo-account for a row that is not an account. */
export function namedAccount(name: string, type: AccountType): ReportAccount {
  return { id: 0, number: '', name, type, contra: false, category: '', label: name };
}

/** Returns the rows with an amount, in report order. */
export function visible(rows: readonly ReportRow[]): ReportRow[] {
  return rows.filter((row) => row.amount !== 0).toSorted(inAccountOrder);
}

export interface YearEndRows {
  /** Balance sheet accounts up to the date. Retained earnings include the earnings of earlier years. */
  lasting: ReportRow[];
  /** Income and expense accounts in the fiscal year up to the date. */
  ofYear: ReportRow[];
}

/**
 * Closes the books virtually, without a closing entry (docs/accounting.md, "The fiscal year"). Income and expenses are
 * counted from the start of the fiscal year, and earlier amounts are part of retained earnings.
 */
export function closeVirtually(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  retainedEarningsAccountId: number,
): YearEndRows {
  const isPosted = balances.some(({ accountId }) => accountId === retainedEarningsAccountId);
  const unposted = { accountId: retainedEarningsAccountId, toDate: ZERO, beforeYear: ZERO };
  const all = isPosted ? balances : [...balances, unposted];
  const before = new Map(all.map(({ accountId, beforeYear }) => [accountId, beforeYear]));
  const beforeYear = ({ account }: ReportRow): Cents => before.get(account.id) ?? ZERO;
  const rows = rowsOf(
    all.map(({ accountId, toDate }) => ({ accountId, amount: toDate })),
    accounts,
  );
  const lasting = rows.filter((row) => !isProfitAndLoss(row.info));
  const ofYear = rows.filter((row) => isProfitAndLoss(row.info));
  const earlier = sum(ofYear.map(beforeYear));
  return {
    lasting: lasting.map((row) =>
      row.account.id === retainedEarningsAccountId ? { ...row, amount: cents(row.amount + earlier) } : row,
    ),
    ofYear: ofYear.map((row) => ({ ...row, amount: cents(row.amount - beforeYear(row)) })),
  };
}

/** Returns the rows of the virtual closing as of context.asOf, each with the source of its entries. */
export function closedRows(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  context: ReportContext,
): YearEndRows {
  const { lasting, ofYear } = closeVirtually(balances, accounts, context.retainedEarningsAccountId);
  return {
    lasting: lasting.map((row) => withSource(row, context)),
    ofYear: ofYear.map((row) => withSource(row, context, context.fiscalYearStart)),
  };
}

/**
 * Adds the source of a row's entries through context.asOf. For retained earnings, the source has no start date and
 * includes earlier years.
 */
export function withSource(row: ReportRow, context: ReportContext, from?: IsoDate): ReportRow {
  const source = sourceOf(context, { accountIds: [row.account.id], from, to: context.asOf });
  const isEarnings = from === undefined && row.account.id === context.retainedEarningsAccountId;
  return { ...row, source: isEarnings ? { ...source, earningsBefore: context.fiscalYearStart } : source };
}

/** Returns the summary line for a difference. With a dimension filter, the lines don't have to balance. */
export function outOfBalance(difference: Cents, context: ReportContext): ReportSummary[] {
  return difference === 0 || isFiltered(context) ? [] : [{ description: 'Out of balance', amount: difference }];
}
