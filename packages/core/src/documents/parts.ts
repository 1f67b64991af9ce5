import { type Cents, cents, type Decimal, decimal } from '../money.ts';
import { PERCENTAGE } from './discounts.ts';
import { type PriceableLine, type PricedInvoice, priceLines } from './invoice.ts';
import type { TaxRate } from './tax.ts';

/**
 * A document in parts, such as an invoice's credit memos or an estimate's invoices. Each part is rounded, and the last
 * one takes the remainder, so that the parts add up to the whole to the cent (docs/accounting.md, "Credit memos").
 */

/** A line in the whole document, with the amounts on the other parts. */
export interface WholeLine {
  id: number;
  quantity: Decimal;
  amount: Cents;
  discountType?: number | null | undefined;
  taken: { quantity: Decimal; amount: Cents };
}

/** A tax item on the whole document or on a part. */
interface Taxed {
  id: number;
  total: Cents;
}

/** A document and the total of its other parts, without the part that is being edited. */
export interface Whole {
  lines: readonly WholeLine[];
  taxItems: readonly Taxed[];
  taken: {
    /** The number of other parts. */
    count: number;
    taxItems: readonly Taxed[];
  };
}

/** A line in a part. `of` is the line in the whole document that it belongs to, if any. */
export type PartLine = PriceableLine & { of?: number | null | undefined };

/**
 * Prices a part like `priceLines`. The last part of a line takes the remainder of the line's amount. When the whole is
 * used up, percentages and tax items take their remainders too. A remainder that is not caused by rounding, for example
 * after a price change, is not taken. The result may be negative.
 */
export function pricePart(lines: readonly PartLine[], rates: readonly TaxRate[], whole: Whole): PricedInvoice {
  const plain = priceLines(lines, rates);
  const isLast = usesUp(lines, whole);
  const before = new Map(whole.lines.map(({ id, taken }) => [id, { ...taken }]));
  const isRounding = (rest: number, amount: number): boolean => Math.abs(rest - amount) <= whole.taken.count + 1;
  const finished = lines.map((line, at): PriceableLine => {
    const of = whole.lines.find(({ id }) => id === line.of);
    const taken = of && before.get(of.id);
    const amount = plain.lines[at]?.lineItemAmount;
    if (of === undefined || taken === undefined || amount === undefined) return line;
    taken.quantity = taken.quantity.plus(line.quantity);
    const rest = cents(of.amount - taken.amount);
    const isRest =
      (of.discountType === PERCENTAGE ? isLast : taken.quantity.gte(of.quantity)) && isRounding(rest, amount);
    taken.amount = cents(taken.amount + (isRest ? rest : amount));
    return isRest && rest !== amount ? { ...line, rest } : line;
  });
  if (!isLast) return priceLines(finished, rates);
  const totalOf = (items: readonly Taxed[], id: number) => items.find((each) => each.id === id)?.total ?? 0;
  return priceLines(finished, rates, ({ id, total }) => {
    const rest = cents(totalOf(whole.taxItems, id) - totalOf(whole.taken.taxItems, id));
    return isRounding(rest, total) ? rest : total;
  });
}

/** Returns whether these lines use up the whole. Percentage discounts depend on the other lines. */
function usesUp(own: readonly PartLine[], { lines }: Whole): boolean {
  return lines.every(({ id, quantity, discountType, taken }) => {
    const now = own.filter(({ of }) => of === id);
    return (
      discountType === PERCENTAGE ||
      now.reduce((all, line) => all.plus(line.quantity), decimal(0).plus(taken.quantity)).gte(quantity)
    );
  });
}
