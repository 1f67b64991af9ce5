import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { checkDiscount, discountDisplay, FIXED, isPercentage, isTarget, PERCENTAGE } from './discounts.ts';
import { priceInvoice } from './invoice.ts';
import type { LineDiscount, PriceableLine } from './invoice.ts';
import { cents, decimal } from '../money.ts';
import { MY_DISCOUNTS, NO_DISCOUNTS, sellPackage } from './packages.ts';

const terms = (given: Partial<LineDiscount> = {}): LineDiscount => ({
  discountType: PERCENTAGE,
  discountTypeTarget: 1,
  productCategoryID: null,
  discountPercentage: decimal(10),
  discountFlatValue: cents(0),
  ...given,
});

const sold = (price: string, given: Partial<PriceableLine> = {}): PriceableLine => ({
  itemPrice: decimal(price),
  quantity: decimal(1),
  taxable: true,
  product: { productServiceType: 1, productCategoryID: null },
  ...given,
});
const service = { product: { productServiceType: 2, productCategoryID: null } };
const off = (given?: Partial<LineDiscount>, quantity = '1'): PriceableLine => ({
  itemPrice: decimal(0),
  quantity: decimal(quantity),
  taxable: true,
  discount: terms(given),
});

const RATES = [{ id: 1, label: 'Sales tax', salesTaxType: 0, percentage: decimal('8.5') }];
const amounts = (lines: readonly PriceableLine[]) =>
  priceInvoice(lines, RATES).lines.map((line) => line.lineItemAmount);
const tax = (lines: readonly PriceableLine[]) => priceInvoice(lines, RATES).salesTaxAmount;

describe('discounts on an invoice', () => {
  test('a discount of 10.00 on 100.00 leaves 90.00 taxable and a total of 97.65', () => {
    const fixed = off({ discountType: FIXED, discountFlatValue: cents(1000) });
    expect(priceInvoice([sold('100.00'), fixed], RATES).invoiceAmount).toBe(9765);
  });

  test('a percentage discount has a quantity of 1 and applies to its target lines after they are rounded', () => {
    const lines = [sold('100.01'), sold('50.00', service), off({ discountPercentage: '7.5' }, '3')];
    expect(amounts(lines)).toEqual([10001, 5000, -750]);
    const [, , line] = priceInvoice(lines, RATES).lines;
    expect(line).toMatchObject({ itemPrice: -750 });
    expect([line?.quantity, line?.itemAmount, line?.discountBase].map(String)).toEqual(['1', '-7.5008', '100.01']);
  });

  test('a fixed discount is multiplied by its quantity', () => {
    expect(amounts([sold('100.00'), off({ discountType: FIXED, discountFlatValue: cents(333) }, '2.5')])).toEqual([
      10000, -833,
    ]);
  });

  test('a discount for one category does not affect other categories', () => {
    const ofCategory = (productCategoryID: number) => ({ product: { productServiceType: 1, productCategoryID } });
    const lines = [sold('100.00', ofCategory(1)), sold('60.00', ofCategory(2)), off({ productCategoryID: 2 })];
    expect(amounts(lines)).toEqual([10000, 6000, -600]);
  });

  test('several discounts on one invoice are each based on the full amounts of the lines', () => {
    expect(amounts([sold('100.00'), off(), off()])).toEqual([10000, -1000, -1000]);
  });

  test('a discount does not reduce tax on an untaxed sale, and half of it does on a half-taxed sale', () => {
    expect(tax([sold('100.00', { taxable: false }), off()])).toBe(0);
    expect(tax([sold('50.00'), sold('50.00', { taxable: false }), off()])).toBe(383);
  });

  test('a discount never makes a tax negative, even if it exceeds the taxed lines', () => {
    const fixed = off({ discountType: FIXED, discountFlatValue: cents(5000) });
    const lines = [sold('10.00'), sold('100.00', { ...service, taxable: false }), fixed, fixed];
    expect(priceInvoice(lines, RATES)).toMatchObject({ salesTaxAmount: 0, invoiceAmount: 1000 });
  });

  test('without target lines, a percentage discount is zero, and a fixed discount is taxed like all lines', () => {
    const lines = [sold('100.00', service), off(), off({ discountType: FIXED, discountFlatValue: cents(1000) })];
    expect(amounts(lines)).toEqual([10000, 0, -1000]);
    expect(tax(lines)).toBe(765);
  });

  test('a discount that makes the total negative is rejected', () => {
    const fixed = off({ discountType: FIXED, discountFlatValue: cents(1001) });
    expect(() => priceInvoice([sold('10.00', { taxable: false }), fixed], [])).toThrow(
      'Invoice total cannot be negative',
    );
  });

  test('a percentage discount keeps its amount while the invoice has payments', () => {
    const kept = { amount: cents(-1000), itemAmount: decimal(-10), base: decimal(100) };
    const [, line] = priceInvoice([sold('500.00'), off({ kept })], RATES).lines;
    expect(line).toMatchObject({ lineItemAmount: -1000 });
    expect(line?.discountBase?.toString()).toBe('100');
  });
});

