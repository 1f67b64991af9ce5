import { expect, test } from 'vitest';
import { changesOf, meaningOf, referencesIn } from './changes.ts';

const nameOf = (kind: string, id: number) => (id === 9 ? undefined : `${kind} ${id}`);
const words = (before: unknown, after: unknown, id = 1) =>
  changesOf(before, after, id, nameOf).map(({ field, before: old, after: now }) => `${field}: ${old} → ${now}`);

const line = { id: 5, description: 'Storm debris', quantity: 1, itemPrice: 48.2, accountId: 140, lineItemAmount: 48.2 };
const invoice = {
  id: 1,
  invoiceid: 1,
  invoiceNumber: '10436',
  dueDate: '2026-06-10',
  arBillingStatus: 1,
  customerId: 7,
  customerDisplayName: 'Whitaker',
  invoiceAmount: 2061.7,
  readyToPay: true,
  badge: 'Open',
  rowVersion: 3,
  lineItems: [line],
};

test('changed fields are described in words, with dates, amounts, statuses, and names', () => {
  const after = {
    ...invoice,
    dueDate: '2026-06-25',
    arBillingStatus: 2,
    customerId: 8,
    customerDisplayName: 'Okafor',
    invoiceAmount: -2206.7,
    badge: 'Sent',
    rowVersion: 4,
    lineItems: [{ ...line, quantity: 2, accountId: 141, lineItemAmount: 96.4 }],
  };
  expect(words(invoice, after)).toEqual([
    'Due Date: 6/10/2026 → 6/25/2026',
    'Billing Status: Draft → Open',
    'Customer: entity 7 → entity 8',
    'Invoice Amount: 2,061.70 → (2,206.70)',
    'Storm debris, quantity: 1 → 2',
    'Storm debris, account: account 140 → account 141',
    'Storm debris, amount: 48.20 → 96.40',
  ]);
  expect(words(invoice, { ...invoice, rowVersion: 9, readyToPay: false })).toEqual([]);
});

test('added and removed lines are described in full, regardless of their position', () => {
  const added = { id: 6, description: 'Mulch', quantity: 3, itemPrice: 10, lineItemAmount: 30 };
  expect(words(invoice, { ...invoice, lineItems: [added, line] })).toEqual(['Line: null → Mulch, 30.00']);
  expect(words(invoice, { ...invoice, lineItems: [added] })).toEqual([
    'Line: Storm debris, 48.20 → null',
    'Line: null → Mulch, 30.00',
  ]);
});

test('a created or deleted record lists its values and omits those that are off, zero, or empty', () => {
  const product = { productID: 1, name: 'Lamp', salesPrice: 12.5, taxable: false, description: '', GLAccountID: 9 };
  expect(words(null, product)).toEqual([
    'Name: null → Lamp',
    'Sales Price: null → 12.50',
    'GL Account: null → number 9',
  ]);
  expect(words({ ...product, salesPrice: 0 }, null)).toEqual(['Name: Lamp → null', 'GL Account: number 9 → null']);
});

test('a changed list of words shows which words were removed and added', () => {
  const before = { id: 2, roleName: 'Clerk', roleProperties: ['View Banking', 'View Billing'] };
  const after = { ...before, roleProperties: ['View Billing', 'Manage Banking'] };
  expect(words(before, after)).toEqual(['Permissions: View Banking → Manage Banking']);
});

test('an item without a name lists all of its fields, and items without IDs are compared by position', () => {
  const before = { id: 3, lines: [{ accountID: 4, percent: 60 }] };
  const after = {
    id: 3,
    lines: [
      { accountID: 4, percent: 50 },
      { accountID: 5, percent: 50 },
    ],
  };
  expect(words(before, after)).toEqual(['Lines, percent: 60 → 50', 'Lines: null → Account account 5, Percent 50']);
});

test('future dates and current prices do not count as changes to a recurring template', () => {
  const template = { id: 3, name: 'Rent', schedule: { every: 1, unit: 'month' }, next: [{ n: 0, date: '2026-02-01' }] };
  const after = { ...template, schedule: { every: 2, unit: 'month' }, next: [], amountNow: 10, problem: 'none' };
  expect(words(template, after)).toEqual(['Every: 1 → 2']);
});

test('a changed setting is described under its own name, with accounts, switches, and bases in words', () => {
  const setting = (settingName: string, settingValue: string) =>
    meaningOf('setting', { id: 4, settingName, settingValue });
  const of = (name: string, before: string, after: string) => words(setting(name, before), setting(name, after));
  expect(of('defaultARAccountId', '4', '5')).toEqual(['Default A/R Account: account 4 → account 5']);
  expect(of('useLocations', 'false', 'true')).toEqual(['Use Locations: No → Yes']);
  expect(of('reportingAccountingBasis', '1', '0')).toEqual(['Reporting Basis: Cash → Accrual']);
  expect(of('closingDate', '', '2026-03-31')).toEqual(['Closing Date: null → 3/31/2026']);
  expect(meaningOf('role', { settingName: 'useLocations' })).toEqual({ settingName: 'useLocations' });
});

test('referenced records are found at any depth', () => {
  expect(referencesIn([invoice, null, { a: [{ profitCenterId: 3 }] }])).toEqual(
    new Map([
      ['entity', new Set([7])],
      ['account', new Set([140])],
      ['profit_center', new Set([3])],
    ]),
  );
});
