import type { Deposit, Receipt } from '@evenkeel/contract/transfers';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { depositFaults, depositFormOf, depositInput, totalOfDeposit } from './depositForm.ts';
import { receiptKey } from './moves.ts';
import { transferFaults, transferFormOf, transferInput } from './transferForm.ts';

const TODAY = isoDate('2026-03-05');

const receipt = (paymentId: number | null, amount: number, lineId: number | null = null): Receipt => ({
  paymentId,
  lineId,
  sourceType: paymentId === null ? 'journal' : 'payment',
  sourceId: 7,
  number: '7',
  receiptDate: TODAY,
  payer: 'Harbor View',
  referenceNumber: '',
  memo: '',
  amount: cents(amount),
});
const RECEIPTS = [receipt(1, 10_000), receipt(2, 5_550), receipt(null, 4_000, 31)];
const [FIRST, , BOX] = RECEIPTS.map(receiptKey);

const line = (amount: number) => ({
  id: -1,
  description: 'Cash back',
  accountId: 103,
  profitCenterId: null,
  locationId: null,
  entityId: null,
  amount: cents(amount),
});

const form = () => ({
  ...depositFormOf(undefined, TODAY, { bankAccountId: 3 }),
  receipts: [FIRST ?? '', BOX ?? ''],
  working: line(-2_000),
});

it('a check for 100.00 and a journal line of 40.00, less 20.00 in the unfinished line, add up to 120.00', () => {
  expect(totalOfDeposit(form(), RECEIPTS)).toBe(12_000);
  expect(depositFaults(form(), RECEIPTS)).toEqual({});
  expect(depositInput(form(), RECEIPTS, 'Found late')).toMatchObject({
    depositDate: TODAY,
    bankAccountId: 3,
    receipts: [{ paymentId: 1 }, { lineId: 31 }],
    lineItems: [{ accountId: 103, amount: -2_000, description: 'Cash back' }],
    closingOverrideReason: 'Found late',
  });
});

it('a receipt that another deposit has used is excluded from the total and the request', () => {
  const left = RECEIPTS.slice(0, 2);
  expect(totalOfDeposit(form(), left)).toBe(8_000);
  expect(depositInput(form(), left, '').receipts).toEqual([{ paymentId: 1 }]);
});

it('a deposit requires a date, a bank account, and receipts', () => {
  const empty = { ...depositFormOf(undefined, TODAY), depositDate: null };
  expect(Object.keys(depositFaults(empty, RECEIPTS))).toEqual(['depositDate', 'bankAccountId', 'receipts']);
});

it('a saved deposit keeps its selected receipts and its lines', () => {
  const saved: Deposit = {
    id: 5,
    depositNumber: '2',
    depositDate: TODAY,
    bankAccountId: 3,
    bankAccountName: 'Checking',
    amount: cents(8_000),
    referenceNumber: 'Slip 4',
    memo: '',
    entryDate: TODAY,
    documentLinks: [],
    receipts: RECEIPTS.slice(0, 1),
    lineItems: [{ ...line(-2_000), entityId: 9 }],
    rowVersion: 4,
  };
  const read = depositFormOf(saved, TODAY);
  expect(read).toMatchObject({ receipts: [FIRST], referenceNumber: 'Slip 4', rowVersion: 4 });
  expect(totalOfDeposit(read, RECEIPTS)).toBe(8_000);
  expect(depositInput(read, RECEIPTS, '').lineItems).toMatchObject([{ amount: -2_000, entityId: 9 }]);
});

it('a transfer of 0.00 to the same account shows two messages, and a request omits an empty reason', () => {
  const typed = { ...transferFormOf(undefined, TODAY, { fromBankAccountId: 3 }), toBankAccountId: 3 };
  expect(Object.keys(transferFaults(typed))).toEqual(['toBankAccountId', 'amount']);
  const good = { ...typed, toBankAccountId: 4, amount: cents(31_000) };
  expect(transferFaults(good)).toEqual({});
  expect(transferInput(good, '')).toEqual({
    transferDate: TODAY,
    fromBankAccountId: 3,
    toBankAccountId: 4,
    amount: 31_000,
    referenceNumber: '',
    memo: '',
    rowVersion: null,
    documentLinks: [],
  });
});
