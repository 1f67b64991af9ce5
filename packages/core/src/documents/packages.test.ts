import { describe, expect, test } from 'vitest';
import { FIXED, PERCENTAGE } from './discounts.ts';
import { cents, decimal, extend, sum, toDecimal } from '../money.ts';
import type { Cents } from '../money.ts';
import {
  amountWhere,
  checkPackage,
  MY_DISCOUNTS,
  NO_DISCOUNTS,
  NO_PACKAGE_LINE,
  pricePackage,
  requirePackage,
  sellPackage,
  SMART_DISCOUNT,
  smartDisplay,
  spreadPackage,
  TWICE_IN_PACKAGE,
} from './packages.ts';
import type { GivenDiscount, Package, PackageItem, SoldProduct } from './packages.ts';

function product(salesPrice: string, quantity: string, given: Partial<SoldProduct> = {}): PackageItem {
  const id = { productID: 1, name: 'Product', GLAccountID: 140, profitCenterID: null, taxable: true };
  const sold = { ...id, productServiceType: 1, productCategoryID: null, ...given };
  return { quantity: decimal(quantity), product: { ...sold, salesPrice: money(salesPrice) }, discount: null };
}

function discount(given: Partial<GivenDiscount>, quantity = '1'): PackageItem {
  const terms = {
    discountID: 1,
    name: 'Discount',
    GLAccountID: 143,
    profitCenterID: null,
    discountType: FIXED,
    discountTypeTarget: 1,
    productCategoryID: null,
    discountPercentage: decimal(0),
    discountFlatValue: cents(0),
    ...given,
  };
  return { quantity: decimal(quantity), product: null, discount: terms };
}

const money = (dollars: string): Cents => extend(decimal(dollars), decimal(1));
const flat = (dollars: string, quantity?: string) => discount({ discountFlatValue: money(dollars) }, quantity);
const percent = (percentage: string) =>
  discount({ discountID: 2, discountType: PERCENTAGE, discountPercentage: percentage });

const items = [product('100.00', '2'), product('49.99', '1'), product('10.00', '3')];
const deal = (given: Partial<Package> = {}): Package => ({
  packageDealDiscountType: NO_DISCOUNTS,
  goalPrice: cents(0),
  items,
  ...given,
});

/** Returns the posted amounts of the parts for a quantity of packages, in cents. */
function posted(wanted: Package, quantity = '1'): Cents[] {
  const { itemPrice, parts } = sellPackage(wanted);
  return spreadPackage(parts, extend(toDecimal(itemPrice), decimal(quantity)), decimal(quantity));
}

describe('package prices', () => {
  test('a package with 2 × 100.00, 49.99, and 3 × 10.00 costs 279.99', () => {
    const priced = pricePackage(deal());
    expect(priced.total.toString()).toBe('279.99');
    expect(priced.values.map(String)).toEqual(['200', '49.99', '30']);
    expect(priced.smart).toBeNull();
    expect(posted(deal())).toEqual([20000, 4999, 3000]);
  });

  test('a goal price of 250.00 gives a discount of 29.990000 (10.711097%) and posts 178.58, 44.63, and 26.79', () => {
    const smart = deal({ packageDealDiscountType: SMART_DISCOUNT, goalPrice: cents(25000) });
    const priced = pricePackage(smart);
    expect(priced.total.toString()).toBe('250');
    expect(priced.smart?.name).toBe('Smart Discount');
    expect(priced.smart?.amount.toFixed(6)).toBe('-29.990000');
    expect(priced.smart?.percentageValue.toFixed(6)).toBe('-10.711097');
    expect(priced.smart && smartDisplay(priced.smart)).toEqual({
      displayAmount: '($29.99)',
      displayPercentage: '-10.71%',
    });
    expect(posted(smart)).toEqual([17858, 4463, 2679]);
  });

  test("a goal price above the products' total gives a premium", () => {
    const premium = deal({ packageDealDiscountType: SMART_DISCOUNT, goalPrice: cents(30000) });
    expect(pricePackage(premium).smart?.name).toBe('Smart Premium');
    expect(posted(premium)).toEqual([21429, 5356, 3215]);
  });

  test('discounts of 5.00 and 10% give 246.991 and post 246.99, with the products at full price', () => {
    const mine = deal({ packageDealDiscountType: MY_DISCOUNTS, items: [...items, flat('5.00'), percent('10')] });
    const priced = pricePackage(mine);
    expect(priced.total.toString()).toBe('246.991');
    expect(priced.values.slice(3).map(String)).toEqual(['-5', '-27.999']);
    expect(sellPackage(mine)).toMatchObject({ itemPrice: 24699 });
    expect(sellPackage(mine).itemAmount.toString()).toBe('246.991');
    expect(posted(mine)).toEqual([20000, 4999, 3000, -500, -2800]);
  });

  test('percentages of the products do not compound, and fixed amounts are multiplied by quantity', () => {
    const both = deal({
      packageDealDiscountType: MY_DISCOUNTS,
      items: [product('100.00', '1'), percent('10'), { ...percent('10') }, flat('5.00', '3')],
    });
    expect(pricePackage(both).total.toString()).toBe('65');
  });

  test('discounts are included only in the mode that they belong to', () => {
    const off = deal({ items: [...items, flat('5.00')] });
    expect(pricePackage(off).total.toString()).toBe('279.99');
    expect(sellPackage(off).parts).toHaveLength(3);
  });
});

