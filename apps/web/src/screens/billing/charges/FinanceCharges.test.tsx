// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../../client/session.ts';
import { BillingScreen } from '../BillingScreen.tsx';
import { forgetRun } from '../workItems/processing.ts';
import { type Answer, fakeNetwork, press, showWithData, signedIn, wireInvoice } from '../testing/answers.tsx';

const answer = (body: unknown): Answer[] => [{ status: 200, body }];
const line = (invoiceId: number) => ({
  invoiceId,
  invoiceNumber: `1040${invoiceId}`,
  dueDate: '2026-05-31',
  openAmount: 1000,
  from: '2026-06-01',
  to: '2026-06-12',
  days: 12,
  amount: 5.92,
});
const charge = (id: number, customerDisplayName: string, given: object = {}) => ({
  id,
  customerDisplayName,
  overdueAmount: 1000,
  creditAmount: 0,
  lines: [line(id)],
  toMinimum: 0,
  amount: 5.92,
  ...given,
});
const CHARGES = {
  date: '2026-06-12',
  isSet: true,
  charges: [
    charge(5, 'Fairlawn Heights HOA', { creditAmount: 40 }),
    charge(6, 'Oak Hollow', { lines: [line(6), line(7)] }),
  ],
};

const SETTINGS = {
  kind: 'rate',
  annualRate: 18,
  amount: 0,
  graceDays: 0,
  minimum: 0,
  accountId: 176,
  chargesCharges: false,
  leftOut: [{ id: 5, displayName: 'Fairlawn Heights HOA' }],
  rowVersion: 1,
};

beforeEach(() => {
  localStorage.clear();
  signedIn();
});
afterEach(() => {
  forgetRun();
  vi.unstubAllGlobals();
  signOut();
});

it('the selected customers are charged through the displayed date, and each result is shown', async () => {
  const refused = {
    code: 'conflict',
    message: 'The finance charge is now $4.00. Review it and try again.',
    requestId: '1',
  };
  const network = fakeNetwork({
    'GET /financecharge': answer(CHARGES),
    'POST /financecharge': [
      { status: 200, body: wireInvoice({ id: 91, invoiceNumber: '10491', invoiceAmount: 5.92 }) },
      { status: 409, body: refused },
    ],
  });
  showWithData(<BillingScreen />, '/billing?charges=1');
  expect(await screen.findByText('Charge 2 Customers')).toBeTruthy();
  expect(screen.getByText('Invoice 10406, 6/1/2026 – 6/12/2026, 12 days of $1,000.00: $5.92')).toBeTruthy();
  expect(screen.getByText('$40.00 in unapplied credits')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Charge Oak Hollow'));
  expect(screen.getByText('Charge 1 Customer')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Charge all customers'));
  await press('Charge 2 Customers');
  expect(await screen.findByText('1 billed · 1 refused')).toBeTruthy();
  expect(screen.getByText(refused.message)).toBeTruthy();
  expect(network.writes.map(({ body }) => body)).toEqual([
    { id: 5, date: '2026-06-12', amount: 5.92 },
    { id: 6, date: '2026-06-12', amount: 5.92 },
  ]);
  expect(new Set(network.writes.map(({ key }) => key)).size).toBe(2);
});

it('a customer can be excluded permanently, and a company without a rule gets a link to Settings', async () => {
  const network = fakeNetwork({
    'GET /financecharge': answer(CHARGES),
    'PUT /financechargesettings/5': answer(SETTINGS),
  });
  showWithData(<BillingScreen />, '/billing?charges=1');
  await screen.findByText('Charge 2 Customers');
  network.answers['GET /financecharge'] = answer({ ...CHARGES, isSet: false, charges: [] });
  fireEvent.click(screen.getByLabelText('Exclude Fairlawn Heights HOA'));
  await waitFor(() => expect(network.writes.map(({ body }) => body)).toEqual([{ leftOut: true }]));
  expect(await screen.findByText('Finance charges are off')).toBeTruthy();
  expect(screen.getByText('Set Up Finance Charges').closest('a')?.getAttribute('href')).toBe(
    '/settings?tab=reminders#charges',
  );
});
