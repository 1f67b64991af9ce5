// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { type FakeNetwork, fakeNetwork, press, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { MonthEndScreen } from './MonthEndScreen.tsx';

const NOTHING_OPEN = { bankAccounts: [], review: [], drafts: [], scheduled: [], clearingAccounts: [], salesTax: [] };
const checklist = (date: string, found: object = {}) => ({
  [`GET /closingchecklist?date=${date}`]: [{ status: 200, body: { date, ...NOTHING_OPEN, ...found } }],
});
const settings = (settingValue: string) => ({
  'GET /customersettings': [
    { status: 200, body: { customerSettingItems: [{ id: 9, settingName: 'closingDate', settingValue }] } },
  ],
});

let network: FakeNetwork;
beforeEach(() => {
  signedIn();
  const bank = { bankAccountId: 4, name: 'Checking', lastReconciledDate: '2026-03-31', amount: -25 };
  network = fakeNetwork({
    ...settings('2026-03-31'),
    ...checklist('2026-04-30', {
      bankAccounts: [bank, { ...bank, bankAccountId: 5, name: 'Savings', lastReconciledDate: null }],
      review: [{ bankAccountId: 5, name: 'Savings', count: 3, amount: -90 }],
      drafts: [
        { kind: 'invoice', label: 'Invoice', count: 1, amount: 75 },
        { kind: 'journal', label: 'Journal entry', count: 2, amount: 80 },
      ],
      clearingAccounts: [{ accountId: 104, label: 'Undeposited Funds', amount: 40 }],
      salesTax: [{ accountId: 123, label: 'Sales Tax Payable', amount: 13.5 }],
    }),
    ...checklist('2026-05-31'),
    'POST /customersettings': [{ status: 200, body: [] }],
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const rowsOf = async (group: string) =>
  within(await screen.findByRole('region', { name: group }))
    .getAllByRole('listitem')
    .map((row) => [row.textContent, row.querySelector('a')?.getAttribute('href')]);

it('lists the open work for the month after the closing date, with links', async () => {
  showWithData(<MonthEndScreen />, '/monthend');
  expect(await rowsOf('Transactions')).toEqual([
    ['Bank transactions to review3 in Savings(90.00)Review 3', '/banking?tab=review&of=5'],
    [
      'Bank accounts reconciled through 4/30/2026' +
        'Checking was last reconciled through 3/31/2026 · Savings has never been reconciled(50.00)Reconcile',
      '/banking?reconcile=4',
    ],
    ['DraftsInvoice: 1 draft · Journal entry: 2 drafts155.00Show', '/billing?tab=open&part=draft'],
    ['Scheduled documentsAll scheduled documents have been created0.00', undefined],
  ]);
  expect(await rowsOf('Balances')).toEqual([
    ['Undeposited FundsBalance to clear as of 4/30/202640.00Show', '/accounting?account=104&to=2026-04-30'],
    [
      'Sales Tax PayableSales tax collected but not yet paid as of 4/30/202613.50Show',
      '/accounting?account=123&to=2026-04-30',
    ],
  ]);
  expect(screen.getByText('The books are closed through 3/31/2026.')).toBeTruthy();
});

it('a double-click closes the month only once, even if checks are still open', async () => {
  showWithData(<MonthEndScreen />, '/monthend');
  await userEvent.click(await screen.findByRole('button', { name: 'Close April 2026' }));
  expect(await screen.findByText('5 checks are outstanding')).toBeTruthy();
  const close = screen.getByRole('button', { name: 'Close Through 4/30/2026' });
  await Promise.all([userEvent.click(close), userEvent.click(close)]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(network.writes).toMatchObject([
    { path: '/customersettings', body: [{ settingName: 'closingDate', settingValue: '2026-04-30' }] },
  ]);
});

it('shows another month, and reopens the books after a confirmation', async () => {
  network = fakeNetwork({
    ...settings('2026-05-31'),
    ...checklist('2026-05-31'),
    'POST /customersettings': [{ status: 200, body: [] }],
  });
  showWithData(<MonthEndScreen />, '/monthend?month=2026-05');
  await userEvent.click(await screen.findByRole('button', { name: 'Change Closing Date' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reopen All' }));
  expect(screen.getByText('Reopen the books for all dates?')).toBeTruthy();
  await press('Reopen All');
  await waitFor(() => expect(network.writes).toMatchObject([{ body: [{ settingValue: '' }] }]));
});
