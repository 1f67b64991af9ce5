import { expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { cents } from '../money.ts';
import { heldReceipts } from './receipts.ts';

const line = (id: number, day: number, amount: number, entityId: number | null = null) => ({
  id,
  date: isoDate(`2026-01-${String(day).padStart(2, '0')}`),
  amount: cents(amount),
  entityId,
});

test('a receipt remains in Undeposited Funds until there is a deposit for its amount', () => {
  const receipts = [line(1, 1, 100, 7), line(2, 2, 250, 8), line(3, 3, 75, 9)];
  expect(heldReceipts(receipts)).toEqual([1, 2, 3]);
  expect(heldReceipts([...receipts, line(4, 4, -250, 8)])).toEqual([1, 3]);
  // A deposit of the whole balance leaves no receipts, although no receipt has its amount.
  expect(heldReceipts([...receipts, line(4, 4, -425)])).toEqual([]);
  expect(heldReceipts([...receipts, line(4, 4, -425), line(5, 5, 60)])).toEqual([5]);
});

test('a receipt on the day of its deposit comes before the deposit', () => {
  expect(heldReceipts([line(1, 2, -100), line(2, 2, 100), line(3, 2, 30)])).toEqual([3]);
});

test('if two receipts have the same amount, a deposit contains the receipt from the same customer', () => {
  const receipts = [line(1, 1, 100, 7), line(2, 2, 100, 8)];
  expect(heldReceipts([...receipts, line(3, 3, -100, 8)])).toEqual([1]);
  // Without a name, it is uncertain which receipt remains.
  expect(heldReceipts([...receipts, line(3, 3, -100)])).toEqual([]);
});

test('a deposit of several receipts makes the rest uncertain until the account is at 0.00', () => {
  const lines = [line(1, 1, 100), line(2, 1, 50), line(3, 1, 25), line(4, 2, -150)];
  expect(heldReceipts(lines)).toEqual([]);
  expect(heldReceipts([...lines, line(5, 3, -25), line(6, 4, 40)])).toEqual([6]);
});
