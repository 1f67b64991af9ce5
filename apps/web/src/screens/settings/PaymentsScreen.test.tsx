// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { fakeNetwork, press, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { PaymentsScreen } from './PaymentsScreen.tsx';

beforeEach(() => {
  localStorage.clear();
  signedIn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const connection = {
  id: 3,
  isConnected: true,
  keyHint: 'rk_test_…f4Qz',
  isLive: false,
  connectedAt: '2026-11-02T10:00:00.000Z',
  paysNow: true,
  leastPart: null,
  mostByCard: null,
  clearingBankAccountId: 9,
  payoutBankAccountId: 1,
  feeAccountId: 152,
  reviewAccountId: 301,
};
const settings = (change: object = {}) => ({
  connection,
  lastEventAt: null,
  waiting: 0,
  waitingError: null,
  webhookUrl: 'https://books.example/hooks/stripe/3',
  events: ['charge.succeeded'],
  rowVersion: 4,
  ...change,
});
const review = {
  id: 8,
  reason: 'voided',
  amount: 980,
  customerId: 5,
  customerDisplayName: 'Fairlawn Heights HOA',
  invoiceId: 36,
  invoiceNumber: '10436',
  paymentId: 77,
  createdAt: '2026-11-20T10:00:00.000Z',
};
const clearing = (change: object = {}) => ({
  account: { bankAccountId: 9, accountId: 300, name: 'Stripe Clearing' },
  sums: [{ name: 'charges', amount: 693 }],
  expected: 693,
  balance: 693,
  reviews: [],
  troubles: [],
  ...change,
});
const ok = (body: unknown) => [{ status: 200, body }];

/** Shows the page, opens its dialog for connecting to Stripe, and enters a key. */
async function enterKey(key: string) {
  showWithData(<PaymentsScreen />, '/onlinepayments');
  fireEvent.click(await screen.findByRole('button', { name: 'Connect' }));
  const dialog = within(await screen.findByRole('dialog'));
  for (const [label, value] of [
    ['Restricted Key', key],
    ['Webhook Signing Secret', 'whsec_12345678'],
    ['Your Password', 'secret'],
  ] as const) {
    fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  }
  return dialog;
}

describe('Online Payments', () => {
  it('a rejected key is reported at its field, and the entered values are kept', async () => {
    const message = 'Stripe does not accept this key';
    const error = { status: 422, body: { code: 'rule', message, fields: { key: message }, requestId: '1' } };
    const network = fakeNetwork({
      'GET /onlinepayments': ok(settings({ connection: null })),
      'GET /onlineclearing': ok(clearing({ account: null })),
      'PUT /onlinepayments/connection': [error],
    });
    const dialog = await enterKey('rk_test_wrong');
    fireEvent.click(dialog.getByRole('button', { name: 'Connect Stripe' }));
    expect(await dialog.findAllByText(message)).not.toHaveLength(0);
    expect((dialog.getByLabelText('Restricted Key') as HTMLInputElement).value).toBe('rk_test_wrong');
    expect(network.writes).toMatchObject([{ body: { key: 'rk_test_wrong', webhookSecret: 'whsec_12345678' } }]);
  });

  it('after connecting, the dialog closes, and the page shows the connection with its settings', async () => {
    const network = fakeNetwork({
      'GET /onlinepayments': [...ok(settings({ connection: null })), ...ok(settings())],
      'GET /onlineclearing': [...ok(clearing({ account: null })), ...ok(clearing())],
      'PUT /onlinepayments/connection': ok(settings()),
    });
    const dialog = await enterKey('rk_test_right');
    const connect = dialog.getByRole('button', { name: 'Connect Stripe' });
    for (let press = 0; press < 3; press += 1) fireEvent.click(connect);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('Test mode')).toBeTruthy();
    expect(screen.getByText('rk_test_…f4Qz')).toBeTruthy();
    expect(screen.getByLabelText(/^Pay Now on Invoices/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Replace Key' })).toBeTruthy();
    expect(network.writes).toHaveLength(1);
    expect(document.body.innerHTML).not.toContain('rk_test_right');
  });

  it('a maximum for card payments is saved, and partial payments stay off', async () => {
    const network = fakeNetwork({
      'GET /onlinepayments': ok(settings()),
      'GET /onlineclearing': ok(clearing()),
      'PUT /onlinepayments': ok(settings({ rowVersion: 5 })),
    });
    showWithData(<PaymentsScreen />, '/onlinepayments');
    fireEvent.click(await screen.findByLabelText(/^Limit Card Payments/));
    fireEvent.change(await screen.findByLabelText(/^Maximum Card Payment/), { target: { value: '1500' } });
    await press('Save');
    await waitFor(() => expect(network.writes).toHaveLength(1));
    expect(network.writes[0]?.body).toMatchObject({ paysNow: true, leastPart: null, mostByCard: 1500, rowVersion: 4 });
  });

  it('pressing Done three times finishes a review only once, and warnings are shown', async () => {
    const troubles = [
      { name: 'reviews', count: 1, amount: 980, since: '2026-11-20T10:00:00.000Z' },
      { name: 'silent', count: 2, amount: 60, since: '2026-11-20T10:00:00.000Z' },
    ];
    const network = fakeNetwork({
      'GET /onlinepayments': ok(settings()),
      'GET /onlineclearing': ok(clearing({ reviews: [review], troubles })),
      'PUT /onlinereviews/8': ['silence'],
    });
    showWithData(<PaymentsScreen />, '/onlinepayments');
    const done = await screen.findByRole('button', { name: /^Done with/ });
    expect(screen.getByText(/^1 payment to review\./)).toBeTruthy();
    expect(screen.getByText(/^No events from Stripe for 2 payment pages\./)).toBeTruthy();
    for (let press = 0; press < 3; press += 1) fireEvent.click(done);
    await waitFor(() => expect(network.writes).toHaveLength(1));
  });
});
