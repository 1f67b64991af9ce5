import { expect, test } from 'vitest';
import { documentKinds } from '../documents/side.ts';
import { isCheck, numberedKind, usedNumbers } from './numbers.ts';

const { invoice, creditmemo } = documentKinds;

test("the next number follows the highest number of its kind and keeps the kind's prefix", () => {
  const numbers = ['9', '12004', '0012003', 'INV-99999', '1234567890', ''].map((number) => ({ kind: invoice, number }));
  const credits = ['CM-140', '20000'].map((number) => ({ kind: creditmemo, number }));
  expect(usedNumbers([...numbers, ...credits])).toEqual([
    { kind: 'invoice', first: 10_001, next: 12_005 },
    { kind: 'creditmemo', first: 101, next: 141 },
  ]);
  expect(usedNumbers([{ kind: invoice, number: 'A-1' }])).toEqual([]);
});

test("invoices, credit memos, and checks are recognized by each program's terms", () => {
  expect(['Invoice', 'INVOICE', 'Receivable Invoice'].map(numberedKind)).toEqual([invoice, invoice, invoice]);
  expect(['Credit Memo', 'Credit note', 'CREDIT MEMO'].map(numberedKind)).toEqual([creditmemo, creditmemo, creditmemo]);
  expect(['Bill', 'Payable Invoice', 'Payment', 'Vendor Credit'].map(numberedKind)).toEqual(Array(4).fill(undefined));
  expect(
    ['Check', 'CHECK', 'Bill Payment (Check)', 'Bill Pmt -Check', 'BILLPMT', 'Paycheck'].filter(isCheck),
  ).toHaveLength(6);
  expect(['Deposit', 'Expense', 'Checking transfer'].filter(isCheck)).toEqual([]);
});
