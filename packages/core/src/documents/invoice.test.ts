import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { Failure } from '../failure.ts';
import {
  billingStatuses,
  checkDocumentDelete,
  checkDocumentEdit,
  checkLines,
  invoiceBadge,
  lineRequirements,
  PAID_AT_ONCE,
  paidSoFar,
  priceInvoice,
  readyToPay,
  requireLines,
} from './invoice.ts';
import type { CheckableLine } from './invoice.ts';
import { cents, decimal, sum } from '../money.ts';
import { PAYABLE, RECEIVABLE } from './side.ts';
import type { TaxRate } from './tax.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);

function rate(percentage: string, id = 1): TaxRate {
  return { id, label: `Tax ${id}`, salesTaxType: id - 1, percentage: decimal(percentage) };
}

function line(itemPrice: string, quantity = '1', taxable = true) {
  return { itemPrice: decimal(itemPrice), quantity: decimal(quantity), taxable };
}

describe('priceInvoice', () => {
  test('priceInvoice rejects a total of -0.01', () => {
    expect(() => priceInvoice([line('10.00'), line('-10.01')], [])).toThrow('Invoice total cannot be negative');
  });

  test('6% tax on two lines of 15.89 is 1.91, although the tax on each separate line would be 0.95', () => {
    const priced = priceInvoice([line('15.89'), line('15.89')], [rate('6')]);
    expect(priced.taxItems.map((item) => item.total)).toEqual([191]);
    expect([priced.salesTaxAmount, priced.invoiceAmount]).toEqual([191, 3369]);
    expect(priced.lines.map((each) => each.lineItemTax.toString())).toEqual(['0.9534', '0.9534']);
  });

  test('8.25% tax on 9.99 × 1.333 is calculated from the rounded line of 13.32, with six decimal places', () => {
    const priced = priceInvoice([line('9.99', '1.333')], [rate('8.25')]);
    expect(priced.lines[0]?.lineItemAmount).toBe(1332);
    expect(priced.lines[0]?.lineItemTax.toString()).toBe('1.0989');
    expect(priced.invoiceAmount).toBe(1442);
  });

  test('several taxes are rounded separately, and a line shows the amount and type of each tax', () => {
    const priced = priceInvoice([line('385.00')], [rate('4.5', 1), rate('0.5', 3)]);
    expect(priced.taxItems.map((item) => [item.label, item.total])).toEqual([
      ['Tax 1', 1733],
      ['Tax 3', 193],
    ]);
    expect(priced.lines[0]?.taxItems.map((item) => [item.salesTaxType, item.total.toString()])).toEqual([
      [0, '17.325'],
      [2, '1.925'],
    ]);
  });

  test('a line that is not taxable has no tax', () => {
    const priced = priceInvoice([line('100.00', '1', false)], [rate('6')]);
    expect(priced.lines[0]).toMatchObject({ lineItemAmount: 10000, taxItems: [] });
    expect(priced.salesTaxAmount).toBe(0);
  });

  test('an invoice without lines has a total of 0.00', () => {
    expect(priceInvoice([], [rate('6')])).toMatchObject({ lines: [], salesTaxAmount: 0, invoiceAmount: 0 });
  });

  test("the printed invoice adds up, and each tax differs from the lines' tax by at most a cent per line", () => {
    const prices = fc.array(fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 1, max: 9_999 })), {
      minLength: 1,
      maxLength: 12,
    });
    const check = (lines: [number, number][], basisPoints: number): void => {
      const given = lines.map(([price, quantity]) =>
        line(decimal(price).div(100).toString(), decimal(quantity).div(1000).toString()),
      );
      const priced = priceInvoice(given, [rate(decimal(basisPoints).div(1000).toString())]);
      const lineTotal = sum(priced.lines.map((each) => each.lineItemAmount));
      expect(priced.invoiceAmount).toBe(lineTotal + priced.salesTaxAmount);
      const exact = priced.lines.reduce((total, each) => total.plus(each.lineItemTax), decimal(0));
      expect(exact.times(100).minus(priced.salesTaxAmount).abs().lte('0.5')).toBe(true);
    };
    fc.assert(fc.property(prices, fc.integer({ min: 0, max: 20_000 }), check), { numRuns });
  });
});

describe('checkLines', () => {
  const good: CheckableLine = {
    description: 'Mowing',
    accountId: 141,
    isProduct: false,
    isPackage: false,
    itemPrice: 45,
    quantity: 1,
  };

  test.each([
    ['a blank description', { description: ' ' }, 'description', 'A description entry is required'],
    ['no account', { accountId: 0 }, 'accountId', 'Please Select an Account'],
    ['a negative quantity', { quantity: -1 }, 'quantity', 'Quantity cannot be negative'],
    ['a price of 1.005', { itemPrice: 1.005 }, 'itemPrice', 'Price has more than 2 decimal places'],
  ])('checkLines rejects %s', (_, change, field, message) => {
    const lines = [good, { ...good, ...change }];
    expect(checkLines(lines)).toEqual({ [`lineItems.1.${field}`]: message });
    expect(() => requireLines(lines)).toThrow(message);
  });

  test('a profit center and location are required only if the company uses them', () => {
    expect(checkLines([good])).toEqual({});
    expect(checkLines([good], { useProfitCenters: true, useLocations: true })).toEqual({
      'lineItems.0.profitCenterId': 'Please Select a Profit Center',
      'lineItems.0.locationId': 'Please Select a Location',
    });
  });

  test('a profit center or location is required only while its setting is on and an active one exists', () => {
    const switches = { useProfitCenters: true, useLocations: true };
    expect(lineRequirements(switches, { profitCenters: 0, locations: 0 })).toEqual({
      useProfitCenters: false,
      useLocations: false,
    });
    expect(lineRequirements(switches, { profitCenters: 1, locations: 0 })).toEqual({
      useProfitCenters: true,
      useLocations: false,
    });
    expect(lineRequirements({ useLocations: false }, { profitCenters: 2, locations: 2 })).toEqual({
      useProfitCenters: false,
      useLocations: false,
    });
  });

  test('lines with products and packages require no account, and deleted lines require nothing', () => {
    const lines = [
      { ...good, accountId: null, isProduct: true },
      { ...good, accountId: null, isPackage: true },
      { ...good, description: '', deleted: true },
    ];
    expect(checkLines(lines)).toEqual({});
    expect(() => requireLines(lines)).not.toThrow();
  });
});

