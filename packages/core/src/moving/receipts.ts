import type { IsoDate } from '../dates.ts';
import type { Cents } from '../money.ts';

/** A line in Undeposited Funds. Receipts are positive and deposits negative, in cents. */
export interface HeldLine {
  id: number;
  date: IsoDate;
  amount: Cents;
  entityId: number | null;
}

/**
 * Returns the IDs of the receipts that no deposit in an imported history contains. The history does not say which
 * receipts a deposit contains, so a deposit is assumed to contain the only receipt with its amount and name, or all
 * receipts if its amount is the whole balance. If it is uncertain which receipts remain, returns none until the
 * account's balance is 0.00 again.
 */
export function heldReceipts(lines: readonly HeldLine[]): number[] {
  let held: HeldLine[] = [];
  let [balance, isKnown] = [0, true];
  const inOrder = lines.toSorted((a, b) =>
    a.date === b.date ? Math.sign(b.amount) - Math.sign(a.amount) || a.id - b.id : a.date < b.date ? -1 : 1,
  );
  for (const line of inOrder) {
    balance += line.amount;
    if (balance === 0) [held, isKnown] = [[], true];
    else if (line.amount > 0) held.push(line);
    else {
      const taken = receiptOf(held, line);
      if (taken === undefined) isKnown = false;
      held = held.filter((one) => one !== taken);
    }
  }
  return isKnown ? held.map(({ id }) => id) : [];
}

/** Returns the receipt that a deposit must contain, or undefined if there is none or more than one. */
function receiptOf(held: readonly HeldLine[], { amount, entityId }: HeldLine): HeldLine | undefined {
  const equal = held.filter((one) => one.amount === -amount);
  const own = equal.filter((one) => one.entityId === entityId);
  const [first, ...others] = own.length > 0 && entityId !== null ? own : equal;
  return others.every((one) => one.entityId === first?.entityId) ? first : undefined;
}