describe('packages on an invoice', () => {
  const part = (salesPrice: number, given: { taxable?: boolean; productServiceType?: number }) => {
    const common = { productID: 1, name: 'Part', GLAccountID: 140, profitCenterID: null, productCategoryID: null };
    const product = { ...common, salesPrice: cents(salesPrice), taxable: true, productServiceType: 1, ...given };
    return { quantity: decimal(1), product, discount: null };
  };
  const flat = {
    quantity: decimal(1),
    product: null,
    discount: {
      ...terms({ discountType: FIXED, discountFlatValue: cents(1000) }),
      discountID: 1,
      name: 'Ten off',
      GLAccountID: 143,
      profitCenterID: null,
    },
  };
  const items = [part(6000, { taxable: false, productServiceType: 2 }), part(4000, {})];
  const line = (mode: number, more: (typeof items | [typeof flat])[number][] = []): PriceableLine =>
    sold('0', {
      quantity: decimal(2),
      product: undefined,
      package: sellPackage({ packageDealDiscountType: mode, goalPrice: cents(0), items: [...items, ...more] }),
    });

  test('a package costs its price times the quantity, and its taxable part is taxed', () => {
    const priced = priceInvoice([line(NO_DISCOUNTS)], RATES);
    expect(priced.lines[0]).toMatchObject({ itemPrice: 10000, lineItemAmount: 20000, partAmounts: [12000, 8000] });
    expect(priced.salesTaxAmount).toBe(680);
    expect(tax([line(MY_DISCOUNTS, [flat])])).toBe(612);
    expect(tax([{ ...line(NO_DISCOUNTS), taxable: false }])).toBe(0);
  });

  test("a package's target products count toward a percentage discount", () => {
    expect(amounts([line(NO_DISCOUNTS), off()])).toEqual([20000, -800]);
    expect(amounts([line(MY_DISCOUNTS, [flat]), off()])).toEqual([18000, -720]);
    expect(tax([line(NO_DISCOUNTS), off()])).toBe(612);
  });
});

describe('checkDiscount', () => {
  const good = {
    name: 'Spring',
    description: 'Spring discount',
    discountType: FIXED,
    discountTypeTarget: 1,
    discountFlatValue: 500,
    GLAccountID: 143,
  };
  test.each([
    ['no errors for a valid discount', {}, {}],
    ['a missing name', { name: '' }, { name: 'Please enter a name' }],
    ['a blank description', { description: ' ' }, { description: 'Please enter a description' }],
    ['a missing account', { GLAccountID: 0 }, { GLAccountID: 'Please select an account.' }],
    ['a missing fixed amount', { discountFlatValue: null }, { discountFlatValue: 'Please select a fixed amount' }],
    [
      'a percentage above 100',
      { discountType: PERCENTAGE, discountPercentage: '100.01' },
      { discountPercentage: 'The percentage must be between 0 and 100' },
    ],
    ['an unknown type', { discountType: 2 }, { discountType: 'Please Select a Discount Type' }],
    ['an unknown target', { discountTypeTarget: 0 }, { discountTypeTarget: 'Please Select a Product or Service' }],
    [
      'an end date before the start date',
      { startDate: isoDate('2026-02-01'), endDate: isoDate('2026-01-31') },
      { endDate: 'The end date is before the start date' },
    ],
  ])('checkDiscount reports %s', (_name, change, fields) => {
    expect(checkDiscount({ ...good, ...change })).toEqual(fields);
  });

  test('checkDiscount accepts 0 and 100 as percentages, but nothing outside this range', () => {
    expect(['0', '100', 33.3333].every(isPercentage)).toBe(true);
    expect(['-0.1', '100.1', '', null, undefined].some(isPercentage)).toBe(false);
  });

  test('discountDisplay formats a percentage or an amount', () => {
    expect(discountDisplay(terms({ discountPercentage: '12.500' }))).toBe('12.5%');
    expect(discountDisplay(terms({ discountType: FIXED, discountFlatValue: cents(123456) }))).toBe('$1,234.56');
  });

  test('a line without a product or service is never a target', () => {
    expect(isTarget(terms(), undefined)).toBe(false);
  });
});
