import type { IsoDate } from '../../dates.ts';
import type { Cents } from '../../money.ts';
import type { Steps } from '../../steps.ts';
import {
  type BookItem,
  CLOSE,
  type DatedItem,
  keyOf,
  type Names,
  type OnDay,
  type ReadLine,
  type Score,
  scoreOf,
} from './score.ts';

/** A bank transaction, and an item with the same amount that may explain it. */
export interface Pair extends Score {
  line: ReadLine;
  item: DatedItem;
  key: string;
  /** Whether the bank transaction pays the document's amount less the early-payment discount. */
  takesDiscount: boolean;
}

/** An item with an amount that may explain a bank transaction: its full amount or the amount less its discount. */
interface Offer extends OnDay {
  item: DatedItem;
  amount: Cents;
  /** The date through which the discount is available, if the discount is subtracted from the amount. */
  until?: IsoDate;
}

/** Returns each item's offers, in the order of the items. */
const offersOf = (items: readonly DatedItem[]): Offer[] =>
  items.flatMap((item): Offer[] => {
    const { day, amount, discounted } = item;
    const whole = { item, day, amount };
    return discounted === undefined ? [whole] : [whole, { item, day, ...discounted }];
  });

/**
 * A document results in two candidates, with and without its discount. Both candidates are the same item, which only
 * one line can have.
 */
const keyOfOffer = ({ item, until }: Offer): string => (until === undefined ? keyOf(item) : `discount:${item.id}`);

/**
 * An item is unique only if no other line or item with the same amount is dated within this number of days of the line.
 */
const ALONE_DAYS = 30;

/** The maximum number of items with the same amount that are scored for a line. The nearest items are scored. */
const MOST_ITEMS = 60;

/** Items or lines grouped by amount, in the given order. */
export class ByAmount<T extends { amount: Cents }> {
  readonly #groups = new Map<number, T[]>();

  constructor(all: readonly T[]) {
    for (const one of all) {
      const group = this.#groups.get(one.amount);
      if (group === undefined) this.#groups.set(one.amount, [one]);
      else group.push(one);
    }
  }

  of(amount: Cents): readonly T[] {
    return this.#groups.get(amount) ?? [];
  }
}

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares two lines by the bank's data. The ID decides only if the lines are identical. */
export function lineOrder(a: ReadLine, b: ReadLine): number {
  return (
    a.day - b.day ||
    a.amount - b.amount ||
    textOrder(a.text, b.text) ||
    textOrder(a.checkNumber, b.checkNumber) ||
    a.id - b.id
  );
}

/** Compares two items by day, then ID and kind. */
export function itemOrder(a: DatedItem, b: DatedItem): number {
  return a.day - b.day || a.id - b.id || textOrder(a.kind, b.kind);
}

/** Returns whether two bank transactions are identical. An entry can be matched to either transaction. */
export function areTwins(a: ReadLine, b: ReadLine): boolean {
  return a.date === b.date && a.amount === b.amount && a.text === b.text && a.checkNumber === b.checkNumber;
}

/** Returns whether two items are identical in everything that a user can see. */
export function areAlike(a: BookItem, b: BookItem): boolean {
  return (
    a.kind === b.kind &&
    a.date === b.date &&
    a.amount === b.amount &&
    a.entityId === b.entityId &&
    a.description === b.description &&
    a.checkNumber === b.checkNumber &&
    a.numbers.join('\n') === b.numbers.join('\n')
  );
}

/**
 * Returns each line's candidates with the same amount, best first and without rejected pairs. Lines and items must be
 * sorted.
 */
export function* pairsOf(
  { lines, items }: { lines: readonly ReadLine[]; items: readonly DatedItem[] },
  { names, refused }: { names: Names; refused: ReadonlySet<string> },
): Steps<Map<number, Pair[]>> {
  const byAmount = new ByAmount(offersOf(items));
  const linesByAmount = new ByAmount(lines);
  const pairs = new Map<number, Pair[]>();
  for (const line of lines) {
    yield;
    const offers = byAmount.of(line.amount).filter(({ until }) => until === undefined || line.date <= until);
    const near = nearest(offers, line.day);
    const isOnlyLine = !linesByAmount.of(line.amount).some((other) => other !== line && isNear(other, line));
    const isAlone = isOnlyLine && near.filter((offer) => isNear(offer, line)).length === 1;
    const own = near.flatMap((offer): Pair[] => {
      const { item } = offer;
      const key = keyOfOffer(offer);
      if (refused.has(`${line.id} ${key}`)) return [];
      const score = scoreOf(line, item, names, isAlone && isNear(item, line));
      if (score === undefined) return [];
      const takesDiscount = offer.until !== undefined;
      const reasons = takesDiscount ? [...score.reasons, 'less its early-payment discount'] : score.reasons;
      return [{ ...score, reasons, line, item, key, takesDiscount }];
    });
    if (own.length > 0) pairs.set(line.id, booksFirst(own).toSorted(pairOrder));
  }
  return pairs;
}

/**
 * Puts an existing entry before a new transfer with the same amount, because the transfer might duplicate that entry.
 */
function booksFirst(pairs: readonly Pair[]): readonly Pair[] {
  const booked = pairs.filter(({ item }) => item.kind === 'entry').map(({ points }) => points);
  if (booked.length === 0) return pairs;
  const most = Math.max(...booked) - CLOSE - 1;
  return pairs.map((pair) => (pair.item.kind === 'transfer' ? { ...pair, points: Math.min(pair.points, most) } : pair));
}

/**
 * Compares two pairs by score, best first, then by the number of days between their dates, and then by the bank's data
 * and the books' data.
 */
export function pairOrder(a: Pair, b: Pair): number {
  return b.points - a.points || apart(a) - apart(b) || lineOrder(a.line, b.line) || itemOrder(a.item, b.item);
}

const apart = ({ line, item }: Pair): number => Math.abs(item.day - line.day);

function isNear(one: OnDay, line: OnDay): boolean {
  return Math.abs(one.day - line.day) <= ALONE_DAYS;
}

/** Returns the items nearest to a day, up to the maximum number. `items` must be sorted by day. */
function nearest(items: readonly Offer[], day: number): readonly Offer[] {
  if (items.length <= MOST_ITEMS) return items;
  const start = firstFrom(items, day);
  let [low, high] = [start - 1, start];
  while (high - low - 1 < MOST_ITEMS) {
    const [before, after] = [items[low], items[high]];
    if (before === undefined) high += 1;
    else if (after === undefined || day - before.day <= after.day - day) low -= 1;
    else high += 1;
  }
  return items.slice(low + 1, high);
}

/** Returns the index of the first element on or after a day in a list sorted by day. */
export function firstFrom(sorted: readonly OnDay[], day: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.day ?? day) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
