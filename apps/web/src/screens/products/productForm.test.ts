import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { blankProduct, type ProductForm, productFaults, productInput } from './productForm.ts';
import { askedItem } from './ProductsScreen.tsx';

const good: ProductForm = {
  ...blankProduct,
  name: 'Core aeration',
  description: 'Core aeration of the lawn',
  productCategoryID: 3,
  GLAccountID: 140,
  salesPrice: cents(14500),
};

it('an empty form reports the five missing values', () => {
  expect(productFaults(blankProduct)).toEqual({
    name: 'Please enter a name',
    description: 'Please enter a description',
    GLAccountID: 'Please Select an Account',
    salesPrice: 'Please select a sales price',
    productCategoryID: 'Please Select a Category',
  });
});

it('a price of 0.00 is accepted', () => {
  expect(productFaults({ ...good, salesPrice: cents(0) })).toEqual({});
});

it('a date that is turned on is required, and a date that is turned off is ignored', () => {
  expect(productFaults({ ...good, startDateInUse: true })).toEqual({ startDate: 'Please enter a date' });
  const ended = { ...good, endDate: isoDate('2026-01-31'), startDate: isoDate('2026-06-01') };
  expect(productFaults({ ...ended, startDateInUse: true })).toEqual({});
  expect(productFaults({ ...ended, startDateInUse: true, endDateInUse: true })).toEqual({
    endDate: 'The end date is before the start date',
  });
});

it('a cleared category or profit center is sent as 0, and an unused date as null', () => {
  const input = productInput({ ...good, productCategoryID: null, startDate: isoDate('2026-06-01'), rowVersion: 4 });
  expect(input).toMatchObject({
    productCategoryID: 0,
    profitCenterID: 0,
    startDate: null,
    rowVersion: 4,
  });
  expect(productInput(good).rowVersion).toBeNull();
});

it('the navigation state opens a product on the products tab and a package on the packages tab', () => {
  expect(askedItem({ itemId: 5, isproduct: true, fromsearch: true })).toEqual({ tab: 'products', product: 5 });
  expect(askedItem({ itemId: 5, ispackage: true })).toEqual({ tab: 'packages', package: 5 });
  expect(askedItem({ itemId: 5, isproduct: false })).toBeUndefined();
  expect(askedItem({ itemId: 'x' })).toBeUndefined();
  expect(askedItem(null)).toBeUndefined();
});
