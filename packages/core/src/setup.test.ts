import { expect, test } from 'vitest';
import { AP, AR } from './books/accounts.ts';
import { checkSetup } from './setup.ts';

const good = { companyName: 'Cedar & Stone', defaultARAccountId: AR, defaultAPAccountId: AP };

test('the company and accounts are required, but the customer, vendor, and product can be skipped', () => {
  expect(checkSetup(good)).toEqual({});
  expect(checkSetup({ companyName: ' ', defaultARAccountId: 0 })).toEqual({
    companyName: 'Please enter a Company name',
    defaultARAccountId: 'Please Select an Account',
    defaultAPAccountId: 'Please Select an Account',
  });
});

test.each([
  [{ customerName: 'Fairlawn' }, { customerEmail: 'Please enter a valid email address' }],
  [{ customerEmail: 'a@fairlawn.example' }, { customerName: 'Please enter a Customer name' }],
  [{ customerName: 'Fairlawn', useDefaultCustomer: true }, {}],
  [{ vendorName: 'Quarry', vendorEmail: 'quarry' }, { vendorEmail: 'Please enter a valid email address' }],
  [{ vendorEmail: 'a@quarry.example' }, { vendorName: 'Please enter a Vendor name' }],
  [{ productName: 'Mulch' }, { productPrice: 'Please select a sales price' }],
  [{ productPrice: 0 }, { productName: 'Please enter a name' }],
  [{ productName: 'Mulch', productPrice: -1 }, { productPrice: 'Please select a sales price' }],
  [{ productName: 'Mulch', productPrice: 0 }, {}],
])('if a pair of fields is incomplete, the missing field has the message: %o', (answers, fields) => {
  expect(checkSetup({ ...good, ...answers })).toEqual(fields);
});
