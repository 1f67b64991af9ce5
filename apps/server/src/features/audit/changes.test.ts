import { calls } from '@evenkeel/contract/all';
import { settingNames } from '@evenkeel/core/settings';
import { SETTING_LABELS } from '@evenkeel/core/words/audit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { changesOf, fieldLabel, isQuiet, meaningOf, referencesIn } from './changes.ts';

const nameOf = (kind: string, id: number) => (id === 9 ? undefined : `${kind} ${id}`);
const words = (before: unknown, after: unknown, id = 1) =>
  changesOf(before, after, id, nameOf).map(({ field, before: old, after: now }) => `${field}: ${old} → ${now}`);

/** Returns every key at any depth of a schema. */
function keysIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries<unknown>(schema.shape).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
  }
  if (schema instanceof z.ZodArray) return keysIn(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return keysIn(schema.unwrap());
  return schema instanceof z.ZodUnion ? schema.options.flatMap(keysIn) : [];
}

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
    'Line: Storm debris, account 140, 48.20 → null',
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

const vehicles = {
  glid: 31,
  transactionID: 12,
  description: 'Truck loan',
  debitAmount: 9_999_999.99,
  creditAmount: null,
  accountID: 150,
  displayAccountLabel: '1500 Vehicles',
};
const loans = {
  ...vehicles,
  glid: 32,
  debitAmount: null,
  creditAmount: 9_999_999.99,
  accountID: 250,
  displayAccountLabel: '2500 Long-Term Loans',
};

test("a posted journal entry shows each line's account, description, side, and amount", () => {
  const posted = { transactionID: 12, generalLedgerEntries: [vehicles, { ...loans, description: '' }] };
  expect(words(null, posted, 12)).toEqual([
    'Entry: null → 1500 Vehicles, Truck loan, debit 9,999,999.99',
    'Entry: null → 2500 Long-Term Loans, credit 9,999,999.99',
  ]);
});

test('a changed journal draft names the account of each changed line', () => {
  const draft = { transactionID: 12, generalLedgerEntries: [vehicles, loans] };
  const after = { ...draft, generalLedgerEntries: [vehicles, { ...loans, creditAmount: 5 }] };
  expect(words(draft, after, 12)).toEqual(['2500 Long-Term Loans, Truck loan, credit amount: 9,999,999.99 → 5.00']);
});

test("a bill's credit item shows a negative amount and its account", () => {
  const supplies = { id: 1, description: 'Supplies', lineItemAmount: 100, accountId: 4, creditLine: false };
  const returned = { ...supplies, id: 2, description: 'Returned', lineItemAmount: 40, creditLine: true };
  expect(words(null, { id: 1, lineItems: [supplies, returned] })).toEqual([
    'Line: null → Supplies, account 4, 100.00',
    'Line: null → Returned, account 4, credit item (40.00)',
  ]);
  expect(words({ lineItems: [supplies] }, { lineItems: [{ ...supplies, creditLine: true }] })).toEqual([
    'Supplies, credit item: No → Yes',
  ]);
});

test('a bank transaction shows its status in words', () => {
  const line = (state: string) => meaningOf('bankline', { id: 8, amount: -4.5, text: 'BLUE CUP', state, glids: [] });
  expect(words(line('review'), line('matched'), 8)).toEqual(['Status: For review → Matched']);
  expect(words({ state: 'review' }, { state: 'NC' })).toEqual(['State: review → NC']);
});

test('choices are described by their labels', () => {
  expect(words({ taxRounding: 'item' }, { taxRounding: 'combined' })).toEqual([
    'Tax Rounding: Each tax item → Combined rate',
  ]);
  expect(words({ classification: null }, { classification: 'c_corporation' })).toEqual([
    'Tax Classification: null → C corporation',
  ]);
});

test('fields have the labels that the forms show', () => {
  const before = { poNumber: 'A-1', customerNote: 'Thanks' };
  expect(words(before, { poNumber: 'A-2', customerNote: '' })).toEqual([
    'PO Number: A-1 → A-2',
    'Note to Customer: Thanks → null',
  ]);
});

test('every setting is described under its label in Settings', () => {
  expect(settingNames.map(fieldLabel)).toEqual(settingNames.map((name) => SETTING_LABELS[name]));
});

test('no field of the API has a raw abbreviation in its label', () => {
  const keys = Object.values(calls).flatMap(({ reply }) => (typeof reply === 'string' ? [] : keysIn(reply)));
  const labels = [...new Set(keys)].filter((key) => !isQuiet(key)).map(fieldLabel);
  expect(labels.filter((label) => /\b(Po|Gl|Glids?|Url|Ids?|Cc)\b|No$|[a-z]\d|^(Is|Has) /.test(label))).toEqual([]);
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
