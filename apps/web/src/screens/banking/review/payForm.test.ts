import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { isPayable, mayJoin, partFault, payInput, toggled, unpaidOf } from './payForm.ts';

const owed = (invoiceId: number, openAmount: number, entityId = 7) => ({
  invoiceId,
  kind: 'invoice',
  number: `${invoiceId}`,
  date: isoDate('2026-06-01'),
  openAmount: cents(openAmount),
  entityId,
  entityName: 'Acme Tools',
});
const size = cents(20_000);

test('200.00 pays part of an invoice for 300.00', () => {
  const parts = toggled([], owed(1, 30_000), size);
  expect(isPayable(parts, size)).toBe(true);
  expect(payInput(parts)).toEqual({ action: 'pay', entityId: 7, documents: [{ invoiceId: 1, amount: 20_000 }] });
});

test('200.00 pays the first invoice in full and part of the second, until the amounts are edited', () => {
  const parts = toggled(toggled([], owed(1, 15_000), size), owed(2, 9000), size);
  expect(parts.map(({ amount }) => amount)).toEqual([15_000, 5000]);
  const typed = parts.map((part, at) => (at === 0 ? { ...part, amount: cents(12_000) } : part));
  expect([unpaidOf(typed, size), isPayable(typed, size)]).toEqual([3000, false]);
  expect(toggled(typed, owed(1, 15_000), size).map(({ document }) => document.invoiceId)).toEqual([2]);
  expect(partFault({ document: owed(2, 9000), amount: cents(9001) })).toBe('More than the open balance');
  expect(partFault({ document: owed(2, 9000), amount: null })).toBe('Please enter an amount');
});

test("one payment can't include documents for several customers", () => {
  const parts = toggled([], owed(1, 15_000), size);
  expect([mayJoin(parts, owed(2, 100)), mayJoin(parts, owed(3, 100, 8)), mayJoin([], owed(3, 100, 8))]).toEqual([
    true,
    false,
    true,
  ]);
});
