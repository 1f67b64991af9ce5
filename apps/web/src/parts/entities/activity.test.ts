import type { ActivityRow } from '@evenkeel/contract/subledger';
import { isoDate } from '@evenkeel/core/dates';
import { cents, ZERO } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { activityAddress, activityDetail, activityName, detailWords } from './activity.ts';

const ROW: ActivityRow = {
  kind: 'invoice',
  id: 12,
  number: '1042',
  date: isoDate('2026-06-02'),
  dueDate: isoDate('2026-07-02'),
  amount: cents(98_000),
  openAmount: cents(98_000),
  balance: cents(98_000),
  badge: 'Open',
  daysOverdue: 0,
  checkNumber: '',
  paymentType: '',
  reference: '',
  description: 'Bed edging',
  appliedTo: [],
  appliedCount: 0,
};
const PAYMENT = { ...ROW, kind: 'payment', number: '546', amount: cents(-5000), openAmount: ZERO };

it.each([
  [ROW, 'Invoice 1042'],
  [{ ...ROW, kind: 'expense', number: '88-12' }, 'Bill 88-12'],
  [{ ...ROW, kind: 'expense', number: '88-12', amount: cents(-5000) }, 'Vendor credit 88-12'],
  [{ ...ROW, kind: 'journal', number: '7' }, 'Journal entry 7'],
  [PAYMENT, 'Payment 546'],
  [{ ...PAYMENT, checkNumber: '4471', paymentType: 'Check', reference: 'R' }, 'Payment 546 · check 4471'],
  [{ ...PAYMENT, paymentType: 'ACH', reference: 'R' }, 'Payment 546 · ACH'],
  [{ ...PAYMENT, paymentType: 'Check', reference: 'R-9' }, 'Payment 546 · R-9'],
  [{ ...PAYMENT, kind: 'expensepayment', checkNumber: '51' }, 'Bill payment 546 · check 51'],
  [{ ...ROW, kind: 'letter', number: '3' }, 'letter 3'],
])('an activity row has the expected name (%#): %s → %s', (row, name) => {
  expect(activityName(row)).toBe(name);
});

it.each([
  [ROW, '/billing?invoice=12'],
  [PAYMENT, '/billing?payment=12'],
  [{ ...ROW, kind: 'expense' }, '/expenses?invoice=12'],
  [{ ...ROW, kind: 'expensepayment' }, '/expenses?payment=12'],
  [{ ...ROW, kind: 'journal' }, '/accounting?entry=12'],
  [{ ...ROW, kind: 'letter' }, undefined],
])('an activity row links to its document (%#): %s → %s', (row, to) => {
  expect(activityAddress(row)?.to).toBe(to);
});

it.each([
  [ROW, 'Due 7/2/2026 · Bed edging'],
  [{ ...ROW, openAmount: cents(1234) }, '12.34 unpaid, due 7/2/2026 · Bed edging'],
  [{ ...ROW, openAmount: ZERO }, 'Bed edging'],
  [PAYMENT, 'Not applied yet'],
  [{ ...PAYMENT, openAmount: cents(-5000) }, 'Not applied yet'],
  [{ ...PAYMENT, appliedTo: ['7'], appliedCount: 1 }, 'Applied to invoice 7'],
  [
    { ...PAYMENT, openAmount: cents(-500), appliedTo: ['7', '8', '9'], appliedCount: 5 },
    'Applied to invoices 7, 8, 9 and 2 more; 5.00 remaining credit',
  ],
  [{ ...ROW, kind: 'journal' }, 'Bed edging'],
])('an activity row describes its next step first (%#): %s → %s', (row, words) => {
  expect(detailWords(activityDetail(row, 'invoice'))).toBe(words);
});
