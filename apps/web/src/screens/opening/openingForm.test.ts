import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { describe, expect, it } from 'vitest';
import { byName } from '../../ui/table/pasted.ts';
import { readForm } from './openingDraft.ts';
import {
  checkRow,
  copiedDown,
  emptyRow,
  figuresOf,
  formOf,
  type OpeningForm,
  type OpenRow,
  placeOfFault,
  requestOf,
  rowsOf,
  rowsToFix,
  withBalance,
  withRow,
} from './openingForm.ts';
import { pasteOpening } from './openingPaste.ts';

const DATE = isoDate('2025-12-31');
const NONE = {
  date: null,
  accounts: [],
  invoices: [],
  bills: [],
  customerCredits: [],
  vendorCredits: [],
  closedThrough: null,
  postedBy: null,
  postedAt: null,
  rowVersion: 0,
};
const empty = (): OpeningForm => formOf(NONE, DATE);

const row = (unpaid: number, more: Partial<OpenRow> = {}): OpenRow => ({
  ...emptyRow(1, 'invoices'),
  entityId: 7,
  name: 'Bellwether Coffee',
  number: '1038',
  date: isoDate('2025-11-14'),
  dueDate: isoDate('2025-12-14'),
  accountId: 140,
  unpaid: cents(unpaid),
  ...more,
});

/** Checking 1,000.00, an invoice of 108.00, a bill of 50.00, and a customer credit of 20.00. */
function filled(): OpeningForm {
  const form = withBalance(empty(), 101, 'debit', cents(100_000));
  return {
    ...form,
    invoices: [row(10_800)],
    bills: [row(5000, { isVendor: true, accountId: 153 })],
    credits: [row(2000, { accountId: 145 })],
  };
}

const names = {
  customers: byName([[7, ['Bellwether Coffee']]]),
  vendors: byName([[8, ['Valley Nursery']]]),
  accounts: byName([[140, ['4000', 'Sales']]]),
  scenarios: byName([[3, ['Cuyahoga 8%']]]),
};

describe('the amounts in the bar', () => {
  it('receivables of 88.00 and payables of 50.00 come from the documents, and 1,038.00 of equity remains', () => {
    const { debits, credits, receivable, payable, equity, aging } = figuresOf(filled());
    expect([debits, credits, receivable, payable, equity]).toEqual([108_800, 5000, 8800, 5000, -103_800]);
    expect(aging).toEqual({ current: 0, days30: 10_800, days60: 0, older: 0 });
  });

  it('a stated balance of opening balance equity is included in the credits', () => {
    const { credits, equity, stated } = figuresOf(withBalance(filled(), 136, 'credit', cents(103_800)));
    expect([credits, equity, stated]).toEqual([108_800, -103_800, -103_800]);
  });

  it('an amount on one side clears the other, and clearing a side keeps the other', () => {
    const both = withBalance(filled(), 101, 'credit', cents(500));
    expect(both.balances[101]).toEqual({ debit: null, credit: 500 });
    expect(withBalance(both, 101, 'debit', null).balances[101]).toEqual({ debit: null, credit: 500 });
  });
});

