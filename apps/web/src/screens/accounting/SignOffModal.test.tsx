// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { Alerts } from '../../ui/alerts/Alerts.tsx';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { SignOffModal } from './SignOffModal.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const SIGNED = {
  id: 3,
  accountId: 101,
  label: 'Checking',
  date: '2026-03-31',
  from: null,
  basis: 0,
  balance: 500,
  current: 480,
  change: -20,
  since: 8,
  note: 'Agrees with the bank',
  signedBy: 'Theo Marsh',
  signedAt: '2026-04-04T01:00:00Z',
};
const LIST = 'GET /closingreview/account/101?date=2026-03-31';
const PUT = 'PUT /closingreview/account';

function open(more: Parameters<typeof fakeNetwork>[0] = {}) {
  signedIn();
  const network = fakeNetwork({
    [LIST]: [{ status: 200, body: { date: '2026-03-31', balance: 480, signOffs: [SIGNED] } }],
    'GET /chartofaccounts?inactive=true': [{ status: 200, body: [] }],
    ...more,
  });
  const onEntry = vi.fn<(transactionId: number) => void>();
  showWithData(
    <>
      <Alerts />
      <SignOffModal accountId={101} through={isoDate('2026-03-31')} onClose={() => undefined} onEntry={onEntry} />
    </>,
  );
  return { network, onEntry };
}

it('if the balance has changed since a sign-off, the dialog shows the transactions that changed it', async () => {
  const items = [
    {
      transactionId: 9,
      sourceType: 'journal',
      sourceId: 9,
      number: 'JE-9',
      entityName: '',
      postingDate: '2026-03-31',
      at: '2026-04-09T01:00:00Z',
      person: 'Nora Lindqvist',
      amount: -20,
    },
  ];
  const { onEntry } = open({
    'PUT /GeneralLedger/PostedItems': [{ status: 200, body: { items, count: 1, amount: -20 } }],
  });
  expect(await screen.findByText('Changed by (20.00)')).toBeTruthy();
  await userEvent.click(screen.getByText('Transactions since then (balance now 480.00)'));
  await userEvent.click(await screen.findByRole('button', { name: /JE-9/ }));
  expect(onEntry).toHaveBeenCalledWith(9);
});

it('the balance that the user saw is signed off, and the new balance is shown after a rejection', async () => {
  const message = 'The balance is now $470.00. Review the account and sign it off again.';
  const { network } = open({ [PUT]: [{ status: 409, body: { code: 'conflict', message, requestId: '1' } }] });
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Through 3/31/2026');
  network.answers[LIST] = [{ status: 200, body: { date: '2026-03-31', balance: 470, signOffs: [] } }];
  await userEvent.type(dialog.getByLabelText('Note'), 'Checked');
  await userEvent.click(dialog.getByRole('button', { name: 'Sign Off' }));
  expect(await dialog.findByText(message)).toBeTruthy();
  expect(network.writes.at(-1)?.body).toEqual({ accountId: 101, date: '2026-03-31', balance: 480, note: 'Checked' });
  await dialog.findByText('This account has not been signed off yet.');
  network.answers[PUT] = [{ status: 200, body: { ...SIGNED, balance: 470, current: 470, change: 0 } }];
  await userEvent.click(dialog.getByRole('button', { name: 'Sign Off' }));
  await waitFor(() => expect(network.writes.at(-1)?.body).toMatchObject({ balance: 470 }));
});

it('a sign-off can be withdrawn', async () => {
  const { network } = open({ 'DELETE /closingreview/account/3': [{ status: 200, body: { ok: true } }] });
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw the sign-off through 3/31/2026' }));
  await waitFor(() => expect(network.writes.at(-1)?.path).toBe('/closingreview/account/3'));
});
