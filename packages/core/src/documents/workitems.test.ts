import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceInvoice, priceLines } from './invoice.ts';
import { cents, decimal, sum } from '../money.ts';
import { checkWorkItem, chosenOf } from './workitems.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);

const good = {
  customerId: 7,
  description: 'Storm cleanup, crew hour',
  accountId: 141,
  isProduct: false,
  isPackage: false,
  itemPrice: 86,
  quantity: 5.5,
};

describe('checkWorkItem', () => {
  test('a work item of 5.5 hours at 86.00 for a customer is valid', () => {
    expect(checkWorkItem(good)).toEqual({});
  });

  test.each([
    ['no customer', { customerId: 0 }, { customerId: 'Please Select a Customer' }],
    ['a blank description', { description: ' ' }, { description: 'A description entry is required' }],
    ['no account and no product', { accountId: 0 }, { accountId: 'Please Select an Account' }],
    ['a negative quantity', { quantity: -1 }, { quantity: 'Quantity cannot be negative' }],
    ['a price of 1.005', { itemPrice: 1.005 }, { itemPrice: 'Price has more than 2 decimal places' }],
  ])('a work item with %s is rejected with a message for its field', (_, change, fields) => {
    expect(checkWorkItem({ ...good, ...change })).toEqual(fields);
  });

  test('a work item requires a profit center and location if the company uses them', () => {
    expect(checkWorkItem(good, { useProfitCenters: true, useLocations: true })).toEqual({
      profitCenterId: 'Please Select a Profit Center',
      locationId: 'Please Select a Location',
    });
  });
});

test('totals include only selected work items: 29 of 31 items for 2 of 3 customers add up to 15,376.85', () => {
  const all = [
    { included: true, workItemCount: 27, invoiceAmount: cents(1_000_000) },
    { included: true, workItemCount: 2, invoiceAmount: cents(537_685) },
    { included: false, workItemCount: 2, invoiceAmount: cents(28_100) },
  ];
  expect(chosenOf(all)).toEqual({ customers: 2, workItems: 29, amount: 1_537_685 });
});

test('amounts of work items, which are rounded when saved, equal their invoice lines to the cent', () => {
  const amounts = fc.array(fc.tuple(fc.integer({ min: -99_999, max: 999_999 }), fc.integer({ min: 0, max: 99_999 })), {
    minLength: 1,
    maxLength: 12,
  });
  const check = (given: [number, number][]): void => {
    const lines = given.map(([price, quantity]) => ({
      itemPrice: decimal(price).div(100),
      quantity: decimal(quantity).div(1000),
      taxable: true,
    }));
    const saved = lines.map((line) => priceLines([line], []).invoiceAmount);
    const together = priceLines(lines, []);
    expect(together.lines.map(({ lineItemAmount }) => lineItemAmount)).toEqual(saved);
    expect(together.invoiceAmount).toBe(sum(saved));
    if (sum(saved) < 0) expect(() => priceInvoice(lines, [])).toThrow('Invoice total cannot be negative');
  };
  fc.assert(fc.property(amounts, check), { numRuns });
});
