/** The amounts in rows in file order, in cents or another whole unit. Undefined for a row without an amount. */
export type Units = readonly (number | undefined)[];

/**
 * A way to calculate a running balance from the amounts: in file order or in reverse, by adding or by subtracting the
 * amounts.
 */
export interface Chain {
  sign: 1 | -1;
  isForward: boolean;
  /** The number of balances that equal the previous balance plus or minus the amounts between them. */
  steps: number;
}

/**
 * Returns every way in which each balance can be calculated from the previous balance and the amounts between them. A
 * way with even one difference is not included.
 */
export function chainsOf(amounts: Units, balances: Units): Chain[] {
  const ways = ([1, -1] as const).flatMap((sign) => [true, false].map((isForward) => ({ sign, isForward })));
  return ways.flatMap((way) => {
    const steps = stepsOf(amounts, balances, way);
    return steps > 0 ? [{ ...way, steps }] : [];
  });
}

type Way = Pick<Chain, 'sign' | 'isForward'>;

/** Returns the number of balances that are confirmed by nonzero amounts, or 0 if one balance differs. */
function stepsOf(amounts: Units, balances: Units, { sign, isForward }: Way): number {
  let [before, moved, steps]: [number | undefined, number, number] = [undefined, 0, 0];
  for (let index = 0; index < amounts.length; index += 1) {
    const at = isForward ? index : amounts.length - 1 - index;
    moved += amounts[at] ?? 0;
    const balance = balances[at];
    if (balance === undefined) continue;
    if (before !== undefined && balance !== before + sign * moved) return 0;
    if (before !== undefined && moved !== 0) steps += 1;
    [before, moved] = [balance, 0];
  }
  return steps;
}

/** Returns the balance before the first row and after the last one, in chronological order. */
export function endsOf(
  amounts: Units,
  balances: Units,
  { sign, isForward }: Way,
): { opening: number; closing: number } {
  const order = amounts.map((amount, index) => ({ amount: amount ?? 0, balance: balances[index] }));
  if (!isForward) order.reverse();
  const first = order.findIndex(({ balance }) => balance !== undefined);
  const last = order.findLastIndex(({ balance }) => balance !== undefined);
  const moved = (rows: typeof order): number => sign * rows.reduce((sum, { amount }) => sum + amount, 0);
  return {
    opening: (order[first]?.balance ?? 0) - moved(order.slice(0, first + 1)),
    closing: (order[last]?.balance ?? 0) + moved(order.slice(last + 1)),
  };
}
