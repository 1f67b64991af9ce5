import type { IsoDate } from './dates.ts';
import { negate, sum } from './money.ts';
import type { Cents } from './money.ts';

/** The views a line belongs to: B both, A accrual only, C cash only (accounting: A2). */
export type Basis = 'B' | 'A' | 'C';

/** A reporting basis: the accrual view is the lines B and A, the cash view the lines B and C. */
export type ReportBasis = 'accrual' | 'cash';

export interface Entry {
  accountId: number;
  /** Debit − credit, in cents. */
  amount: Cents;
  basis: Basis;
  description: string;
  entityId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

/** What a document wants to stand in the journal on one date. */
export interface Transaction {
  postingDate: IsoDate;
  description: string;
  entries: Entry[];
}

/** A posted line that neither reverses another nor is reversed. */
export interface LiveLine extends Entry {
  id: number;
  postingDate: IsoDate;
}

export interface PostedEntry extends Entry {
  /** The id of the live line that this one takes back. */
  reverses: number | null;
}

/** What is to be added to the journal on one date. */
export interface Posting {
  postingDate: IsoDate;
  description: string;
  entries: PostedEntry[];
}

/** Whether a line counts in the given view. */
export function inView(basis: Basis, view: ReportBasis): boolean {
  return basis === 'B' || basis === (view === 'accrual' ? 'A' : 'C');
}

/** Throws unless the lines sum to zero in the accrual view and in the cash view. */
export function assertBalanced(transaction: { entries: readonly Entry[] }): void {
  for (const view of ['accrual', 'cash'] as const) {
    const rest = sum(transaction.entries.filter((entry) => inView(entry.basis, view)).map((entry) => entry.amount));
    if (rest !== 0) throw new Error(`transaction does not balance in the ${view} view: ${rest} cents`);
  }
}

/**
 * The postings that turn a document's live lines into the wanted ones: per date the negations of the lines no longer
 * wanted (each naming the line it takes back) and the lines that are new. Lines are compared as a multiset on account,
 * amount, basis, date, entity, dimensions and description; zero lines are dropped; nothing changed → empty.
 */
export function difference(live: readonly LiveLine[], wanted: readonly Transaction[]): Posting[] {
  const days = new Map<IsoDate, Posting>();
  const unmatched = groupByKey(live);
  const added = wanted.flatMap((transaction) =>
    transaction.entries
      .filter((entry) => entry.amount !== 0 && !takeMatch(unmatched, keyOf(entry, transaction.postingDate)))
      .map((entry) => ({ transaction, entry })),
  );
  const removed = [...unmatched.values()].flat().toSorted((a, b) => a.id - b.id);
  for (const line of removed) {
    const { id, postingDate, ...entry } = line;
    const title = wanted.find((each) => each.postingDate === postingDate)?.description ?? line.description;
    dayOf(days, postingDate, title).entries.push({ ...entry, amount: negate(entry.amount), reverses: id });
  }
  for (const { transaction, entry } of added) {
    dayOf(days, transaction.postingDate, transaction.description).entries.push({ ...entry, reverses: null });
  }
  const postings = [...days.values()].toSorted((a, b) => (a.postingDate < b.postingDate ? -1 : 1));
  postings.forEach(assertBalanced);
  return postings;
}

function groupByKey(live: readonly LiveLine[]): Map<string, LiveLine[]> {
  const groups = new Map<string, LiveLine[]>();
  for (const line of live.toSorted((a, b) => a.id - b.id)) {
    const key = keyOf(line, line.postingDate);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return groups;
}

function keyOf(entry: Entry, postingDate: IsoDate): string {
  const { accountId, amount, basis, description, entityId, profitCenterId, locationId } = entry;
  return JSON.stringify([postingDate, accountId, amount, basis, entityId, profitCenterId, locationId, description]);
}

/** Takes one line of this key out of the groups; false when there is none left. */
function takeMatch(groups: Map<string, LiveLine[]>, key: string): boolean {
  return groups.get(key)?.shift() !== undefined;
}

function dayOf(days: Map<IsoDate, Posting>, postingDate: IsoDate, description: string): Posting {
  const known = days.get(postingDate);
  if (known !== undefined) return known;
  const day: Posting = { postingDate, description, entries: [] };
  days.set(postingDate, day);
  return day;
}
