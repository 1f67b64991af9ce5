import { type Cents, type Decimal, decimal, negate } from '../money.ts';
import { PERCENTAGE } from './discounts.ts';

/**
 * Credit memos, which are priced like invoices and posted with the opposite sign (docs/accounting.md, "Credit memos").
 */

/** An invoice line that a credit memo can credit. */
export interface CreditableLine {
  /** The billed quantity. */
  quantity: Decimal;
  /** The quantity on other credit memos, including drafts. */
  credited: Decimal;
  discountType?: number | null | undefined;
}

/**
 * Returns the quantity that has not been credited yet. A percentage discount depends on the other lines and is never
 * used up.
 */
export function leftToCredit({ quantity, credited, discountType }: CreditableLine): Decimal {
  if (discountType === PERCENTAGE) return quantity;
  const left = quantity.minus(credited);
  return left.lt(0) ? decimal(0) : left;
}

const CREDITED = { whole: 'were billed', left: 'available to credit' };

/**
 * Returns the message for a quantity that is zero or exceeds the remaining quantity, or undefined for a valid quantity.
 * `words` are the verbs in the message.
 */
export function creditFault(line: CreditableLine, quantity: Decimal, words = CREDITED): string | undefined {
  if (quantity.lte(0)) return 'Please enter a quantity';
  const left = leftToCredit(line);
  if (quantity.lte(left)) return undefined;
  return line.credited.eq(0) || line.discountType === PERCENTAGE
    ? `Only ${line.quantity.toString()} ${words.whole}`
    : `Only ${left.toString()} of ${line.quantity.toString()} are ${words.left}`;
}

/** The amounts of a line, or a part of a line, that have the opposite sign on a credit memo. */
interface Turnable {
  lineItemAmount: Cents;
  restAmount: Cents;
  quantity: string;
  lineTax: string;
  taxItems: readonly { total: string }[];
  parts: readonly { amount: Cents }[] | null;
}

const opposite = (text: string): string => decimal(0).minus(decimal(text)).toString();

/**
 * Returns the line with the opposite sign for the quantity, amount, tax, and package parts. Prices stay the same.
 * Reversing the result restores the line.
 */
export function turnedLine<L extends Turnable>(line: L): L {
  return {
    ...line,
    quantity: opposite(line.quantity),
    lineItemAmount: negate(line.lineItemAmount),
    restAmount: negate(line.restAmount),
    lineTax: opposite(line.lineTax),
    taxItems: line.taxItems.map((item) => ({ ...item, total: opposite(item.total) })),
    parts: line.parts?.map((part) => ({ ...part, amount: negate(part.amount) })) ?? null,
  };
}

/** Returns tax items with the opposite sign. */
export function turnedTaxes<T extends { total: Cents; rest?: Cents | undefined }>(items: readonly T[]): T[] {
  return items.map((item) => {
    const rest = item.rest === undefined ? {} : { rest: negate(item.rest) };
    return { ...item, total: negate(item.total), ...rest };
  });
}
