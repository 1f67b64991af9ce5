// @vitest-environment jsdom
import '../../testing/setup.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  fakeNetwork,
  type FakeNetwork,
  field,
  fill,
  press,
  showWithData,
  signedIn,
} from '../billing/testing/answers.tsx';
import { signOut, updateSession } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { ExpensesScreen } from './ExpensesScreen.tsx';
import { wireBill } from './testing/bill.ts';

const QUARRY = { vendorId: 9, vendorDisplayName: 'Quarry Supply' };
const CLAY = { vendorId: 8, vendorDisplayName: 'Clay & Sons' };
const BILLS = [
  wireBill({ id: 36, invoiceNumber: 'Q-1', openAmount: 50, ...QUARRY }),
  wireBill({ id: 37, invoiceNumber: 'K-2', openAmount: 70, ...CLAY }),
  wireBill({ id: 38, invoiceNumber: 'K-3', openAmount: 30, ...CLAY }),
  wireBill({ id: 39, invoiceNumber: 'C-4', openAmount: -20, badge: 'Credit', ...CLAY }),
];
const answer = (body: unknown) => [{ status: 200, body }];
const open = (id: number, change: Record<string, unknown> = {}) => {
  const bill = BILLS.find((one) => one.id === id) ?? BILLS[0];
  return {
    invoiceId: id,
    invoiceNumber: bill?.invoiceNumber,
    invoiceDate: '2026-05-12',
    dueDate: null,
    invoiceAmount: bill?.openAmount,
    openAmount: bill?.openAmount,
    appliedAmount: 0,
    applyAmount: 0,
    profitCenterId: null,
    locationId: null,
    lineItems: [{ description: 'Gravel', lineItemAmount: 5, profitCenterId: null, locationId: null }],
    entityId: bill?.vendorId,
    entityDisplayName: bill?.vendorDisplayName,
    ...change,
  };
};
const ALL = 'GET /expensepayments/open?ids=36%2C37%2C38';
const POSTED = answer({ payments: [] });
const documents = (...some: unknown[]) => ({ status: 200, body: { documents: some } });

