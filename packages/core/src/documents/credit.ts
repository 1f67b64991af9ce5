import { type Cents, type Decimal, decimal, negate } from '../money.ts';
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

/** Amounts of a line, or of a part of one, that a credit memo has with the other sign. */
interface Turnable {
  lineItemAmount: Cents;
  restAmount: Cents;
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
    restAmount: negate(line.restAmount),
    lineTax: opposite(line.lineTax),
    taxItems: line.taxItems.map((item) => ({ ...item, total: opposite(item.total) })),
    parts: line.parts?.map((part) => ({ ...part, amount: negate(part.amount) })) ?? null,
  };
}

/** Tax items with the other sign. */
export function turnedTaxes<T extends { total: Cents; rest?: Cents | undefined }>(items: readonly T[]): T[] {
  return items.map((item) => {
    const rest = item.rest === undefined ? {} : { rest: negate(item.rest) };
    return { ...item, total: negate(item.total), ...rest };
  });
}
