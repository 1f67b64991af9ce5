import { accountTypeInfo, isProfitAndLoss } from '@evenkeel/core/books/accounts';
import { addMonths, endOfMonth, fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import type { Place, SourceAccount, SourceBooks, SourceTransaction } from './books.ts';
import { transactionText } from './entries.ts';

/** An entry in the ledger, with the account's key in the source books. Debits are positive. */
export interface LedgerEntry {
  account: string;
  date: IsoDate;
  amount: Cents;
  /** The customer or vendor. Set only for receivables and payables. */
  party?: string;
}

/** A row that may explain a difference. */
export interface Candidate {
  place: Place;
  text: string;
  amount: Cents;
}

/** An account whose balances at the end of a month differ. */
export interface Difference {
  account: string;
  accountName: string;
  monthEnd: IsoDate;
  source: Cents;
  ledger: Cents;
  /** The balance in the ledger minus the balance in the source. */
  difference: Cents;
  /** At most 20 rows for that account, most likely first. */
  candidates: Candidate[];
}

/** A customer or vendor whose balances differ. */
export interface PartyDifference {
  side: 'receivable' | 'payable';
  party: string;
  source: Cents;
  ledger: Cents;
  difference: Cents;
}

export interface Proof {
  /** Whether all balances are equal. If not, nothing may be imported. */
  isProved: boolean;
  /** The last days of the compared months. */
  monthEnds: IsoDate[];
  /** The number of balances that were compared. */
  compared: number;
  /** The first month with a difference, for each account with a difference. */
  differences: Difference[];
  partyDifferences: PartyDifference[];
}

/** Returns the last day of each month from the first date to the last. */
export function monthEndsOf(dates: Iterable<IsoDate>): IsoDate[] {
  let [first, last]: (IsoDate | undefined)[] = [undefined, undefined];
  for (const date of dates) {
    if (first === undefined || date < first) first = date;
    if (last === undefined || date > last) last = date;
  }
  const found: IsoDate[] = [];
  if (first === undefined || last === undefined) return found;
  const end = endOfMonth(last);
  for (let month = endOfMonth(first); month <= end; month = endOfMonth(addMonths(month, 1))) found.push(month);
  return found;
}

/**
 * Returns the entries of transactions one by one, because all entries of a large file together would use too much
 * memory.
 */
function* eachEntry(transactions: Iterable<SourceTransaction>): Generator<LedgerEntry> {
  for (const { date, lines } of transactions) {
    for (const { account, amount, party } of lines) {
      yield party === undefined ? { account, date, amount } : { account, date, amount, party };
    }
  }
}

/** Returns the entries of transactions. */
export const entriesOf = (transactions: Iterable<SourceTransaction>): LedgerEntry[] => [...eachEntry(transactions)];

/** The balances of each account at the ends of months, in the order of `monthEnds`. */
export type MonthlyBalances = ReadonlyMap<string, readonly Cents[]>;

/** Returns the balance of every account at the end of each month. */
export function balancesAt(entries: Iterable<LedgerEntry>, monthEnds: readonly IsoDate[]): MonthlyBalances {
  const columns = new Map(monthEnds.map((date, index) => [date.slice(0, 7), index]));
  const found = new Map<string, Cents[]>();
  for (const { account, date, amount } of entries) {
    const column = columns.get(date.slice(0, 7));
    if (column === undefined) continue;
    const months = found.get(account) ?? monthEnds.map(() => cents(0));
    months[column] = cents((months[column] ?? 0) + amount);
    found.set(account, months);
  }
  for (const months of found.values()) {
    for (let index = 1; index < months.length; index += 1) {
      months[index] = cents((months[index] ?? 0) + (months[index - 1] ?? 0));
    }
  }
  return found;
}

/**
 * Compares the ledger with the source books: the balance of every account at the end of every month, and receivables
 * and payables by customer and vendor. Every cent counts. `ledger` identifies accounts by their keys in the source
 * books.
 */
export function prove(books: SourceBooks, ledger: readonly LedgerEntry[]): Proof {
  const source = entriesOf(books.transactions);
  const monthEnds = monthEndsOf([...source, ...ledger].map(({ date }) => date));
  const [wanted, own] = [balancesAt(source, monthEnds), balancesAt(ledger, monthEnds)];
  const accounts = [...new Set([...wanted.keys(), ...own.keys()])].toSorted();
  const differences = accounts.flatMap((account) => differenceIn(account, { books, monthEnds, wanted, own }) ?? []);
  const partyDifferences = compareParties(books, source, ledger);
  return {
    isProved: differences.length === 0 && partyDifferences.length === 0,
    monthEnds,
    compared: accounts.length * monthEnds.length,
    differences,
    partyDifferences,
  };
}

interface Compared {
  books: SourceBooks;
  monthEnds: readonly IsoDate[];
  wanted: MonthlyBalances;
  own: MonthlyBalances;
}

function differenceIn(account: string, { books, monthEnds, wanted, own }: Compared): Difference | undefined {
  for (const [index, monthEnd] of monthEnds.entries()) {
    const [source, ledger] = [wanted, own].map((balances) => balances.get(account)?.[index] ?? cents(0));
    if (source === ledger || source === undefined || ledger === undefined) continue;
    const difference = cents(ledger - source);
    const accountName = nameOf(books.accounts, account);
    const candidates = candidatesFor(books, { account, monthEnd, difference });
    return { account, accountName, monthEnd, source, ledger, difference, candidates };
  }
  return undefined;
}

const nameOf = (accounts: readonly SourceAccount[], key: string): string =>
  accounts.find((account) => account.key === key)?.name ?? key;

const MAX_CANDIDATES = 20;

/** Returns the rows for an account in a month. Rows with the amount of the difference, or half of it, come first. */
function candidatesFor(
  books: SourceBooks,
  { account, monthEnd, difference }: { account: string; monthEnd: IsoDate; difference: Cents },
): Candidate[] {
  const month = monthEnd.slice(0, 7);
  const likely = (amount: Cents): number => {
    const size = Math.abs(amount);
    if (size === Math.abs(difference)) return 0;
    // An entry on the wrong side causes a difference of twice its amount.
    return size * 2 === Math.abs(difference) ? 1 : 2;
  };
  const found: Candidate[] = [];
  for (const transaction of books.transactions) {
    if (!transaction.date.startsWith(month)) continue;
    for (const { account: own, amount, place } of transaction.lines) {
      if (own === account) found.push({ place, amount, text: transactionText(transaction) });
    }
  }
  return found.toSorted((a, b) => likely(a.amount) - likely(b.amount)).slice(0, MAX_CANDIDATES);
}

/** Returns the balance of each customer or vendor. Names that differ only in case count as the same. */
export function partyBalances(
  accounts: readonly SourceAccount[],
  entries: Iterable<LedgerEntry>,
  side: 'receivable' | 'payable',
  asOf?: IsoDate,
): Map<string, Cents> {
  const controls = new Set(accounts.filter(({ role }) => role === side).map(({ key }) => key));
  const found = new Map<string, Cents>();
  for (const { account, amount, party, date } of entries) {
    if (!controls.has(account) || (asOf !== undefined && date > asOf)) continue;
    const name = (party ?? '').toLowerCase();
    found.set(name, cents((found.get(name) ?? 0) + (side === 'receivable' ? amount : -amount)));
  }
  for (const [name, amount] of found) if (amount === 0) found.delete(name);
  return found;
}

function compareParties(
  { accounts }: SourceBooks,
  source: readonly LedgerEntry[],
  ledger: readonly LedgerEntry[],
): PartyDifference[] {
  return (['receivable', 'payable'] as const).flatMap((side) => {
    const [wanted, own] = [partyBalances(accounts, source, side), partyBalances(accounts, ledger, side)];
    return compared(side, wanted, own);
  });
}

function compared(
  side: 'receivable' | 'payable',
  wanted: ReadonlyMap<string, Cents>,
  own: ReadonlyMap<string, Cents>,
): PartyDifference[] {
  return [...new Set([...wanted.keys(), ...own.keys()])].toSorted().flatMap((party) => {
    const [source, ledger] = [wanted.get(party) ?? cents(0), own.get(party) ?? cents(0)];
    return source === ledger ? [] : [{ side, party, source, ledger, difference: cents(ledger - source) }];
  });
}

/** A balance in a report from the source program that does not match the program's own transactions. */
export interface SourceDifference {
  account: string;
  accountName: string;
  asOf: IsoDate;
  /** The balance in the report. */
  report: Cents;
  /** The balance calculated from the transactions. */
  transactions: Cents;
  place: Place;
}

/** Returns one entry for each account and day, with the total of that day's entries. */
function dailyTotals(transactions: Iterable<SourceTransaction>): LedgerEntry[] {
  const totals = new Map<string, LedgerEntry>();
  for (const { account, date, amount } of eachEntry(transactions)) {
    const key = `${date} ${account}`;
    totals.set(key, { account, date, amount: cents((totals.get(key)?.amount ?? 0) + amount) });
  }
  return [...totals.values()];
}

/**
 * Compares the trial balances in the files with the transactions. Source programs close a year only in their reports:
 * income and expense accounts start at zero in each fiscal year, and the earnings of earlier years are part of
 * retained earnings. `startMonth` is the first month of the fiscal year, 1 to 12.
 */
export function proveTrialBalances(books: SourceBooks, startMonth: number): SourceDifference[] {
  const retained = books.accounts.find(({ role }) => role === 'retainedEarnings')?.key;
  const temporary = new Set(
    books.accounts
      .filter(({ type }) => type !== undefined && isProfitAndLoss(accountTypeInfo(type)))
      .map(({ key }) => key),
  );
  if (books.trialBalances.length === 0) return [];
  const entries = dailyTotals(books.transactions);
  return books.trialBalances.flatMap(({ asOf, balances, place }) => {
    const start = fiscalYearStart(asOf, startMonth);
    const sums = new Map<string, number>();
    for (const { account, date, amount } of entries) {
      if (date > asOf) continue;
      const isEarlier = temporary.has(account) && date < start && retained !== undefined;
      const key = isEarlier ? retained : account;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    }
    const said = new Map(balances.map((one) => [one.account, one]));
    return [...new Set([...sums.keys(), ...said.keys()])].toSorted().flatMap((account): SourceDifference[] => {
      const [report, transactions] = [said.get(account)?.amount ?? cents(0), cents(sums.get(account) ?? 0)];
      if (report === transactions) return [];
      const accountName = nameOf(books.accounts, account);
      return [{ account, accountName, asOf, report, transactions, place: said.get(account)?.place ?? place }];
    });
  });
}

/**
 * Compares customers' and vendors' balances in aging reports and open-invoice lists with the transactions through the
 * report's date.
 */
export function provePartyBalances(books: SourceBooks): PartyDifference[] {
  return (['receivable', 'payable'] as const).flatMap((side) => {
    const said = books.partyBalances.filter((one) => one.side === side);
    const [first] = said;
    if (first === undefined || books.transactions.length === 0) return [];
    const wanted = new Map<string, Cents>();
    for (const { party, amount, place } of said) {
      if (place.file === first.place.file && amount !== 0) wanted.set(party.toLowerCase(), amount);
    }
    return compared(side, wanted, partyBalances(books.accounts, eachEntry(books.transactions), side, first.asOf));
  });
}