describe('the posted parts add up to the price', () => {
  test('parts that are fractions of a cent add up to the price', () => {
    const thirds = deal({ items: [product('0.01', '0.3333'), product('0.01', '0.3333'), product('0.01', '0.3334')] });
    expect(posted(thirds)).toEqual([0, 0, 1]);
    expect(sum(posted(thirds, '1000'))).toBe(1000);
  });

  test('free products share a goal price in proportion to their quantities', () => {
    const free = deal({
      packageDealDiscountType: SMART_DISCOUNT,
      goalPrice: cents(1000),
      items: [product('0.00', '1'), product('0.00', '2')],
    });
    expect(posted(free)).toEqual([333, 667]);
    expect(pricePackage(free).smart?.percentageValue.toString()).toBe('0');
  });

  test('a package with a price of 0.00 still posts its products and its discount', () => {
    const gift = deal({ packageDealDiscountType: MY_DISCOUNTS, items: [...items, percent('100')] });
    expect(posted(gift)).toEqual([20000, 4999, 3000, -27999]);
  });

  test("a package priced near zero posts the products' full prices instead of a multiple of them", () => {
    const items99 = [product('33.33', '1'), percent('99.99')];
    expect(posted(deal({ packageDealDiscountType: MY_DISCOUNTS, items: items99 }))).toEqual([3333, -3333]);
  });

  test('for 1,000 packages with a rounded price, the rounding difference goes only to the products', () => {
    const mine = deal({ packageDealDiscountType: MY_DISCOUNTS, items: [...items, flat('5.00'), percent('10')] });
    const parts = posted(mine, '1000');
    expect(sum(parts)).toBe(24699000);
    expect(parts.slice(3)).toEqual([-500000, -2799900]);
  });

  test('discounts without products are zero', () => {
    expect(posted(deal({ packageDealDiscountType: MY_DISCOUNTS, items: [percent('10')] }))).toEqual([0]);
  });
});

test('the taxable share of a package includes its share of the discounts', () => {
  const half = [product('60.00', '1', { taxable: false }), product('40.00', '1'), percent('10')];
  const { parts, itemPrice } = sellPackage(deal({ packageDealDiscountType: MY_DISCOUNTS, items: half }));
  const amounts = spreadPackage(parts, itemPrice, decimal(1));
  expect(amountWhere(parts, amounts, (part) => part.taxable).toString()).toBe('36');
  expect(amountWhere(parts, amounts, () => true).toString()).toBe('90');
  expect(amountWhere(parts, amounts, () => false).toString()).toBe('0');
});

describe('rejected packages', () => {
  const good = {
    name: 'Spring',
    description: 'Spring deal',
    packageDealDiscountType: MY_DISCOUNTS,
    packageLineItems: [
      { productID: 1, isAProductLine: true, quantity: '1' },
      { discountID: 1, isAProductLine: false, quantity: '1' },
    ],
  };
  test.each([
    ['without a name', { name: ' ' }, { name: 'Please enter a name' }],
    ['without a description', { description: '' }, { description: 'Please enter a description' }],
    ['with mode 3', { packageDealDiscountType: 3 }, { packageDealDiscountType: 'Please Select a Discount Type' }],
    ['without lines', { packageLineItems: [] }, { packageLineItems: NO_PACKAGE_LINE }],
    [
      'with only discounts if the package uses no discounts',
      { packageDealDiscountType: NO_DISCOUNTS, packageLineItems: good.packageLineItems.slice(1) },
      { packageLineItems: NO_PACKAGE_LINE },
    ],
    [
      'with the same product or discount twice',
      { packageLineItems: [...good.packageLineItems, ...good.packageLineItems] },
      { 'packageLineItems.2.productID': TWICE_IN_PACKAGE, 'packageLineItems.3.discountID': TWICE_IN_PACKAGE },
    ],
    [
      'with a product and a discount in one line',
      { packageLineItems: [{ productID: 1, discountID: 1, quantity: '1' }] },
      { 'packageLineItems.0.discountID': 'A line must have either a product or a discount' },
    ],
    [
      'with a quantity of 0',
      { packageLineItems: [{ productID: 1, quantity: '0' }] },
      { 'packageLineItems.0.quantity': 'The quantity must be more than zero' },
    ],
    [
      'without a goal price in smart mode',
      { packageDealDiscountType: SMART_DISCOUNT },
      { goalPrice: 'Please enter a goal price' },
    ],
  ])('rejects a package %s', (_name, change, fields) => {
    expect(checkPackage({ ...good, ...change })).toEqual(fields);
  });

  test('rejects a package whose discounts exceed its products', () => {
    const priced = pricePackage(deal({ packageDealDiscountType: MY_DISCOUNTS, items: [flat('0.01')] }));
    expect(() => requirePackage(good, priced)).toThrow('The package total cannot be negative');
    expect(checkPackage(good)).toEqual({});
  });
});
