import { type Cents, cents, type Decimal, decimal, negate } from '../money.ts';
import { PERCENTAGE } from './discounts.ts';

/**
 * A credit memo is an invoice turned: it is priced like one, and everything that it posts has the other sign
 * (docs/accounting.md, "Credit memos").
 */

/** A line of an invoice as a credit memo looks at it. */
export interface CreditableLine {
  /** The billed quantity. */
  quantity: Decimal;
  /** The quantity that other credit memos have, drafts too. */
  credited: Decimal;
  discountType?: number | null | undefined;
}

/** The quantity that is not credited yet. A percentage follows the lines that it is taken off: it is never used up. */
export function leftToCredit({ quantity, credited, discountType }: CreditableLine): Decimal {
  if (discountType === PERCENTAGE) return quantity;
  const left = quantity.minus(credited);
  return left.lt(0) ? decimal(0) : left;
}

const CREDITED = { whole: 'were billed', left: 'left to credit' };

/** The message for a quantity that cannot be credited of a line, or taken otherwise; undefined where it can be. */
export function creditFault(line: CreditableLine, quantity: Decimal, words = CREDITED): string | undefined {
  if (quantity.lte(0)) return 'Please enter a quantity';
  const left = leftToCredit(line);
  if (quantity.lte(left)) return undefined;
  return line.credited.eq(0) || line.discountType === PERCENTAGE
    ? `Only ${line.quantity.toString()} ${words.whole}`
    : `Only ${left.toString()} of ${line.quantity.toString()} are ${words.left}`;
}

/** A tax item as a snapshot of a document has it. */
interface Taxed {
  id: number;
  total: Cents;
}

/**
 * The tax items of the credit memo that leaves nothing of an invoice: each takes what other memos left of the invoice's
 * tax, so that all of them together give back what was billed. `others` are theirs, in the invoice's sign. A rest that
 * rounding does not explain (the invoice was changed since) is not taken.
 */
export function restOfTaxes<T extends Taxed>(
  items: readonly T[],
  whole: readonly Taxed[],
  others: readonly (readonly Taxed[])[],
): T[] {
  const totalOf = (all: readonly Taxed[], id: number) => all.find((each) => each.id === id)?.total ?? 0;
  return items.map((item) => {
    const rest = totalOf(whole, item.id) - others.reduce((sum, each) => sum + totalOf(each, item.id), 0);
    return Math.abs(rest - item.total) > others.length + 1 ? item : { ...item, total: cents(rest) };
  });
}

/** Amounts of a line, or of a part of one, that a credit memo has with the other sign. */
interface Turnable {
  lineItemAmount: Cents;
  quantity: string;
  lineTax: string;
  taxItems: readonly { total: string }[];
  parts: readonly { amount: Cents }[] | null;
}

const opposite = (text: string): string => decimal(0).minus(decimal(text)).toString();

/** The line with the other sign, and back again: quantity, amount, tax and the parts of a package; prices stay. */
export function turnedLine<L extends Turnable>(line: L): L {
  return {
    ...line,
    quantity: opposite(line.quantity),
    lineItemAmount: negate(line.lineItemAmount),
    lineTax: opposite(line.lineTax),
    taxItems: line.taxItems.map((item) => ({ ...item, total: opposite(item.total) })),
    parts: line.parts?.map((part) => ({ ...part, amount: negate(part.amount) })) ?? null,
  };
}

/** Tax items with the other sign. */
export function turnedTaxes<T extends { total: Cents }>(items: readonly T[]): T[] {
  return items.map((item) => ({ ...item, total: negate(item.total) }));
}
