import type { WorkItemInvoice } from '@evenkeel/contract/workitems';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { BLANK, dateFault, jobsOf, shownAs, withAll, withForAll, withTyped } from './processForm.ts';

const candidate = (id: number, change: Partial<WorkItemInvoice> = {}): WorkItemInvoice => ({
  id,
  included: true,
  customerEmail: 'office@oak.example',
  onHold: false,
  customerDisplayName: `Customer ${id}`,
  workItemCount: 2,
  invoiceAmount: cents(10_000),
  arBillingStatus: 2,
  invoiceDate: isoDate('2026-06-30'),
  dueDate: isoDate('2026-08-14'),
  workItemIds: [id * 10],
  ...change,
});

it('the due date is based on the 45-day terms until it is edited', () => {
  const form = withForAll(BLANK, { invoiceDate: isoDate('2026-07-01') });
  expect(shownAs(candidate(1), form)).toMatchObject({ invoiceDate: '2026-07-01', dueDate: '2026-08-15' });
  const typed = withTyped(form, 1, { dueDate: isoDate('2026-07-10') });
  expect(shownAs(candidate(1), typed)).toMatchObject({ invoiceDate: '2026-07-01', dueDate: '2026-07-10' });
  expect(shownAs(candidate(2), typed)).toMatchObject({ dueDate: '2026-08-15' });
});

it('if the due date is cleared, it is calculated again from the terms and the current invoice date', () => {
  const typed = withTyped(BLANK, 1, { dueDate: isoDate('2026-07-10') });
  const cleared = withTyped(withTyped(typed, 1, { dueDate: null }), 1, { invoiceDate: isoDate('2026-07-01') });
  expect(shownAs(candidate(1), cleared)).toMatchObject({ invoiceDate: '2026-07-01', dueDate: '2026-08-15' });
  expect(jobsOf([shownAs(candidate(1), cleared)])[0]?.asked.input.body).toMatchObject({ dueDate: '2026-08-15' });
});

it('a date that is set for all customers replaces the dates of individual customers', () => {
  const own = withTyped(BLANK, 1, { invoiceDate: isoDate('2026-06-01'), status: 1 });
  expect(shownAs(candidate(1), own).invoiceDate).toBe('2026-06-01');
  const all = shownAs(candidate(1), withForAll(own, { invoiceDate: isoDate('2026-07-01') }));
  expect(all).toMatchObject({ invoiceDate: '2026-07-01', arBillingStatus: 1 });
});

it('a missing date is reported for an included customer, but not for an excluded customer', () => {
  const none = withTyped(BLANK, 1, { invoiceDate: null });
  expect(dateFault(shownAs(candidate(1), none))).toBe('Please enter a date');
  expect(dateFault(shownAs(candidate(1), withTyped(none, 1, { included: false })))).toBeUndefined();
});

it('customers on hold are excluded by default, all can be toggled, and the displayed values are billed', () => {
  const all = [candidate(1), candidate(2, { included: false, onHold: true })];
  const shown = (form = BLANK) => all.map((one) => shownAs(one, form));
  expect(jobsOf(shown()).map(({ id }) => id)).toEqual([1]);
  expect(jobsOf(shown(withAll(BLANK, shown(), false)))).toEqual([]);
  const [, second] = jobsOf(shown(withAll(BLANK, shown(), true)));
  expect(second).toMatchObject({ id: 2, name: 'Customer 2', count: 2, amount: 10_000 });
  expect(second?.asked.input.body).toEqual({
    id: 2,
    included: true,
    arBillingStatus: 2,
    invoiceDate: '2026-06-30',
    dueDate: '2026-08-14',
    workItemIds: [20],
  });
});

it('a status and due date set for all customers replace individual ones but keep the other edits', () => {
  const own = withTyped(BLANK, 1, { status: 3, dueDate: isoDate('2026-06-30'), included: true });
  const form = withForAll(withForAll(own, { status: 2 }), { dueDate: isoDate('2026-08-15') });
  expect(form.rows).toEqual({ 1: { included: true } });
  for (const id of [1, 2]) {
    expect(shownAs(candidate(id), form)).toMatchObject({ arBillingStatus: 2, dueDate: '2026-08-15' });
  }
  const again = withTyped(form, 2, { status: 1 });
  expect([1, 2].map((id) => shownAs(candidate(id), again).arBillingStatus)).toEqual([2, 1]);
});
