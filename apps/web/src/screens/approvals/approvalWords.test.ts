import { cents } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { approvalKey, approveWords, inputRows, whenWords } from './approvalWords.ts';

test('the keyboard shortcuts are the same as in the review of bank transactions', () => {
  expect(['ArrowUp', 'ArrowDown', 'Enter', 'x', 'X', 'u', 'e', '1'].map((key) => approvalKey(key)?.act)).toEqual([
    'up',
    'down',
    'accept',
    'reject',
    'reject',
    'undo',
    'edit',
    undefined,
  ]);
});

test('the approval button shows the amount', () => {
  expect(approveWords({ amount: cents(264_418) })).toBe('Approve $2,644.18');
  expect(approveWords({ amount: cents(0) })).toBe('Approve');
});

test('a timestamp from today is shown as a time, and an earlier timestamp as a date', () => {
  const now = new Date(2026, 5, 12, 15, 0);
  expect(whenWords(new Date(2026, 5, 12, 14, 41).toISOString(), now)).toBe('2:41 PM');
  expect(whenWords(new Date(2026, 5, 11, 14, 41).toISOString(), now)).toBe('6/11/2026');
});

test('every field in an input is listed by its path', () => {
  const body = { vendorId: 7, note: '', lineItems: [{ description: 'Mulch', lineItemAmount: 5.5 }, { voided: false }] };
  expect(inputRows({ params: { id: '3' }, query: {}, body })).toEqual([
    { name: 'params.id', text: '3' },
    { name: 'vendorId', text: '7' },
    { name: 'lineItems.0.description', text: 'Mulch' },
    { name: 'lineItems.0.lineItemAmount', text: '5.5' },
    { name: 'lineItems.1.voided', text: 'false' },
  ]);
});
