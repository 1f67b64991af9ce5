import { describe, expect, it } from 'vitest';
import { isoDate } from '../dates.ts';
import { checkProduct, productServiceType } from './products.ts';

const good = { name: 'Mulch', description: 'Hardwood', salesPrice: 0, GLAccountID: 140 };

describe('checkProduct', () => {
  it("checkProduct reports all missing fields together with the form's messages", () => {
    expect(checkProduct({}, true)).toEqual({
      name: 'Please enter a name',
      description: 'Please enter a description',
      GLAccountID: 'Please Select an Account',
      salesPrice: 'Please select a sales price',
      productCategoryID: 'Please Select a Category',
    });
  });

  it('a product may have a price of 0.00, and requires no category if the category control is hidden', () => {
    expect(checkProduct(good)).toEqual({});
    expect(checkProduct({ ...good, salesPrice: -1 })).toEqual({ salesPrice: 'Please select a sales price' });
  });

  it('a product may be offered for one day, but may not end before it starts', () => {
    const day = isoDate('2026-02-01');
    expect(checkProduct({ ...good, startDate: day, endDate: day })).toEqual({});
    const fields = checkProduct({ ...good, startDate: day, endDate: isoDate('2026-01-31') });
    expect(Object.keys(fields)).toEqual(['endDate']);
  });
});

describe('productServiceType', () => {
  it.each([
    [1, 1],
    [2, 2],
    ['2', 2],
    [undefined, 1],
    [null, 1],
    ['service', 1],
    [3, 1],
    [Number.NaN, 1],
  ])('the product type for %j is %i', (given, type) => {
    expect(productServiceType(given)).toBe(type);
  });
});
