import { expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { PERCENTAGE } from './discounts.ts';
import {
  ACCEPTED,
  answerFault,
  DECLINED,
  editFault,
  type EditedEstimate,
  ESTIMATE_DRAFT,
  ESTIMATE_SENT,
  estimateBadge,
  estimateStatuses,
  ESTIMATE_VOID,
  hasLeft,
  INVOICED,
  invoiceFault,
  savedStatus,
} from './estimate.ts';
import { posts, unpostedBadge } from './invoice.ts';
import { cents, decimal } from '../money.ts';

const today = isoDate('2026-03-10');
const expirationDate = isoDate('2026-03-09');
const line = (quantity: number, invoiced = 0, given: { id?: number; discountType?: number; terms?: string } = {}) => {
  return { id: 1, terms: 'Mowing at 40', ...given, quantity: decimal(quantity), invoiced: decimal(invoiced) };
};
const estimate = (status: number, lines: EditedEstimate['lines'], given: Partial<EditedEstimate> = {}) => {
  return { status, expirationDate: null, customerId: 7, total: cents(4000), lines, ...given };
};

test('estimates are never posted, and no estimate status is mistaken for an invoice status', () => {
  for (const { id } of estimateStatuses) expect([id, posts(id), unpostedBadge(id)]).toEqual([id, false, '']);
});

test('only a sent estimate expires, and only after its expiration date', () => {
  expect(estimateBadge({ status: ESTIMATE_SENT, expirationDate }, today)).toBe('Expired');
  expect(estimateBadge({ status: ESTIMATE_SENT, expirationDate: today }, today)).toBe('Sent');
  expect(estimateBadge({ status: ESTIMATE_SENT, expirationDate: null }, today)).toBe('Sent');
  for (const { id, displayName } of estimateStatuses.filter((each) => each.id !== ESTIMATE_SENT)) {
    expect(estimateBadge({ status: id, expirationDate }, today)).toBe(displayName);
  }
});

test('an estimated quantity can be invoiced only once, and the remaining quantity determines the status', () => {
  expect(invoiceFault(line(2), decimal(3))).toBe('Only 2 were estimated');
  expect(invoiceFault(line(2, 0.5), decimal(2))).toBe('Only 1.5 of 2 are available to invoice');
  expect(invoiceFault(line(2, 0.5), decimal(1.5))).toBeUndefined();
  expect(hasLeft([line(2, 2), line(1, 0, { discountType: PERCENTAGE })])).toBe(false);
  expect(savedStatus(ESTIMATE_DRAFT, [line(2, 2)])).toBe(INVOICED);
  expect(savedStatus(INVOICED, [line(3, 2)])).toBe(ACCEPTED);
  expect(savedStatus(INVOICED, [line(3)])).toBe(ACCEPTED);
  expect(savedStatus(DECLINED, [line(3)])).toBe(DECLINED);
});

test("an accepted estimate can't change until its status is changed back", () => {
  const before = estimate(ACCEPTED, [line(1)]);
  expect(editFault(before, estimate(ACCEPTED, [line(1)], { expirationDate: today }))).toBeUndefined();
  expect(editFault(before, estimate(ESTIMATE_SENT, [line(2)]))).toBeUndefined();
  for (const after of [
    estimate(ACCEPTED, [line(2)]),
    estimate(INVOICED, [line(1, 0, { terms: 'Mowing at 50' })]),
    estimate(ACCEPTED, [line(1)], { customerId: 8 }),
    estimate(ACCEPTED, [line(1)], { total: cents(4200) }),
    estimate(ACCEPTED, []),
  ]) {
    expect(editFault(before, after)?.message).toBe(
      'This estimate has been accepted. To change it, set its status to Draft or Sent first.',
    );
  }
  expect(editFault(estimate(ESTIMATE_SENT, [line(1)]), estimate(ACCEPTED, [line(2)]))).toBeUndefined();
});

test('a partly invoiced estimate stays accepted, and its quantities can only be reduced', () => {
  const before = estimate(ACCEPTED, [line(3, 1), line(1, 0, { id: 2 })]);
  const faultOf = (after: EditedEstimate) => editFault(before, after)?.message ?? '';
  expect(faultOf(estimate(ACCEPTED, [line(1, 1)]))).toBe('');
  expect(faultOf(estimate(INVOICED, [line(2, 1), line(1, 0, { id: 2 })]))).toBe('');
  expect(faultOf(estimate(ACCEPTED, [line(0.5, 1)]))).toBe('A quantity of 1 on this line has already been invoiced');
  expect(faultOf(estimate(ACCEPTED, [line(4, 1)]))).toMatch(/^At most 3/);
  expect(faultOf(estimate(ACCEPTED, [line(3, 1, { terms: 'Mowing at 50' })]))).toMatch(
    /you can only reduce the amounts on its lines$/,
  );
  expect(faultOf(estimate(ACCEPTED, [line(3, 1), line(1, 0, { id: 3 })]))).toMatch(/you can't add lines or amounts/);
  expect(faultOf(estimate(ACCEPTED, [line(1, 0, { id: 2 })]))).toBe("You can't remove a line that has been invoiced");
  expect(faultOf({ ...before, customerId: 8 })).toMatch(/customer/);
  for (const status of [ESTIMATE_DRAFT, ESTIMATE_SENT, DECLINED, ESTIMATE_VOID]) {
    expect(faultOf({ ...before, status })).toMatch(/must stay accepted/);
  }
});

test('a customer can respond only once, and only to a sent estimate that has not changed', () => {
  const sent = { status: ESTIMATE_SENT, expirationDate: null, rowVersion: 3 };
  expect(answerFault(sent, 3, today)).toBeUndefined();
  expect(answerFault(sent, 2, today)).toMatch(/^This estimate was changed/);
  expect(answerFault({ ...sent, expirationDate }, 3, today)).toMatch(/^This estimate has expired/);
  const faults = estimateStatuses.map(({ id }) => answerFault({ ...sent, status: id }, 3, today));
  expect(faults.filter((fault) => fault === undefined)).toHaveLength(1);
});