describe('rows', () => {
  it('a grid always ends with an empty row, which is not counted', () => {
    const form = withRow(empty(), 'invoices', 1, { number: '1' });
    expect(form.invoices.map(({ number }) => number)).toEqual(['1', '']);
    expect(rowsOf(form, 'invoices')).toHaveLength(1);
  });

  it('an incomplete row has a message for each missing value', () => {
    expect(checkRow({ ...emptyRow(1, 'bills'), number: 'V-7' }, 'bills', DATE)).toEqual({
      party: 'Please Select a Vendor',
      account: 'Please Select an Account',
      date: 'Please enter a date',
      unpaid: 'Please enter an amount greater than $0.00',
    });
    expect(checkRow(row(10_800), 'invoices', DATE)).toEqual({});
    expect(checkRow(emptyRow(2, 'invoices'), 'invoices', DATE)).toEqual({});
    expect(rowsToFix(filled())).toBe(0);
    expect(rowsToFix(withRow(filled(), 'bills', 1, { unpaid: null }))).toBe(1);
  });

  it('Ctrl+D copies the customer or the date from the row above', () => {
    const form = { ...empty(), invoices: [row(100), emptyRow(2, 'invoices')] };
    const named = copiedDown(form, 'invoices', { key: 2, cell: 'party' });
    expect(named.invoices[1]).toMatchObject({ entityId: 7, name: 'Bellwether Coffee', number: '' });
    expect(copiedDown(named, 'invoices', { key: 2, cell: 'due' }).invoices[1]?.dueDate).toBe('2025-12-14');
    expect(copiedDown(form, 'invoices', { key: 1, cell: 'party' })).toBe(form);
  });

  it('the request groups the documents by kind, and a message from the server appears at its cell', () => {
    const request = requestOf(filled());
    expect(request.accounts).toEqual([{ accountId: 101, amount: 100_000 }]);
    expect(request.customerCredits).toEqual([
      expect.objectContaining({ unpaidAmount: 2000, lineItems: [{ accountId: 145 }] }),
    ]);
    expect(placeOfFault(filled(), 'customerCredits.0.lineItems.0.accountId')).toEqual({
      grid: 'credits',
      key: 1,
      cell: 'account',
    });
    expect(placeOfFault(filled(), 'accounts.0.accountId')).toBeUndefined();
  });

  it('a document with several lines keeps them and their original amounts', () => {
    const lineItems = [60, 40].map((amount, at) => ({
      accountId: 140 + at,
      amount: cents(amount * 100),
      description: 'Work',
      taxable: false,
      profitCenterId: null,
      locationId: null,
    }));
    const posted = {
      id: 9,
      rowVersion: 1,
      entityId: 7,
      displayName: 'Bellwether Coffee',
      number: '1038',
      date: isoDate('2025-11-14'),
      dueDate: null,
      unpaidAmount: cents(5000),
      salesTaxScenario: null,
      lineItems,
      taxItems: [],
      usedBy: [],
      appliedAmount: cents(0),
    };
    const form = formOf({ ...NONE, date: DATE, invoices: [posted], rowVersion: 1 }, DATE);
    expect(requestOf(form).invoices).toEqual([expect.objectContaining({ id: 9, lineItems, taxItems: [] })]);
  });

  it('a form that is stored on the device is restored, and any other stored value is ignored', () => {
    expect(readForm(JSON.parse(JSON.stringify(filled())))).toMatchObject({ balances: { 101: { debit: 100_000 } } });
    expect([readForm(null), readForm({ balances: {} }), readForm({ ...filled(), bills: [{}] })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('pasted rows', () => {
  const paste = (text: string, cell = 'party', grid: 'invoices' | 'credits' = 'invoices') =>
    pasteOpening(empty(), { grid, key: 1, cell, text }, names)[grid];

  it('pasted rows fill the columns starting at the selected cell, and pasted headings are skipped', () => {
    const [first, second, last] = paste(
      'Customer\tNumber\tDate\tDue Date\tIncome Account\tTax\tUnpaid Amount\n' +
        'Bellwether Coffee\t1038\t11/14/2025\t12/14/2025\tSales\tCuyahoga 8%\t$642.50\n' +
        'bellwether coffee\t1041\t2025-11-20\t\t4000\tExempt\t3,184.00\n',
    );
    expect(first).toMatchObject({ entityId: 7, number: '1038', dueDate: '2025-12-14', scenarioId: 3, unpaid: 64_250 });
    expect(second).toMatchObject({ entityId: 7, dueDate: null, accountId: 140, scenarioId: null, unpaid: 318_400 });
    expect(last?.number).toBe('');
  });

  it('an unknown customer and an unreadable date and amount are reported on the row, and the name stays', () => {
    const [first] = paste('Wexler, Ann\t1052\tsoon\t\tSales\tNone\tmuch\n');
    expect(first).toMatchObject({
      entityId: null,
      name: 'Wexler, Ann',
      number: '1052',
      told: 'No customer is named “Wexler, Ann”. “soon” is not a date. “much” is not an amount.',
    });
  });

  it('rows from a CSV file and rows that start at the second column are read', () => {
    expect(paste('"Bellwether Coffee",1038,11/14/2025,,Sales,,"1,265.00"')[0]).toMatchObject({ unpaid: 126_500 });
    expect(paste('1038\t11/14/2025', 'number')[0]).toMatchObject({
      entityId: null,
      number: '1038',
      date: '2025-11-14',
    });
  });

  it('a pasted credit is matched to a customer first, and then to a vendor', () => {
    const found = paste(
      'Bellwether Coffee\t1\t11/14/2025\tSales\t5\nValley Nursery\t2\t11/14/2025\tSales\t6\n',
      'party',
      'credits',
    );
    expect(found.slice(0, 2).map(({ entityId, isVendor }) => [entityId, isVendor])).toEqual([
      [7, false],
      [8, true],
    ]);
  });
});
