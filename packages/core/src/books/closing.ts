import { addDays, endOfMonth, type IsoDate, startOfMonth } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import type { Cents } from '../money.ts';

/** The rules for closing the books through a date and for reopening them. */

/** The reports that are signed off before the books are closed. */
export const reviewedReports = ['balanceSheet', 'profitAndLoss'] as const;
export type ReviewedReport = (typeof reviewedReports)[number];

/**
 * The balance of the control accounts on a side, and the total of the open items of the side's customers or vendors.
 * Journal entries in the control accounts make up the difference.
 */
interface ControlBalance {
  ledger: Cents;
  open: Cents;
}

/** The open work as of a date. */
interface OpenWork {
  review: readonly unknown[];
  bankAccounts: readonly unknown[];
  drafts: readonly unknown[];
  scheduled: readonly unknown[];
  held: readonly unknown[];
  certificates: readonly unknown[];
  returns: readonly unknown[];
  vendorTaxes: readonly unknown[];
  onlinePayments: readonly unknown[];
  clearingAccounts: readonly unknown[];
  negativeAccounts: readonly unknown[];
  receivables: ControlBalance;
  payables: ControlBalance;
  reviews: readonly { signedBy: string | null; outdated: boolean }[];
  /** The accounts' last sign-offs, with the change in each balance since then. */
  signOffs: readonly { change: Cents }[];
}

/**
 * Returns the number of open items. Each kind of transaction counts once, because the checklist has one row for each
 * kind. Unpaid sales tax is not an open item, because it is due after the period.
 */
export function openItems(work: OpenWork): number {
  const { review, bankAccounts, drafts, scheduled, held, certificates, returns, vendorTaxes, onlinePayments } = work;
  const lists = [review, bankAccounts, drafts, scheduled, held, certificates, returns, vendorTaxes, onlinePayments];
  const kinds = lists.filter((rows) => rows.length > 0);
  const unequal = [work.receivables, work.payables].filter((balance) => !isEqual(balance));
  const unsigned = work.reviews.filter((review) => !isSignedOff(review));
  const changed = work.signOffs.filter(({ change }) => change !== 0);
  const accounts = work.clearingAccounts.length + work.negativeAccounts.length + changed.length;
  return kinds.length + accounts + unequal.length + unsigned.length;
}

/** Returns whether the control accounts on a side equal the total of the open items of its customers or vendors. */
export function isEqual({ ledger, open }: ControlBalance): boolean {
  return ledger === open;
}

/** Returns whether a report was signed off and hasn't changed since. */
export function isSignedOff({ signedBy, outdated }: OpenWork['reviews'][number]): boolean {
  return signedBy !== null && !outdated;
}

/** A change to the closing date. Null means that no date is closed. */
export interface ClosingMove {
  from: IsoDate | null;
  to: IsoDate | null;
}

/** Returns whether a change to the closing date reopens closed dates. */
export function isReopening({ from, to }: ClosingMove): boolean {
  return from !== null && (to === null || to < from);
}

/**
 * Returns the messages for a change to the closing date. Reopening requires a reason, and closing requires a note while
 * items are open.
 */
export function closingFaults(move: ClosingMove & { note: string; openCount: number }): FieldMessages {
  const { from, to, note, openCount } = move;
  if (from === to || note.trim() !== '') return {};
  if (isReopening(move)) return { note: 'Please enter a reason' };
  if (openCount === 0) return {};
  return { note: `Please enter a note, because ${openCount === 1 ? '1 item is' : `${openCount} items are`} open` };
}

/** A stored change to the closing date, with the administrator, the time, and the note. */
export interface StoredMove extends ClosingMove {
  person: string;
  at: string;
  note: string;
}

/**
 * A closed month: its last day, the change that closed it, and the notes for all changes that closed or reopened it.
 */
export interface ClosedMonth<Move extends StoredMove> {
  date: IsoDate;
  closed: Move;
  notes: readonly Move[];
}

/**
 * Returns the closed months, latest first and at most `limit`. The first change closes only the month of its date,
 * because the change doesn't say how far back the closed dates reach. `moves` must be in the order in which they were
 * made.
 */
export function closedMonths<Move extends StoredMove>(moves: readonly Move[], limit: number): ClosedMonth<Move>[] {
  const months = new Map<IsoDate, { closed: Move | undefined; notes: Move[] }>();
  for (const move of moves) {
    for (const date of isReopening(move) ? reopened([...months.keys()], move) : closedBy(move, limit)) {
      const { notes } = months.get(date) ?? { notes: [] };
      const noted = move.note === '' ? notes : [...notes, move];
      months.set(date, { closed: isReopening(move) ? undefined : move, notes: noted });
    }
  }
  return [...months]
    .flatMap(([date, { closed, notes }]) => (closed === undefined ? [] : [{ date, closed, notes }]))
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))
    .slice(0, limit);
}

/** Returns the closed months that a change reopens, either completely or partly. */
function reopened(known: readonly IsoDate[], { to }: ClosingMove): IsoDate[] {
  return known.filter((date) => to === null || date > to);
}

/** Returns the last days of the months that a change closes completely, latest first and at most `limit`. */
function closedBy({ from, to }: ClosingMove, limit: number): IsoDate[] {
  if (to === null || to === from) return [];
  const dates: IsoDate[] = [];
  let date = endOfMonth(to) === to ? to : addDays(startOfMonth(to), -1);
  while (dates.length < limit && (from === null ? dates.length === 0 : date > from)) {
    dates.push(date);
    date = addDays(startOfMonth(date), -1);
  }
  return dates;
}
