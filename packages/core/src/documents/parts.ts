import { type Cents, cents, type Decimal, decimal } from '../money.ts';
import { PERCENTAGE } from './discounts.ts';
import { type PriceableLine, type PricedInvoice, priceLines } from './invoice.ts';
import type { TaxRate } from './tax.ts';

/**
 * A document in parts: credit memos of an invoice, invoices of an estimate. Each part is rounded, and the last one
 * takes what the others left, so that together they are the whole to the cent (docs/accounting.md, "Credit memos").
 */

/** The line of a whole, with what its other parts have of it. */
export interface WholeLine {
  id: number;
  quantity: Decimal;
  amount: Cents;
  discountType?: number | null | undefined;
  taken: { quantity: Decimal; amount: Cents };
}

/** A tax item of a whole or of a part. */
interface Taxed {
  id: number;
  total: Cents;
}

/** A document and the sum of its other parts; a part that is edited is not among them. */
export interface Whole {
  lines: readonly WholeLine[];
  taxItems: readonly Taxed[];
  taken: {
    /** The number of other parts. */
    count: number;
    taxItems: readonly Taxed[];
  };
}

/** A line of a part; `of` is the line of the whole, if it is one's. */
export type PartLine = PriceableLine & { of?: number | null | undefined };

/**
 * Prices a part as `priceLines` does. The last part of a line takes the rest of the line's amount. When the
 * whole is used up, percentages and tax items take their rest too. A rest that rounding does not explain,
 * for example because the prices changed, is not taken. The result may be below zero.
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

/** Whether these lines use up the whole; percentages follow the others. */
function usesUp(own: readonly PartLine[], { lines }: Whole): boolean {
  return lines.every(({ id, quantity, discountType, taken }) => {
    const now = own.filter(({ of }) => of === id);
    return (
      discountType === PERCENTAGE ||
      now.reduce((all, line) => all.plus(line.quantity), decimal(0).plus(taken.quantity)).gte(quantity)
    );
  });
}