describe('invoice statuses', () => {
  const today = isoDate('2026-05-26');
  const invoice = { status: 2, openAmount: cents(100), invoiceAmount: cents(100), dueDate: today, today };

  test.each([
    ['a draft', { status: 1 }, 'Draft', 0],
    ['void', { status: 5, openAmount: cents(0) }, 'Void', 0],
    ['fully paid', { openAmount: cents(0) }, 'Paid', 0],
    ['on hold and paid', { status: 4, openAmount: cents(0) }, 'Paid', 0],
    ['on hold and 6 days overdue', { status: 4, dueDate: isoDate('2026-05-20') }, 'On Hold', 6],
    ['due today', {}, 'Open', 0],
    ['due yesterday', { dueDate: isoDate('2026-05-25') }, 'Overdue', 1],
    ['half paid and overdue', { openAmount: cents(50), dueDate: isoDate('2026-04-26') }, 'Overdue', 30],
    ['half paid on time', { openAmount: cents(50) }, 'Partially paid', 0],
    ['sent', { status: 3 }, 'Sent', 0],
    ['without a due date', { dueDate: null }, 'Open', 0],
  ])('an invoice shows its badge and the days overdue: %s', (_, change, badge, daysOverdue) => {
    expect(invoiceBadge({ ...invoice, ...change })).toEqual({ badge, daysOverdue });
  });

  test.each([
    ['a half-paid invoice', 2, 50, 50],
    ['a fully paid invoice', 3, 0, 100],
    ['a draft, which has no open balance', 1, 0, 0],
    ['a void invoice', 5, 0, 0],
    ['a bill paid immediately', PAID_AT_ONCE, 0, 0],
  ])('for %s (status %i, %i open), the paid amount is %i', (_, status, openAmount, paid) => {
    expect(paidSoFar({ status, invoiceAmount: cents(100), openAmount: cents(openAmount) })).toBe(paid);
  });

  test('the applied amount of a vendor credit is negative', () => {
    expect(paidSoFar({ status: 2, invoiceAmount: cents(-100), openAmount: cents(-30) })).toBe(-70);
  });

  test('an invoice can be paid if it is saved, posted, and open', () => {
    const ready = billingStatuses.filter(({ id: status }) => readyToPay({ id: 1, status, openAmount: cents(1) }));
    expect(ready.map((each) => each.displayName)).toEqual(['Open', 'Sent', 'On Hold']);
    expect(readyToPay({ id: 0, status: 2, openAmount: cents(1) })).toBe(false);
    expect(readyToPay({ id: 1, status: 2, openAmount: cents(0) })).toBe(false);
  });
});

describe('an invoice with payments', () => {
  const change = { applied: cents(5000), amount: cents(5000), status: 2, entityChanged: false };

  test.each([
    ['less than the paid amount', { amount: cents(4999) }, "can't be less than the $50.00 already paid"],
    ['another customer', { entityChanged: true }, "You can't change the customer on an invoice that has payments"],
    ['a draft', { status: 1 }, "can't be a draft or void"],
    ['void', { status: 5 }, "can't be a draft or void"],
  ])("an invoice with payments can't be changed to %s", (_, wrong, message) => {
    expect(() => checkDocumentEdit(RECEIVABLE, { ...change, ...wrong })).toThrow(message);
    expect(() => checkDocumentEdit(RECEIVABLE, { ...change, ...wrong, applied: cents(0) })).not.toThrow();
  });

  test.each([
    [
      'a vendor credit below its applied amount',
      { applied: cents(-5000), amount: cents(-4999) },
      'less than the $50.00 already applied',
    ],
    ['a bill that is paid immediately', { status: PAID_AT_ONCE }, "A bill that has payments can't be paid immediately"],
    ['another vendor', { entityChanged: true }, "You can't change the vendor on a bill that has payments"],
  ])("a bill with payments can't be changed to %s", (_, wrong, message) => {
    expect(() => checkDocumentEdit(PAYABLE, { ...change, ...wrong })).toThrow(message);
  });

  test('a document with payments can be edited so that its total equals the paid amount', () => {
    expect(() => checkDocumentEdit(RECEIVABLE, change)).not.toThrow();
  });

  test('deleting an invoice with payments is rejected as a conflict', () => {
    expect(() => checkDocumentDelete(cents(1))).toThrow(new Failure('conflict', 'Delete its payments first'));
    expect(() => checkDocumentDelete(cents(1), ['payment', 'writeoff'])).toThrow(
      'Delete its payments and write-off first',
    );
    expect(() => checkDocumentDelete(cents(0))).not.toThrow();
  });
});
