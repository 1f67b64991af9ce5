import { accountTypeInfo, isProfitAndLoss, naturalAmount } from '../accounts.ts';
import type { AccountTypeInfo } from '../accounts.ts';
import { cents, sum } from '../money.ts';
import type { Cents } from '../money.ts';
import { moneyCell, textCell, together } from './report.ts';
import type { ReportBlock, ReportLine, ReportSource } from './report.ts';

/** An account's lines summed up to the report's date D; both amounts are debit − credit in cents. */
export interface AccountBalance {
  accountId: number;
  /** All lines on or before D. */
  toDate: Cents;
  /** Those before the fiscal year of D. */
  beforeYear: Cents;
}

/** An account's lines summed over a range of dates, debit − credit in cents. */
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
  /** As accountLabel makes it, by the company's useAccountNumbers. */
  label: string;
}

/** An account with its amount as a report shows it. */
export interface ReportRow {
  account: ReportAccount;
  info: AccountTypeInfo;
  /** Debit − credit, in cents. */
  amount: Cents;
  source?: ReportSource | undefined;
}

const natural = new Intl.Collator('en', { numeric: true });

/** By account number (unnumbered accounts last), then name, then id. */
export function inAccountOrder(a: ReportRow, b: ReportRow): number {
  const [left, right] = [a.account, b.account];
  if ((left.number === '') !== (right.number === '')) return left.number === '' ? 1 : -1;
  return natural.compare(left.number, right.number) || natural.compare(left.name, right.name) || left.id - right.id;
}

/** Joins amounts to accounts. An amount of an unknown account still appears, or the report would not add up. */
export function rowsOf(amounts: readonly AccountAmount[], accounts: readonly ReportAccount[]): ReportRow[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return amounts.map(({ accountId, amount }) => {
    const account = byId.get(accountId) ?? unknownAccount(accountId);
    return { account, amount, info: accountTypeInfo(account.type, account.contra) };
  });
}

function unknownAccount(id: number): ReportAccount {
  const name = `Account ${id}`;
  return { id, number: '', name, type: 'Other Asset', contra: false, category: '', label: name };
}

/** Only the rows that are not zero, in report order. */
export function visible(rows: readonly ReportRow[]): ReportRow[] {
  return rows.filter((row) => row.amount !== 0).toSorted(inAccountOrder);
}

export interface YearEndRows {
  /** Balance sheet accounts up to the date; retained earnings with the earnings of earlier years. */
  lasting: ReportRow[];
  /** Income and expense accounts of the fiscal year up to the date. */
  ofYear: ReportRow[];
}

/**
 * Virtual closing (accounting: A8): no closing entry exists; income and expense count from the fiscal year's start and
 * what they were before it is part of retained earnings.
 */
export function closeVirtually(
  balances: readonly AccountBalance[],
  accounts: readonly ReportAccount[],
  retainedEarningsAccountId: number,
): YearEndRows {
  const rows = rowsOf(
    balances.map(({ accountId, toDate }) => ({ accountId, amount: toDate })),
    accounts,
  );
  const before = new Map(balances.map(({ accountId, beforeYear }) => [accountId, beforeYear]));
  const ofYear = rows
    .filter((row) => isProfitAndLoss(row.info))
    .map((row) => ({ ...row, amount: cents(row.amount - (before.get(row.account.id) ?? 0)) }));
  const earlier = sum(ofYear.map((row) => before.get(row.account.id) ?? cents(0)));
  const lasting = rows.filter((row) => !isProfitAndLoss(row.info));
  return { lasting: withEarnings(lasting, { earlier, accounts, accountId: retainedEarningsAccountId }), ofYear };
}

interface Earnings {
  earlier: Cents;
  accounts: readonly ReportAccount[];
  accountId: number;
}

function withEarnings(rows: readonly ReportRow[], { earlier, accounts, accountId }: Earnings): ReportRow[] {
  if (rows.some((row) => row.account.id === accountId)) {
    return rows.map((row) => (row.account.id === accountId ? { ...row, amount: cents(row.amount + earlier) } : row));
  }
  const account = accounts.find((each) => each.id === accountId) ?? {
    ...unknownAccount(accountId),
    type: 'Retained Earnings',
    name: 'Retained Earnings',
    label: 'Retained Earnings',
  };
  return [...rows, { account, amount: earlier, info: accountTypeInfo(account.type, account.contra) }];
}

/** Σ of the rows in natural sign; only of rows of one statement section. */
export function totalOf(rows: readonly ReportRow[]): Cents {
  return sum(rows.map(({ info, amount }) => naturalAmount(info, amount)));
}

/** A block of account lines with its total; the header and the footer can be hidden for a block that is a section. */
export function accountBlock(blockTitle: string, rows: readonly ReportRow[], framed = true): ReportBlock {
  return {
    blockTitle,
    displayHeader: framed,
    displayFooter: framed,
    total: totalOf(rows),
    reportLines: rows.map(accountLine),
    source: together(rows.map((row) => row.source)),
  };
}

function accountLine(row: ReportRow): ReportLine {
  return {
    lineItems: [textCell(row.account.label), moneyCell(naturalAmount(row.info, row.amount))],
    source: row.source,
  };
}
