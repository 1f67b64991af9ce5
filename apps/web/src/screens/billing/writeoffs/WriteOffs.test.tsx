// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { fakeNetwork, field, fill, press, showWithData, signedIn } from '../testing/answers.tsx';
import { BillingScreen } from '../BillingScreen.tsx';
import { WriteOffs } from './WriteOffs.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const alert of alerts.state().shown) alerts.dismiss(alert.id);
  signOut();
});

const open = (invoiceId: number, openAmount: number) => ({
  invoiceId,
  invoiceNumber: `1040${invoiceId}`,
  customerId: 5,
  customerDisplayName: 'Fairlawn Heights HOA',
  invoiceDate: '2026-05-01',
  dueDate: '2026-05-31',
  openAmount,
  taxAmount: 0.4,
});
const answer = (body: unknown) => [{ status: 200, body }];

it('invoices up to a maximum amount are listed, one is excluded, and each write-off shows its result', async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /writeoff/open?most=10.00': answer([open(1, 5.4), open(2, 7), open(3, 9)]),
    'POST /writeoff': answer([
      { invoiceId: 1, ok: true, writeOffNumber: 'WO-101' },
      { invoiceId: 3, ok: false, message: 'The open balance of invoice 10403 is now $4.00. Review it and try again.' },
    ]),
  });
  showWithData(<WriteOffs invoiceId={0} onClose={() => undefined} />);
  expect(screen.getByRole('button', { name: 'Write Off' }).hasAttribute('disabled')).toBe(true);
  fill(field('Maximum Unpaid Amount'), '10');
  await userEvent.click(await screen.findByLabelText('10402 Fairlawn Heights HOA'));
  fill(field('Reason'), 'Small rests');
  await press('Write Off 14.40');
  await screen.findByText('1 of 2 invoices written off.');
  expect(screen.getByText('Written off as WO-101')).toBeTruthy();
  expect(screen.getByText('The open balance of invoice 10403 is now $4.00. Review it and try again.')).toBeTruthy();
  expect(network.writes[0]?.body).toMatchObject([
    { invoiceId: 1, amount: 5.4, withTax: false, reason: 'Small rests' },
    { invoiceId: 3, amount: 9 },
  ]);
});

it('one invoice is written off with its tax, and the dialog closes', async () => {
  signedIn();
  const network = fakeNetwork({
    'GET /writeoff/open?invoiceId=1': answer([open(1, 5.4)]),
    'POST /writeoff': answer([{ invoiceId: 1, ok: true, writeOffNumber: 'WO-101' }]),
  });
  const closed = vi.fn<() => void>();
  showWithData(<WriteOffs invoiceId={1} onClose={closed} />);
  await screen.findByText('Write Off Invoice 10401');
  await userEvent.click(field('Reduce the sales tax you owe by the tax on these invoices'));
  await press('Write Off 5.40');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(network.writes[0]?.body).toMatchObject([{ invoiceId: 1, amount: 5.4, withTax: true }]);
});

it('all write-offs are listed with their invoices and reasons, and one is deleted from its panel', async () => {
  signedIn();
  updateSession({ permissions: ['Manage Billing'] });
  const one = {
    id: 3,
    writeOffNumber: 'WO-101',
    writeOffDate: '2026-05-20',
    customerId: 5,
    customerDisplayName: 'Fairlawn Heights HOA',
    invoiceId: 36,
    invoiceNumber: '10401',
    amount: 5.4,
    badDebtAmount: 5,
    taxAmount: 0.4,
    reason: 'Moved away',
    rowVersion: 1,
  };
  const network = fakeNetwork({
    'GET /customercredit?limit=100&status=writeoff': answer([
      {
        id: 3,
        kind: 'writeoff',
        number: 'WO-101',
        date: '2026-05-20',
        customerId: 5,
        customerDisplayName: 'Fairlawn Heights HOA',
        arBillingStatus: null,
        badge: 'Posted',
        usedFor: ['invoice 10401'],
        usedCount: 1,
        appliedAmount: 5.4,
        refundedAmount: 0,
        reason: 'Moved away',
        checkNumber: '',
        amount: 5.4,
        remainingAmount: 0,
      },
    ]),
    'GET /writeoff/3': answer(one),
    'DELETE /writeoff/3': answer({ ok: true }),
  });
  showWithData(<BillingScreen />, '/billing?tab=writeoffs');
  const row = (await screen.findByText(/Moved away/)).closest('tr');
  expect(row?.textContent).toBe('5/20/2026WO-101Write-OffFairlawn Heights HOAinvoice 10401, Moved awayPosted–0.005.40');
  await userEvent.click(screen.getByText('WO-101'));
  expect(await screen.findByText('Bad Debt')).toBeTruthy();
  await press('Delete');
  await press('Confirm Delete');
  await waitFor(() => expect(network.writes).toMatchObject([{ method: 'DELETE' }]));
});
