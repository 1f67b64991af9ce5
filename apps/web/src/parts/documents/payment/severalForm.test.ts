import { cents } from '@evenkeel/core/money';
import { isoDate } from '@evenkeel/core/dates';
import { expect, it } from 'vitest';
import { BILLING } from '../../../screens/billing/records.ts';
import { EXPENSES } from '../../../screens/expenses/records.ts';
import { blankSeveral, payersOf, paying, placedSeveral, severalFaults, severalInput } from './severalForm.ts';
import { PLACES } from './usePaymentEntry.ts';

const TODAY = isoDate('2026-06-12');
const open = (invoiceId: number, [entityId, entityDisplayName]: [number, string], amount: number) => ({
  invoiceId,
  invoiceNumber: `B-${invoiceId}`,
  invoiceDate: isoDate(`2026-05-0${invoiceId}`),
  dueDate: null,
  invoiceAmount: cents(amount),
  openAmount: cents(amount),
  appliedAmount: cents(0),
  applyAmount: cents(0),
  profitCenterId: 7,
  locationId: null,
  lineItems: [],
  entityId,
  entityDisplayName,
});
const QUARRY: [number, string] = [9, 'Quarry Supply'];
const CLAY: [number, string] = [8, 'Clay & Sons'];
const OPEN = [open(4, QUARRY, 5000), open(2, QUARRY, 2000), open(3, CLAY, 10_000)];
const FORM = { ...blankSeveral(TODAY, OPEN), money: 'bank 1' };

it('the bills of two vendors are paid in full by two payments with the same date, account, and type', () => {
  expect(payersOf(OPEN).map(({ name, open: bills }) => [name, bills.map((one) => one.invoiceNumber)])).toEqual([
    ['Clay & Sons', ['B-3']],
    ['Quarry Supply', ['B-2', 'B-4']],
  ]);
  expect(severalFaults(FORM, payersOf(OPEN), EXPENSES)).toEqual({});
  expect(severalInput({ ...FORM, checks: { 9: '5108' } }, true)).toMatchObject([
    { entityId: 8, paymentAmount: 10_000, paymentCheckNo: '', bankAccountId: 1, paymentDate: '2026-06-12' },
    {
      entityId: 9,
      paymentAmount: 7000,
      paymentCheckNo: '5108',
      paymentApplications: [
        { invoiceId: 2, amount: 2000, profitCenterId: 7 },
        { invoiceId: 4, amount: 5000, profitCenterId: 7 },
      ],
    },
  ]);
});

it('a vendor without an applied amount gets no payment, and a form without amounts is rejected', () => {
  const one = { ...FORM, applied: { 2: cents(2000), 3: cents(0), 4: cents(0) } };
  expect(paying(one, payersOf(OPEN)).map(({ name }) => name)).toEqual(['Quarry Supply']);
  expect(severalInput(one, false)).toHaveLength(1);
  expect(severalFaults({ ...FORM, applied: {} }, payersOf(OPEN), EXPENSES)).toEqual({
    applied: 'Please apply an amount to at least one bill',
  });
});

it('an error in a shared field appears once, and other errors appear at their bill or vendor', () => {
  const less = [open(4, QUARRY, 1000), ...OPEN.slice(1)];
  expect(severalFaults({ ...FORM, money: null }, payersOf(less), EXPENSES)).toEqual({
    bankAccountId: 'Please Select a Cash Account',
    'applied.4': 'At most $10.00',
  });
  const credit = { ...open(5, CLAY, -20_000), invoiceNumber: 'C-5' };
  const withCredit = { ...blankSeveral(TODAY, [...OPEN, credit]), money: 'bank 1' };
  expect(severalFaults(withCredit, payersOf([...OPEN, credit]), EXPENSES)).toEqual({
    'payer.8': 'The payment amount must be greater than $0.00',
  });
  expect(severalFaults(FORM, payersOf(OPEN), BILLING)).toEqual({ paymentTypeId: 'Please Select a Payment Type' });
});

it('the server’s rejection of the second payment appears at its bill, check number, or vendor', () => {
  const fields = {
    'payments.1.paymentApplications.1.amount': 'At most $0.00',
    'payments.1.paymentCheckNo': 'Too long',
    'payments.1.paymentAmount': 'Too much',
    'payments.0.paymentDate': 'The books are closed',
    'payments.0.paymentAccountId': 'Please Select a Cash Account',
  };
  expect(placedSeveral(fields, FORM, PLACES)).toEqual({
    'applied.4': 'At most $0.00',
    'checks.9': 'Too long',
    'payer.9': 'Too much',
    paymentDate: 'The books are closed',
    money: 'Please Select a Cash Account',
  });
});

it("a discount reduces the money applied to a bill, and both together are capped at the bill's balance", () => {
  const discount = { amount: cents(100), until: TODAY, taken: cents(0) };
  const offered = OPEN.map((one) => (one.invoiceId === 3 ? { ...one, discount } : one));
  const taken = { ...blankSeveral(TODAY, offered), money: 'bank 1', discounts: { 3: cents(100) } };
  expect(severalFaults(taken, payersOf(offered), EXPENSES)).toEqual({ 'applied.3': 'At most $99.00' });
  const less = { ...taken, applied: { ...taken.applied, 3: cents(9900) } };
  expect(severalFaults(less, payersOf(offered), EXPENSES)).toEqual({});
  expect(severalInput(less, false)[0]).toMatchObject({
    paymentAmount: 9900,
    paymentApplications: [{ invoiceId: 3, amount: 9900, discountAmount: 100 }],
  });
});
