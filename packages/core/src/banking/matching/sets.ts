import type { Cents } from '../../money.ts';

/** The maximum number of items in a set. */
const LARGEST_SET = 10;

/** An amount that may be part of a set. */
export interface Part {
  amount: Cents;
}

/**
 * The number of steps that a search may still take. A search that runs out of steps finds nothing, because it cannot
 * know whether a set is unique.
 */
export interface Budget {
  steps: number;
}

/** The result of a search: no set, the only set, or more than one set. */
export type SetFound<T> = { found: 'none' | 'many' } | { found: 'one'; set: T[] };

/**
 * Returns the only set of 2 to 10 parts that add up to the target to the cent. All parts have the target's sign. The
 * search is limited by steps instead of time, so every machine gets the same result.
 */
export function onlySet<T extends Part>(parts: readonly T[], target: Cents, budget: Budget): SetFound<T> {
  const goal = Math.abs(target);
  const sorted = parts
    .filter(({ amount }) => amount !== 0 && Math.sign(amount) === Math.sign(target) && Math.abs(amount) < goal)
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const sizes = sorted.map(({ amount }) => Math.abs(amount));
  const search = new Search(sizes, budget);
  search.from(0, goal, LARGEST_SET);
  const [first, second] = search.sets;
  if (budget.steps <= 0 || second !== undefined) return { found: first === undefined ? 'none' : 'many' };
  if (first === undefined) return { found: 'none' };
  return { found: 'one', set: sorted.filter((_, at) => first.includes(at)) };
}

/** Searches depth first, starting with the largest amounts, and stops when a second set is found. */
class Search {
  readonly sets: number[][] = [];
  readonly #chosen: number[] = [];
  readonly #sizes: readonly number[];
  readonly #sums: number[];
  readonly #budget: Budget;

  constructor(sizes: readonly number[], budget: Budget) {
    this.#sizes = sizes;
    this.#budget = budget;
    this.#sums = [0];
    for (const size of sizes) this.#sums.push((this.#sums.at(-1) ?? 0) + size);
  }

  from(start: number, rest: number, slots: number): void {
    for (let at = start; at < this.#sizes.length; at += 1) {
      this.#budget.steps -= 1;
      if (this.#budget.steps <= 0 || this.sets.length > 1) return;
      // Even the largest remaining amounts are too small, so all later combinations are too small as well.
      if (this.#most(at, slots) < rest) return;
      const size = this.#sizes[at] ?? 0;
      if (size > rest) continue;
      this.#chosen.push(at);
      if (size === rest) {
        if (this.#chosen.length > 1) this.sets.push([...this.#chosen]);
      } else if (slots > 1) {
        this.from(at + 1, rest - size, slots - 1);
      }
      this.#chosen.pop();
    }
  }

  #most(at: number, slots: number): number {
    const end = Math.min(at + slots, this.#sizes.length);
    return (this.#sums[end] ?? 0) - (this.#sums[at] ?? 0);
  }
}
