import type { OpenDocument } from '@evenkeel/contract/subledger';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { expect, it } from 'vitest';
import {
  blankPayment,
  filled,
  followed,
  listedOpen,
  paymentFaults,
  PaymentForm,
  paymentInput,
  paymentSums,
  takingDiscounts,
  unpaidOf,
  withApplied,
  withDiscount,
} from './paymentForm.ts';
import type { AnyPayment } from '../side.ts';

const TODAY = isoDate('2026-06-12');

function open(id: number, openAmount: number, appliedAmount = 0): OpenDocument {
  return {
    invoiceId: id,
    invoiceNumber: `1040${id}`,
    invoiceDate: isoDate(`2026-05-0${id}`),
    dueDate: null,
    invoiceAmount: cents(openAmount + appliedAmount),
    openAmount: cents(openAmount),
    appliedAmount: cents(appliedAmount),
    applyAmount: cents(appliedAmount),
    profitCenterId: id === 2 ? 7 : null,
    locationId: null,
    lineItems: [],
  };
}

const OPEN = [open(1, 6000), open(2, 10000), open(3, 4000)];
const RULES = { core: RECEIVABLE, words: { noMoneyAccount: 'Please Select a Bank Account' } };
const form = (change: Partial<PaymentForm> = {}): PaymentForm => ({
  ...blankPayment({ today: TODAY, entityId: 5 }),
  paymentTypeId: 1,
  money: 'bank 1',
  ...change,
});

it('an empty payment form shows a message at each field that requires a value', () => {
  const empty = { ...blankPayment({ today: TODAY }), paymentDate: null };
  expect(paymentFaults(empty, [], RULES)).toEqual({
    entityId: 'Please Select a Customer',
    paymentDate: 'Please enter a date',
    paymentTypeId: 'Please Select a Payment Type',
    paymentAmount: 'Please enter an amount',
    bankAccountId: 'Please Select a Bank Account',
  });
});

it('rejects a payment of 0.00', () => {
  expect(paymentFaults(form({ amount: cents(0) }), OPEN, RULES)).toEqual({
    paymentAmount: 'The payment amount must be greater than $0.00',
  });
});

it('100.00 pays the first invoice (60.00) in full and 40.00 of the second invoice', () => {
  const typed = filled(form({ amount: cents(10000) }), OPEN);
  expect(typed.applied).toEqual({ 1: 6000, 2: 4000 });
  expect(paymentSums(typed, OPEN)).toEqual({ applied: 10000, discounts: 0, count: 2, credit: 0 });
});

it('an amount that is typed before the invoices load is applied unless the user changes amounts', () => {
  const typed = form({ amount: cents(10000) });
  expect(followed(typed, undefined).applied).toBeNull();
  expect(followed(typed, OPEN).applied).toEqual({ 1: 6000, 2: 4000 });
  const cleared = { ...typed, applied: {} };
  expect(followed(cleared, OPEN)).toEqual(cleared);
});

it('a payment is applied to the oldest invoice first, regardless of the list order', () => {
  const list = listedOpen(OPEN.toReversed(), []);
  expect(filled(form({ amount: cents(7000) }), list).applied).toEqual({ 1: 6000, 2: 1000 });
});

it('the selected invoice is listed and paid first, and then the others in list order', () => {
  const list = listedOpen(OPEN.toReversed(), [3]);
  expect(list.map((each) => each.invoiceId)).toEqual([3, 1, 2]);
  expect(listedOpen(OPEN.toReversed(), []).map((each) => each.invoiceId)).toEqual([1, 2, 3]);
  expect(filled(form({ amount: cents(5000) }), list).applied).toEqual({ 3: 4000, 1: 1000 });
  expect(followed(form({ amount: cents(3000) }), list).applied).toEqual({ 3: 3000 });
});

it('a payment of 300.00 pays 200.00 in full and leaves a credit of 100.00', () => {
  expect(paymentSums(filled(form({ amount: cents(30000) }), OPEN), OPEN)).toEqual({
    applied: 20000,
    discounts: 0,
    count: 3,
    credit: 10000,
  });
});

it('for an invoice for 60.00, an amount of 999.00 becomes 60.00, and an amount of -5.00 becomes 0.00', () => {
  const one = open(1, 6000);
  expect(withApplied(form(), one, cents(99900)).applied).toEqual({ 1: 6000 });
  expect(withApplied(form(), one, cents(-500)).applied).toEqual({ 1: 0 });
  expect(withApplied(form(), one, null).applied).toEqual({ 1: 0 });
});

it('an edited payment can reuse its applied amount: 20.00 open and 40.00 applied allow 60.00', () => {
  const edited = open(1, 2000, 4000);
  expect(unpaidOf(edited)).toBe(6000);
  expect(withApplied(form(), edited, cents(7000)).applied).toEqual({ 1: 6000 });
});