let network: FakeNetwork;
beforeEach(() => {
  signedIn();
  updateSession({ permissions: ['Manage Expenses'] });
  network = fakeNetwork({
    'GET /expenseinvoice': answer(BILLS),
    [ALL]: [documents(open(36), open(37), open(38))],
    'POST /expensepayments': POSTED,
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  alerts.forget();
  signOut();
});

const box = (number: string) => screen.getByLabelText(`Select ${number}`);
const apply = (number: string) => field(`Apply amount for bill ${number}`);
const dialog = () => screen.getByRole('dialog', { name: 'Add Expense Payments' });
const told = () => alerts.state().past.map(({ text }) => text);

async function payThree() {
  showWithData(<ExpensesScreen />);
  await screen.findByText('Q-1');
  for (const number of ['Q-1', 'K-2', 'K-3']) await userEvent.click(box(number));
  await press('Pay 3 Bills');
  await screen.findByLabelText('Apply amount for bill Q-1');
}
const postPayments = () => press(/^Post 2 Payments/);

it('three bills from two vendors are paid with two payments in one request and then deselected', async () => {
  await payThree();
  const rows = within(dialog())
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows.slice(1)).toEqual([
    'Clay & Sons100.00',
    expect.stringContaining('K-2'),
    expect.stringContaining('K-3'),
    'Quarry Supply50.00',
    expect.stringContaining('Q-1'),
  ]);
  fill(apply('K-3'), '10');
  fill(field('Check Number for Quarry Supply'), '5108');
  network.answers['GET /expenseinvoice'] = answer(BILLS.slice(2));
  await postPayments();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(network.writes.map(({ body }) => body)).toMatchObject([
    {
      payments: [
        {
          vendorId: 8,
          paymentAmount: 80,
          bankAccountId: 1,
          paymentApplications: [
            { invoiceId: 37, amount: 70 },
            { invoiceId: 38, amount: 10 },
          ],
        },
        {
          vendorId: 9,
          paymentAmount: 50,
          paymentCheckNo: '5108',
          paymentApplications: [{ invoiceId: 36, amount: 50 }],
        },
      ],
    },
  ]);
  expect(told()).toEqual(['2 payments posted, $130.00']);
  await waitFor(() => expect(screen.queryByText('Q-1')).toBeNull());
  expect(box('K-3')).toHaveProperty('checked', false);
  expect(screen.queryByText(/selected/)).toBeNull();
  expect(Object.keys(localStorage).filter((key) => key.includes(':draft:'))).toEqual([]);
});

it('a selected credit is skipped, and two bills from one vendor use the single payment dialog', async () => {
  network.answers['GET /vendoropeninvoices/8'] = answer([open(37), open(38), open(39)]);
  network.answers['GET /vendorexpensehistory/8'] = answer([]);
  network.answers['GET /vendor/choices'] = answer({ items: [], hasMore: false });
  network.answers['GET /vendor/choices?id=8'] = answer({ items: [], hasMore: false });
  showWithData(<ExpensesScreen />);
  await screen.findByText('Q-1');
  fireEvent.click(box('C-4'));
  expect(screen.getByText('Pay 0 Bills').closest('button')?.disabled).toBe(true);
  fireEvent.click(box('K-2'));
  fireEvent.click(box('K-3'));
  await press('Pay 2 Bills');
  await screen.findByLabelText('Apply amount for bill K-2');
  expect(screen.getByRole('dialog', { name: 'Add Expense Payment' })).toBeTruthy();
  expect(field('Amount').getAttribute('value')).toBe('100.00');
  expect(['K-2', 'K-3', 'C-4'].map((number) => apply(number).getAttribute('value'))).toEqual(['70.00', '30.00', '']);
});

it('if another user has paid bill K-2, the dialog says so, reloads, and can post the others', async () => {
  network.answers[ALL] = [documents(open(36), open(37), open(38)), documents(open(36), open(38, { openAmount: 20 }))];
  const refusal = 'An applied amount cannot exceed the invoice’s unpaid amount: $70.00 applied to invoice K-2';
  const fields = { 'payments.0.paymentApplications.0.amount': 'At most $0.00' };
  const body = { code: 'refused', message: refusal, requestId: 'r', fields };
  network.answers['POST /expensepayments'] = [{ status: 422, body }, ...POSTED];
  await payThree();
  await postPayments();
  expect(await screen.findByText('Bill K-2 (Clay & Sons) is no longer open.')).toBeTruthy();
  expect(within(dialog()).getByText(refusal)).toBeTruthy();
  expect(within(dialog()).getByText('Bill K-2 (Clay & Sons): At most $0.00')).toBeTruthy();
  // K-3 is partly paid.
  expect(within(dialog()).getByText('At most $20.00')).toBeTruthy();
  fill(apply('K-3'), '20');
  await postPayments();
  await waitFor(() => expect(told()).toContain('2 payments posted, $70.00'));
  expect(network.writes[1]?.key).not.toBe(network.writes[0]?.key);
});

it.each(['in the open dialog', 'after a reload'])(
  'after a lost response, trying again %s sends the same request and key, even if none of the bills is still open',
  async (where) => {
    network.answers['POST /expensepayments'] = ['silence', ...POSTED];
    await payThree();
    fill(apply('K-3'), '10');
    network.answers[ALL] = [documents()];
    await postPayments();
    await screen.findByText(/The connection was lost/);
    if (where === 'after a reload') {
      cleanup();
      showWithData(<ExpensesScreen />, `${location.pathname}${location.search}`);
      await screen.findByLabelText('Apply amount for bill Q-1');
    }
    expect(screen.queryByText(/no longer open/)).toBeNull();
    expect(apply('K-3').getAttribute('value')).toBe('10.00');
    await postPayments();
    await waitFor(() => expect(told()).toContain('2 payments posted, $130.00'));
    const [first, second] = network.writes;
    expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toEqual(first);
  },
);

it("a user without payment permission can't select bills", async () => {
  updateSession({ permissions: ['View Expenses'] });
  showWithData(<ExpensesScreen />);
  await screen.findByText('Q-1');
  expect(screen.queryByLabelText('Select Q-1')).toBeNull();
});
