import type { CreditRow } from '@evenkeel/contract/credits';
import { isoDate } from '@evenkeel/core/dates';
import { cents, ZERO } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { usedForText } from './creditsTab.tsx';

const MEMO: CreditRow = {
  id: 7,
  kind: 'creditmemo',
  number: 'CM-103',
  date: isoDate('2026-11-20'),
  customerId: 5,
  customerDisplayName: 'Silas Stonebridge',
  arBillingStatus: 2,
  badge: 'Credit',
  usedFor: ['invoice 10568'],
  usedCount: 1,
  appliedAmount: cents(60000),
  refundedAmount: ZERO,
  reason: '',
  checkNumber: '',
  amount: cents(100000),
  remainingAmount: cents(40000),
};
const UNUSED = { usedFor: [], usedCount: 0, appliedAmount: ZERO };

it.each<[Partial<CreditRow>, string]>([
  [{}, '600.00 applied to invoice 10568'],
  [
    { usedFor: ['invoice 1', 'invoice 2', 'invoice 3'], usedCount: 5 },
    '600.00 applied to invoice 1, invoice 2, invoice 3 and 2 more',
  ],
  [{ ...UNUSED, refundedAmount: cents(24000) }, '240.00 refunded'],
  [{ refundedAmount: cents(5000) }, '600.00 applied to invoice 10568, 50.00 refunded'],
  [UNUSED, ''],
  [{ kind: 'writeoff', reason: 'Bad Debt' }, 'invoice 10568, Bad Debt'],
  [{ kind: 'refund', usedFor: ['credit memo CM-102'], checkNumber: '2203' }, 'credit memo CM-102, check 2203'],
  [{ kind: 'refund', usedFor: ['payment 12'] }, 'payment 12'],
])('the list of credits names the documents that a credit was used for: %j', (change, text) => {
  expect(usedForText({ ...MEMO, ...change })).toBe(text);
});