it('rejects applying 100.00 from a payment of 60.00, and the message contains both amounts', () => {
  const faults = paymentFaults(form({ amount: cents(6000), applied: { 2: cents(10000) } }), OPEN, RULES);
  expect(faults['paymentAmount']).toBe('Must be at least $100.00, the amount already applied');
  expect(faults['paymentApplications']).toContain('($100.00) are more than the payment amount ($60.00)');
});

it('an application in an old draft is ignored if its invoice is no longer open', () => {
  const old = form({ amount: cents(6000), applied: { 1: cents(6000), 9: cents(500) } });
  expect(paymentSums(old, OPEN)).toEqual({ applied: 6000, discounts: 0, count: 1, credit: 0 });
  const sent = paymentInput(old, OPEN, { saved: undefined, reason: '', hasCheck: false });
  expect(sent).toMatchObject({ paymentAmount: 6000, paymentApplications: [{ invoiceId: 1, amount: 6000 }] });
});

it("an existing application keeps its profit center, and a new application uses the invoice's", () => {
  const typed = form({ amount: cents(500), applied: { 1: cents(200), 2: cents(300) } });
  const options = { saved: undefined, reason: '', hasCheck: false };
  const centers = (sent: ReturnType<typeof paymentInput>) => sent.paymentApplications.map((one) => one.profitCenterId);
  expect(centers(paymentInput(typed, OPEN, options))).toEqual([null, 7]);
  const share = { invoiceId: 2, profitCenterId: 9, locationId: null, amount: cents(300), invoiceDescription: '' };
  const saved = { id: 4, paymentApplications: [share] } as unknown as AnyPayment;
  expect(centers(paymentInput(typed, OPEN, { ...options, saved }))).toEqual([null, 9]);
});

it('a payment sends either a bank account or a payment account, and a check number only for checks', () => {
  const typed = form({ amount: cents(100), checkNumber: '5108', money: 'account 105' });
  const sent = paymentInput(typed, OPEN, { saved: undefined, reason: '', hasCheck: false });
  expect([sent.bankAccountId, sent.paymentAccountId, sent.paymentCheckNo]).toEqual([null, 105, '']);
  const check = paymentInput({ ...typed, money: 'bank 1' }, OPEN, { saved: undefined, reason: '', hasCheck: true });
  expect([check.bankAccountId, check.paymentAccountId, check.paymentCheckNo]).toEqual([1, null, '5108']);
});

it('Pay Invoice starts with the open balance and applies it to that invoice instead of an older one', () => {
  const start = blankPayment({ today: TODAY, entityId: 5, chosen: [{ id: 3, openAmount: cents(4000) }] });
  expect([start.amount, start.applied]).toEqual([4000, { 3: 4000 }]);
});

it('a draft is restored unchanged, and an invalid draft is rejected', () => {
  const typed = filled(form({ amount: cents(10000) }), OPEN);
  expect(PaymentForm.safeParse(JSON.parse(JSON.stringify(typed)))).toMatchObject({ data: typed });
  expect(PaymentForm.safeParse({ ...typed, amount: 1.5 }).success).toBe(false);
});

it('a credit of 25.00 pays part of a bill for 60.00 through a payment of 0.00, which needs no account', () => {
  const list = [open(1, 6000), open(2, -2500)];
  const paid = withApplied(
    withApplied(form({ amount: cents(0) }), open(2, -2500), cents(9900)),
    open(1, 6000),
    cents(2500),
  );
  expect(paid.applied).toEqual({ 1: 2500, 2: -2500 });
  const moneyless = { ...paid, money: null, paymentTypeId: null };
  for (const side of [RULES, { ...RULES, core: PAYABLE }]) {
    expect(paymentFaults(moneyless, list, side)).toEqual({});
    const body = paymentInput(moneyless, list, { saved: undefined, reason: '', hasCheck: false });
    expect([body.bankAccountId, body.paymentAccountId]).toEqual([null, null]);
    expect(paymentFaults({ ...moneyless, amount: cents(1) }, list, side)).toHaveProperty('bankAccountId');
  }
  expect(filled(form({ amount: cents(7000) }), list).applied).toEqual({ 1: 6000 });
});

const UNTIL = { amount: cents(200), until: TODAY, taken: cents(0) };
const OFFERED = [open(1, 6000), { ...open(2, 10000), discount: UNTIL }, { ...open(3, 10000), discount: UNTIL }];

