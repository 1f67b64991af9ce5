import type { ApprovalForm } from '@evenkeel/contract/agents';
import { expect, test } from 'vitest';
import { changedRows, itemLabel, labelOf, nameWords, placedIn, toSend, withoutItem, withValue } from './inputTree.ts';

const field = (path: string, kind: 'text' | 'date' | 'money') => ({
  path,
  kind,
  places: 0,
  maxLength: null,
  choices: [],
});
const form: ApprovalForm = {
  rowVersion: 0,
  input: { body: { memo: '', day: '', lines: [{ amount: 1 }, { amount: 2 }, { amount: 3 }] } },
  fields: [field('body.memo', 'text'), field('body.day', 'date'), field('body.lines.#.amount', 'money')],
};

test('changing a value or removing a line leaves the other values and the original unchanged', () => {
  const before = structuredClone(form.input);
  expect(withValue(form.input, ['body', 'lines', 1, 'amount'], 9)).toEqual({
    body: { memo: '', day: '', lines: [{ amount: 1 }, { amount: 9 }, { amount: 3 }] },
  });
  expect(withoutItem(form.input, ['body', 'lines', 1])).toMatchObject({
    body: { lines: [{ amount: 1 }, { amount: 3 }] },
  });
  expect(form.input).toEqual(before);
});

test('an empty text is sent as text, an empty date as null, and a reason only if there is one', () => {
  expect(toSend(form, '')).toMatchObject({ body: { memo: '', day: null } });
  expect(toSend(form, '')).not.toHaveProperty('body.closingOverrideReason');
  expect(toSend(form, 'Late bill')).toHaveProperty('body.closingOverrideReason', 'Late bill');
});

test('messages go to the fields that are shown, and all others keep their path', () => {
  const messages = { 'lines.2.amount': 'Too high', 'lines.7.amount': 'Gone', dueDate: 'Missing' };
  expect(placedIn(messages, form)).toEqual({
    'body.lines.2.amount': 'Too high',
    'lines.7.amount': 'Gone',
    dueDate: 'Missing',
  });
});

test.each([
  ['glAccountID', 'GL Account'],
  ['vendorId', 'Vendor'],
  ['profitcenterid', 'Profit Center'],
  ['entityID', 'Customer or Vendor'],
  ['postToVendorAccount', 'Post to Vendor Account'],
  ['id', 'ID'],
])('the field %s is labeled %s', (name, label) => expect(labelOf(name)).toBe(label));

test('lines are named by their list and their position', () => {
  expect(itemLabel('generalLedgerEntries')).toBe('General Ledger Entry');
  expect(nameWords('lineItems.0.accountId')).toBe('Line Item 1, Account');
  expect(nameWords('params.id')).toBe('ID');
  expect(nameWords('body.1.customerId')).toBe('Record 2, Customer');
});

test('each field stands next to the one that the agent sent, in any spelling, and removed fields stay', () => {
  const sent = { body: { VendorID: 7, memo: 'Old', note: 'x' } };
  expect(changedRows({ body: { vendorId: 7, memo: 'New' } }, sent)).toEqual([
    { name: 'vendorId', text: '7', sent: '7' },
    { name: 'memo', text: 'New', sent: 'Old' },
    { name: 'note', text: '', sent: 'x' },
  ]);
});
