import { type Cents, cents, type Decimal, decimal } from '../money.ts';
import { PERCENTAGE } from './discounts.ts';
import { type PriceableLine, type PricedInvoice, priceLines } from './invoice.ts';
import type { TaxRate } from './tax.ts';

/**
 * A document and its parts, such as an invoice's credit memos or an estimate's invoices. Each part is rounded, and the
 * last part takes the remainder, so that the parts add up to the whole to the cent (docs/accounting.md, "Credit
 * memos").
 */

/** A line in the whole document, with the amounts of that line on the other parts. */
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

/** A tax item on the whole document. Items with a different percentage in another part are not included. */
interface WholeTax extends Taxed {
  percentage: Decimal;
}

/** A document and the total of its other parts, without the part that is being edited. */
export interface Whole {
  lines: readonly WholeLine[];
  taxItems: readonly WholeTax[];
  taken: {
    /** The number of other parts. */
    count: number;
    /** Whether a part has lines that do not belong to the whole document. */
    hasOtherLines: boolean;
    taxItems: readonly Taxed[];
  };
}

/** A line in a part. `of` is the line in the whole document that it belongs to, if any. */
export type PartLine = PriceableLine & { of?: number | null | undefined };

/**
 * Prices a part like `priceLines`. The last part of a line takes the remainder of the line's amount. When the whole is
 * used up, percentages and tax items take their remainders too. A remainder that rounding does not explain, for example
 * after a price change, is not taken, with one exception: if the lines in all parts are exactly the lines in the whole,
 * a percentage that is in every part takes the remainder, and so does a tax item that has the same percentage in every
 * part. The result may be negative.
 */
export function pricePart(lines: readonly PartLine[], rates: readonly TaxRate[], whole: Whole): PricedInvoice {
  const sold = finishedLines(lines, rates, whole, ({ discountType }) => discountType !== PERCENTAGE);
  if (!usesUp(lines, whole)) return priceLines(sold, rates);
  const finished = finishedLines(sold, rates, whole, ({ discountType }) => discountType === PERCENTAGE);
  const isExact = isTaken(finished, priceLines(finished, rates), whole, () => true);
  return priceLines(finished, rates, ({ id, total, percentage }) => {
    const of = whole.taxItems.find((each) => each.id === id && each.percentage.eq(percentage));
    if (of === undefined) return total;
    const rest = cents(of.total - (whole.taken.taxItems.find((each) => each.id === id)?.total ?? 0));
    return isExact || isRounding(rest, total, whole) ? rest : total;
  });
}

/**
 * Returns whether a remainder is small enough to come from rounding the parts, which accounts for at most a cent for
 * each part.
 */
const isRounding = (rest: number, amount: number, { taken }: Whole): boolean =>
  Math.abs(rest - amount) <= taken.count + 1;

/** Returns the lines. For each line that `takes` selects, the last part has the remainder of the line's amount. */
function finishedLines(
  lines: readonly PartLine[],
  rates: readonly TaxRate[],
  whole: Whole,
  takes: (line: WholeLine) => boolean,
): readonly PartLine[] {
  const plain = priceLines(lines, rates);
  const isExact = isTaken(lines, plain, whole, ({ discountType }) => discountType !== PERCENTAGE);
  const before = new Map(whole.lines.map(({ id, taken }) => [id, { ...taken }]));
  return lines.map((line, at) => {
    const of = whole.lines.find(({ id }) => id === line.of);
    const taken = of && before.get(of.id);
    const amount = plain.lines[at]?.lineItemAmount;
    if (of === undefined || taken === undefined || amount === undefined || !takes(of)) return line;
    const isInEach = isExact && taken.quantity.eq(of.quantity.times(whole.taken.count));
    taken.quantity = taken.quantity.plus(line.quantity);
    const rest = cents(of.amount - taken.amount);
    const isEnd = of.discountType === PERCENTAGE || taken.quantity.gte(of.quantity);
    const isRest = isEnd && (isRounding(rest, amount, whole) || (of.discountType === PERCENTAGE && isInEach));
    taken.amount = cents(taken.amount + (isRest ? rest : amount));
    return isRest && rest !== amount ? { ...line, rest } : line;
  });
}

/**
 * Returns whether the parts have only lines from the whole document and use up the lines that `counts` selects to the
 * cent.
 */
function isTaken(
  own: readonly PartLine[],
  priced: PricedInvoice,
  { lines, taken: { hasOtherLines } }: Whole,
  counts: (line: WholeLine) => boolean,
): boolean {
  if (hasOtherLines || own.some(({ of }) => lines.every(({ id }) => id !== of))) return false;
  return lines.filter(counts).every(({ id, amount, taken }) => {
    const now = priced.lines.filter((_, at) => own[at]?.of === id);
    return now.reduce((all, { lineItemAmount }) => all + lineItemAmount, Number(taken.amount)) === amount;
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
