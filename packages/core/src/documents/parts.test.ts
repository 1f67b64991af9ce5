import { expect, test } from 'vitest';
import { cents, decimal, sum, ZERO } from '../money.ts';
import { FIXED, PERCENTAGE } from './discounts.ts';
import { priceLines } from './invoice.ts';
import { type PartLine, pricePart, type Whole } from './parts.ts';

const RATES = [{ id: 1, label: 'Tax', salesTaxType: 0, percentage: decimal(6) }];
const terms = (discountType: number, discountPercentage = 0, discountFlatValue = 0) => ({
  discountType,
  discountTypeTarget: 1,
  productCategoryID: null,
  discountPercentage: decimal(discountPercentage),
  discountFlatValue: cents(discountFlatValue),
});
const goods = { productServiceType: 1, productCategoryID: null };
const line = (of: number, price: number, quantity: number, change: Partial<PartLine> = {}): PartLine => {
  return { of, itemPrice: decimal(price), quantity: decimal(quantity), taxable: true, product: goods, ...change };
};
const percent = (of: number, percentage: number) => line(of, 0, 1, { discount: terms(PERCENTAGE, percentage) });

/** Prices the parts one after the other. */
function inParts(lines: readonly PartLine[], parts: readonly (readonly PartLine[])[], rates = RATES) {
  const whole = priceLines(lines, rates);
  const done: { lines: readonly PartLine[]; priced: ReturnType<typeof pricePart> }[] = [];
  for (const part of parts) {
    const of = (id: number) =>
      done.flatMap(({ lines: own, priced }) => priced.lines.filter((_, at) => own[at]?.of === id));
    const taxed = done.flatMap(({ priced }) => priced.taxItems);
    const given: Whole = {
      lines: lines.map(({ of: id, quantity, discount }, at) => ({
        id: id ?? 0,
        quantity,
        amount: whole.lines[at]?.lineItemAmount ?? ZERO,
        discountType: discount?.discountType,
        taken: {
          quantity: of(id ?? 0).reduce((all, each) => all.plus(each.quantity), decimal(0)),
          amount: sum(of(id ?? 0).map(({ lineItemAmount }) => lineItemAmount)),
        },
      })),
      taxItems: whole.taxItems,
      taken: {
        count: done.length,
        hasOtherLines: done.some((each) => each.lines.some(({ of }) => of === undefined)),
        taxItems: whole.taxItems.map(({ id }) => {
          return { id, total: sum(taxed.filter((item) => item.id === id).map(({ total }) => total)) };
        }),
      },
    };
    done.push({ lines: part, priced: pricePart(part, rates, given) });
  }
  return {
    whole: [whole.invoiceAmount, whole.salesTaxAmount],
    lines: done.map(({ priced }) => priced.lines.map(({ lineItemAmount }) => lineItemAmount)),
    tax: done.map(({ priced }) => priced.salesTaxAmount),
    totals: done.map(({ priced }) => priced.invoiceAmount),
  };
}

test('if 1.00 and its discounts are split into thirds, the last part takes the remaining cent', () => {
  const third = [line(1, 0.25, 4 / 3), line(2, 0, 4 / 3, { discount: terms(FIXED, 0, 10) }), percent(3, 10)];
  const rounded = third.map((each) => ({ ...each, quantity: decimal(each.quantity).round(6) }));
  const last = rounded.map((each) => ({ ...each, quantity: each.of === 3 ? each.quantity : decimal('1.333334') }));
  const all = [line(1, 0.25, 4), line(2, 0, 4, { discount: terms(FIXED, 0, 10) }), percent(3, 10)];
  expect(inParts(all, [rounded, rounded, last])).toEqual({
    whole: [53, 3],
    lines: [
      [33, -13, -3],
      [33, -13, -3],
      [34, -14, -4],
    ],
    tax: [1, 1, 1],
    totals: [18, 18, 17],
  });
});

test('three parts of a package add up to its price to the cent', () => {
  const part = { GLAccountID: 1, profitCenterID: null, discountID: null, name: '', ...goods };
  const parts = [1, 2, 3].map((productID) => {
    return { ...part, productID, taxable: productID === 1, quantity: decimal(1), weight: decimal('33.33') };
  });
  const sold = { itemPrice: cents(9999), itemAmount: decimal('99.99'), parts };
  const deal = (quantity: number) => line(1, 0, quantity, { package: sold });
  expect(inParts([deal(1)], [[deal(0.35)], [deal(0.35)], [deal(0.3)]])).toEqual({
    whole: [10199, 200],
    lines: [[3500], [3500], [2999]],
    tax: [70, 70, 60],
    totals: [3570, 3570, 3059],
  });
});

test('the last part takes the remainder of a tax that a discount divides differently in each part', () => {
  const [taxed, plain] = [line(1, 50, 1), line(2, 50, 1, { taxable: false })];
  const off = (quantity: number) => line(3, 0, quantity, { discount: terms(FIXED, 0, 1000) });
  const { whole, tax, totals } = inParts([taxed, plain, off(1)], [[taxed, off(1)], [plain]]);
  expect({ whole, tax, totals }).toEqual({ whole: [9270, 270], tax: [240, 30], totals: [4240, 5030] });
});

test('a part with different prices or a different rate takes no remainder', () => {
  const all = [line(1, 10, 3)];
  expect(inParts(all, [[line(1, 10, 1)], [line(1, 12, 2)]])).toMatchObject({ lines: [[1000], [2400]], tax: [60, 144] });
  const whole: Whole = {
    lines: [{ id: 1, quantity: decimal(3), amount: cents(3000), taken: { quantity: decimal(2), amount: cents(2000) } }],
    taxItems: [{ id: 1, total: cents(180), percentage: decimal(6) }],
    taken: { count: 1, hasOtherLines: false, taxItems: [{ id: 1, total: cents(120) }] },
  };
  const now = RATES.map((rate) => ({ ...rate, percentage: decimal(7) }));
  expect(pricePart([line(1, 10, 1)], now, whole).salesTaxAmount).toBe(70);
});

test('a part with other lines does not take a tax remainder that rounding does not explain', () => {
  const [plain, own] = [line(1, 45, 2, { taxable: false }), line(0, 100, 1, { of: undefined })];
  expect(inParts([plain], [[plain, own]])).toMatchObject({ tax: [600] });
  const half = line(1, 45, 1, { taxable: false });
  expect(inParts([plain], [[half, own], [half]])).toMatchObject({ tax: [600, 0] });
});
