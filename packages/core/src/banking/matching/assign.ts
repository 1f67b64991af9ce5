import type { Steps } from '../../steps.ts';
import { areAlike, areTwins, type Pair, pairOrder } from './pairs.ts';
import { CLOSE, type DatedItem } from './score.ts';

/** The one assignment over all lines: a line has one item at most, and an item one line. */
export interface Assignment {
  /** By line id. */
  byLine: ReadonlyMap<number, Pair>;
  byItem: ReadonlyMap<DatedItem, Pair>;
}

/** Takes pairs best first; what is taken is out for the others. */
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

/** The lines that may have each item. */
export function claimsOf(pairs: ReadonlyMap<number, readonly Pair[]>): ReadonlyMap<DatedItem, readonly Pair[]> {
  const claims = new Map<DatedItem, Pair[]>();
  for (const pair of [...pairs.values()].flat()) {
    const known = claims.get(pair.item);
    if (known === undefined) claims.set(pair.item, [pair]);
    else known.push(pair);
  }
  return claims;
}

/** All that one line's assignment is judged by. */
export interface Ground {
  assignment: Assignment;
  pairs: ReadonlyMap<number, readonly Pair[]>;
  claims: ReadonlyMap<DatedItem, readonly Pair[]>;
}

/**
 * The number of ways, the assigned one included, that explain the line nearly as well: another item that is free or
 * whose own line could as well do without it, or another line that could have this item. 1 where it stands out. Two
 * items that are alike, or two lines that say the same, may change places.
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

/** Whether the line could have another item in place of its own. */
function isOpenChoice(own: Pair, other: Pair, byItem: Assignment['byItem']): boolean {
  if (areAlike(own.item, other.item)) return false;
  const owner = byItem.get(other.item);
  if (owner === undefined) return true;
  return !areTwins(owner.line, own.line) && owner.points <= other.points + CLOSE;
}

/** Whether another line could have the item of this one. */
function isRival(own: Pair, other: Pair, byLine: Assignment['byLine']): boolean {
  if (areTwins(own.line, other.line)) return false;
  const its = byLine.get(other.line.id);
  if (its === undefined) return true;
  return !areAlike(its.item, own.item) && its.points <= other.points + CLOSE;
}