it('discounts are taken only on invoices paid in full, and the savings go to the next invoice', () => {
  const taken = (amount: number, change: Partial<PaymentForm> = {}) => {
    const {
      applied,
      discounts,
      amount: left,
    } = takingDiscounts({ ...filled(form({ amount: cents(amount) }), OFFERED), ...change }, OFFERED);
    return { applied, discounts, left };
  };
  expect(taken(26_000)).toEqual({
    applied: { 1: 6000, 2: 9800, 3: 9800 },
    discounts: { 2: 200, 3: 200 },
    left: 25_600,
  });
  expect(taken(25_600)).toMatchObject({ applied: { 2: 9800, 3: 9800 }, left: 25_600 });
  expect(taken(20_000)).toEqual({ applied: { 1: 6000, 2: 9800, 3: 4200 }, discounts: { 2: 200 }, left: 20_000 });
  expect(taken(15_799)).toMatchObject({ applied: { 2: 9799 }, discounts: {} });
  const nothing = takingDiscounts(form({ applied: {} }), OFFERED);
  expect(nothing).toMatchObject({ applied: { 2: 9800, 3: 9800 }, discounts: { 2: 200, 3: 200 }, amount: 19_600 });
  expect(taken(26_000, { paymentDate: isoDate('2026-06-13') })).toMatchObject({ discounts: {}, left: 26_000 });
});

it('a discount entered by hand is capped, reduces the applied amount, and is sent as 0 if removed', () => {
  const [, offered] = OFFERED;
  if (offered === undefined) throw new Error('no discount is offered');
  const paid = form({ amount: cents(10_000), applied: { 2: cents(10_000) } });
  expect(withDiscount(paid, offered, cents(500))).toMatchObject({ applied: { 2: 9500 }, discounts: { 2: 500 } });
  expect(withDiscount(paid, offered, cents(99_900))).toMatchObject({ applied: { 2: 0 }, discounts: { 2: 10_000 } });
  expect(withDiscount(paid, offered, null).discounts).toEqual({ 2: 0 });
  const less = withDiscount(paid, offered, cents(200));
  expect(withApplied(less, offered, cents(10_000)).applied).toEqual({ 2: 9800 });
  expect(paymentSums(less, OFFERED)).toEqual({ applied: 9800, discounts: 200, count: 1, credit: 200 });
  expect(paymentFaults(less, OFFERED, RULES)).toEqual({});
  const sent = (one: PaymentForm, list = OFFERED) =>
    paymentInput(one, list, { saved: undefined, reason: '', hasCheck: false }).paymentApplications;
  expect(sent(less)).toMatchObject([{ invoiceId: 2, amount: 9800, discountAmount: 200 }]);
  expect(sent(paid)?.[0]).not.toHaveProperty('discountAmount');
  const kept = [{ ...open(2, 0, 10_000), discount: { ...UNTIL, taken: cents(200) } }];
  expect(sent(form({ amount: cents(9800), applied: { 2: cents(9800) } }), kept)).toMatchObject([{ discountAmount: 0 }]);
});

it('2% of 2,450.00 less a credit of 500.00 in the same payment is 39.00, even if the credit is added last', () => {
  const until = isoDate('2026-06-20');
  const terms = (total: number) => ({ percent: 2, total: cents(total), takenBefore: cents(0), until, taken: cents(0) });
  const tents = { ...open(1, 245_000), discount: { amount: cents(4900), ...terms(245_000) } };
  const poles = { ...open(2, 50_000), discount: { amount: cents(1000), ...terms(50_000) } };
  const credit = open(3, -50_000);
  const paid = form({ amount: cents(195_000), applied: { 1: cents(245_000), 3: cents(-50_000) } });
  const taken = takingDiscounts(paid, [tents, credit]);
  const expected = { discounts: { 1: 3900 }, applied: { 1: 241_100, 3: -50_000 }, amount: 191_100 };
  expect(taken).toMatchObject(expected);
  const whole = takingDiscounts(form({ amount: cents(245_000), applied: { 1: cents(245_000) } }), [tents, credit]);
  expect(whole).toMatchObject({ discounts: { 1: 4900 }, amount: 240_100 });
  const ticked = withApplied({ ...whole, amount: cents(190_100) }, credit, cents(50_000));
  expect(takingDiscounts(ticked, [tents, credit])).toMatchObject(expected);
  // Two invoices share a credit in proportion to their amounts. A credit memo for another invoice reduces neither of
  // them.
  const both = { 1: cents(245_000), 2: cents(50_000), 3: cents(-29_500) };
  const shared = (memo: OpenDocument) =>
    takingDiscounts(form({ amount: cents(265_500), applied: both }), [tents, poles, memo]).discounts;
  expect(shared(credit)).toEqual({ 1: 4410, 2: 900 });
  expect(shared({ ...credit, creditedInvoiceId: 9 })).toEqual({ 1: 4900, 2: 1000 });
});
