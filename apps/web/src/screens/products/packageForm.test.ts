import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import { cents, decimal } from '@evenkeel/core/money';
import { MY_DISCOUNTS, NO_PACKAGE_LINE, SMART_DISCOUNT, TWICE_IN_PACKAGE } from '@evenkeel/core/documents/packages';
import { expect, it } from 'vitest';
import { soldItem } from '../../testing/sold.ts';
import { discountFaults, blankDiscount, discountInput } from './discountForm.ts';
import {
  goodsOf,
  inMode,
  packageFaults,
  packageFormOf,
  packageInput,
  packageTotals,
  withLine,
  withoutLine,
} from './packageForm.ts';

const item = (id: number, given: Partial<ProductOrPackage>): ProductOrPackage =>
  soldItem(id, { itemKey: `item-${id}`, isProduct: false, ...given });

const goods = goodsOf([
  item(1, { isProduct: true, calculatedTotal: cents(10000) }),
  item(2, { isProduct: true, calculatedTotal: cents(4999) }),
  item(1, { isDiscount: true, discountType: 0, discountTypeTarget: 1, discountFlatValue: cents(500) }),
  item(2, { isDiscount: true, discountType: 1, discountTypeTarget: 1, discountPercentage: decimal(10) }),
]);
const product = (productID: number, quantity = 1) => ({ productID, discountID: null, quantity });
const discount = (discountID: number) => ({ productID: null, discountID, quantity: 1 });
const named = { ...packageFormOf(undefined), name: 'Spring', description: 'Spring deal' };
const mine = [product(1, 2), product(2), discount(1), discount(2)].reduce(withLine, inMode(named, MY_DISCOUNTS));

it("the total of 249.99 less 5.00 and 10% equals the server's total", () => {
  const totals = packageTotals(mine, goods);
  expect(totals.values).toEqual([20000, 4999, -500, -2500]);
  expect([totals.total, totals.smart]).toEqual([21999, null]);
});

it('changing the mode removes the discounts, and switching back to My Discounts restores them', () => {
  const smart = withLine({ ...inMode(mine, SMART_DISCOUNT), goalPrice: cents(30000) }, product(3));
  expect(smart.lines.map((line) => line.discountID)).toEqual([null, null, null]);
  const totals = packageTotals(smart, goods);
  expect([totals.total, totals.smart?.name, totals.smart?.cents]).toEqual([30000, 'Smart Premium', 5001]);
  const back = inMode(withoutLine(smart, smart.lines[2]?.packageLineItemID ?? 0), MY_DISCOUNTS);
  expect(back.lines).toEqual(mine.lines);
  expect(back.aside).toEqual([]);
});

it('the problems that prevent saving are reported', () => {
  expect(packageFaults(named, goods)).toEqual({ packageLineItems: NO_PACKAGE_LINE });
  const twice = withLine(mine, product(1));
  expect(packageFaults(twice, goods)).toEqual({ 'packageLineItems.4.productID': TWICE_IN_PACKAGE });
  expect(packageFaults(inMode(mine, SMART_DISCOUNT), goods)).toEqual({ goalPrice: 'Please enter a goal price' });
  const less = withLine(inMode(named, MY_DISCOUNTS), discount(1));
  expect(packageFaults(less, goods)).toEqual({ packageLineItems: 'The package total cannot be negative' });
  expect(packageFaults(mine, goods)).toEqual({});
});

it('each line is sent as a product or a discount', () => {
  expect(packageInput(mine).packageLineItems?.map((line) => line.isAProductLine)).toEqual([true, true, false, false]);
});

it('a discount needs a fixed amount or a percentage, and an unused date is sent as an empty value', () => {
  const form = { ...blankDiscount, name: 'Spring', description: 'Spring', GLAccountID: 143 };
  expect(discountFaults(form)).toEqual({ discountFlatValue: 'Please select a fixed amount' });
  expect(discountFaults({ ...form, discountType: 1 })).toEqual({
    discountPercentage: 'The percentage must be between 0 and 100',
  });
  expect(discountFaults({ ...form, discountType: 1, discountPercentage: 100 })).toEqual({});
  expect(discountFaults({ ...form, discountFlatValue: cents(0), startDateInUse: true })).toEqual({
    startDate: 'Please enter a date',
  });
  expect(discountInput({ ...form, productCategoryID: null })).toMatchObject({ productCategoryID: 0, startDate: null });
});
