import type { Steps } from '../../steps.ts';
import { areAlike, areTwins, type Pair, pairOrder } from './pairs.ts';
import { CLOSE, type DatedItem } from './score.ts';

/**
 * The assignment of items to bank transactions. Each bank transaction has at most one item, and each item has at most
 * one bank transaction.
 */
export interface Assignment {
  /** Pairs by bank transaction ID. */
  byLine: ReadonlyMap<number, Pair>;
  byItem: ReadonlyMap<DatedItem, Pair>;
}

/** Assigns pairs, starting with the best pair. An assigned line or item can't be in another pair. */
export function* assign(pairs: ReadonlyMap<number, readonly Pair[]>): Steps<Assignment> {
  const [byLine, byItem] = [new Map<number, Pair>(), new Map<DatedItem, Pair>()];
  let count = 0;
  for (const pair of [...pairs.values()].flat().toSorted(pairOrder)) {
    count += 1;
    if (count % 256 === 0) yield;
    if (byLine.has(pair.line.id) || byItem.has(pair.item)) continue;
    byLine.set(pair.line.id, pair);
    byItem.set(pair.item, pair);
  }
  return { byLine, byItem };
}

/** Returns the candidate pairs of each item. */
export function claimsOf(pairs: ReadonlyMap<number, readonly Pair[]>): ReadonlyMap<DatedItem, readonly Pair[]> {
  const claims = new Map<DatedItem, Pair[]>();
  for (const pair of [...pairs.values()].flat()) {
    const known = claims.get(pair.item);
    if (known === undefined) claims.set(pair.item, [pair]);
    else known.push(pair);
  }
  return claims;
}

/** The data that is needed to count a line's possible items. */
export interface Ground {
  assignment: Assignment;
  pairs: ReadonlyMap<number, readonly Pair[]>;
  claims: ReadonlyMap<DatedItem, readonly Pair[]>;
}

/**
 * Returns the number of pairs that explain the line about as well as the assigned pair, including the assigned pair.
 * Another pair counts if its item is free, if the line to which that item is assigned could use a different item, or if
 * a different line could use this line's item. Interchangeable items and identical lines do not count.
 */
export function choicesOf(pair: Pair, { assignment, pairs, claims }: Ground): number {
  const limit = pair.points - CLOSE;
  const otherItems = (pairs.get(pair.line.id) ?? []).filter(
    (other) => other.points >= limit && other.key !== pair.key && isOpenChoice(pair, other, assignment.byItem),
  );
  const otherLines = (claims.get(pair.item) ?? []).filter(
    (other) => other.points >= limit && other.line.id !== pair.line.id && isRival(pair, other, assignment.byLine),
  );
  return 1 + Math.max(otherItems.length, otherLines.length);
}

/** Returns whether the line could use another item instead of the one assigned to it. */
function isOpenChoice(own: Pair, other: Pair, byItem: Assignment['byItem']): boolean {
  if (areAlike(own.item, other.item)) return false;
  const owner = byItem.get(other.item);
  if (owner === undefined) return true;
  return !areTwins(owner.line, own.line) && owner.points <= other.points + CLOSE;
}

/** Returns whether another line could use this line's item. */
function isRival(own: Pair, other: Pair, byLine: Assignment['byLine']): boolean {
  if (areTwins(own.line, other.line)) return false;
  const its = byLine.get(other.line.id);
  if (its === undefined) return true;
  return !areAlike(its.item, own.item) && its.points <= other.points + CLOSE;
}
