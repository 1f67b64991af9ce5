import { expect, test } from 'vitest';
import { Dice } from '../dice.ts';
import { type Cents, cents, decimal, sum, toDecimal, ZERO } from '../money.ts';
import { FIXED, PERCENTAGE } from './discounts.ts';
import { type PricedInvoice, priceLines } from './invoice.ts';
import { MY_DISCOUNTS, sellPackage } from './packages.ts';
import { type PartLine, pricePart, type Whole } from './parts.ts';
import type { TaxRate } from './tax.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 150);

/** A line in the whole document. */
type WholePart = PartLine & { of: number };

const offer = (dice: Dice) => ({ productServiceType: dice.between(1, 2), productCategoryID: dice.between(1, 2) });

function terms(dice: Dice, discountType: number) {
  return {
    discountType,
    discountTypeTarget: dice.between(1, 2),
    productCategoryID: dice.chance(50) ? dice.between(1, 2) : null,
    discountPercentage: decimal(dice.between(0, 10_000)).div(100),
    discountFlatValue: cents(dice.between(0, 300)),
  };
}

function deal(dice: Dice) {
  const none = { GLAccountID: 1, profitCenterID: null };
  const items = Array.from({ length: dice.between(1, 3) }, (_, at) => ({
    quantity: decimal(dice.between(1, 300)).div(100),
    product: {
      ...offer(dice),
      ...none,
      productID: at + 1,
      name: 'Part',
      salesPrice: cents(dice.between(1, 20_000)),
      taxable: dice.chance(70),
    },
    discount: null,
  }));
  const off = { ...terms(dice, dice.between(FIXED, PERCENTAGE)), ...none, discountID: 1, name: 'Off' };
  const discount = { quantity: decimal(1), product: null, discount: off };
  const packageDealDiscountType = dice.between(0, MY_DISCOUNTS);
  return sellPackage({ packageDealDiscountType, goalPrice: ZERO, items: [...items, discount] });
}

function lineOf(dice: Dice, of: number): WholePart {
  const quantity = decimal(dice.between(1, 2000)).div(100);
  const plain = { of, quantity, itemPrice: toDecimal(cents(dice.between(1, 50_000))), taxable: dice.chance(70) };
  const kind = dice.between(1, 10);
  if (kind === 10) return { ...plain, quantity: decimal(1), discount: terms(dice, PERCENTAGE) };
  if (kind === 9) return { ...plain, discount: terms(dice, FIXED) };
  if (kind > 6) return { ...plain, package: deal(dice) };
  return { ...plain, product: dice.chance(60) ? offer(dice) : undefined };
}

function ratesOf(dice: Dice): TaxRate[] {
  return Array.from({ length: dice.between(0, 3) }, (_, at) => ({
    id: at + 1,
    label: 'Tax',
    salesTaxType: at,
    percentage: decimal(dice.between(0, 250_000)).div(10_000),
  }));
}

const isPercentage = ({ discount }: PartLine): boolean => discount?.discountType === PERCENTAGE;

/**
 * Returns the lines split into a number of parts, in hundredths of their quantities. A percentage discount is in each
 * part.
 */
function split(dice: Dice, lines: readonly WholePart[], count: number): WholePart[][] {
  const shares = lines.map(({ quantity }) => {
    const all = Number(quantity.times(100));
    const cuts = [0, ...Array.from({ length: count - 1 }, () => dice.between(0, all)), all];
    cuts.sort((a, b) => a - b);
    return cuts.slice(1).map((cut, at) => decimal(cut - (cuts[at] ?? 0)).div(100));
  });
  return Array.from({ length: count }, (_, at) =>
    lines.flatMap((line, index) => {
      const quantity = shares[index]?.[at] ?? decimal(0);
      if (isPercentage(line)) return [line];
      return quantity.eq(0) ? [] : [{ ...line, quantity }];
    }),
  ).filter((part) => part.some((line) => !isPercentage(line)));
}

interface Part {
  lines: readonly WholePart[];
  priced: PricedInvoice;
}

/** Returns a line's total amount in these parts, in cents. */
const amountOf = (parts: readonly Part[], id: number): Cents =>
  sum(parts.flatMap(({ lines, priced }) => priced.lines.filter((_, at) => lines[at]?.of === id)).map(inCents));
const inCents = ({ lineItemAmount }: PricedInvoice['lines'][number]): Cents => lineItemAmount;
const taxOf = (parts: readonly Part[], id: number): Cents =>
  sum(parts.flatMap(({ priced }) => priced.taxItems.flatMap((item) => (item.id === id ? [item.total] : []))));

function wholeWith(lines: readonly WholePart[], priced: PricedInvoice, parts: readonly Part[]): Whole {
  return {
    lines: lines.map(({ of: id, quantity, discount }, at) => ({
      id,
      quantity,
      amount: priced.lines[at]?.lineItemAmount ?? ZERO,
      discountType: discount?.discountType,
      taken: {
        quantity: parts
          .flatMap((part) => part.lines.filter(({ of }) => of === id))
          .reduce((all, line) => all.plus(line.quantity), decimal(0)),
        amount: amountOf(parts, id),
      },
    })),
    taxItems: priced.taxItems,
    taken: {
      count: parts.length,
      hasOtherLines: false,
      taxItems: priced.taxItems.map(({ id }) => ({ id, total: taxOf(parts, id) })),
    },
  };
}

test('the parts of a document add up to its lines, discounts, tax, and total to the cent', () => {
  const dice = new Dice(Number(process.env['SEED'] ?? 1));
  let several = 0;
  for (let run = 0; run < RUNS; run++) {
    const lines = Array.from({ length: dice.between(1, 8) }, (_, at) => lineOf(dice, at + 1));
    const rates = ratesOf(dice);
    const whole = priceLines(lines, rates);
    const parts: Part[] = [];
    for (const part of split(dice, lines, dice.between(2, 5))) {
      parts.push({ lines: part, priced: pricePart(part, rates, wholeWith(lines, whole, parts)) });
    }
    if (parts.length === 0) continue;
    if (parts.length > 2) several++;
    const taken = {
      lines: lines.map(({ of }) => amountOf(parts, of)),
      taxItems: rates.map(({ id }) => taxOf(parts, id)),
      total: sum(parts.map(({ priced }) => priced.invoiceAmount)),
    };
    expect(taken, `run ${run}`).toEqual({
      lines: whole.lines.map(inCents),
      taxItems: whole.taxItems.map(({ total }) => total),
      total: whole.invoiceAmount,
    });
  }
  expect(several).toBeGreaterThan(RUNS / 3);
});
