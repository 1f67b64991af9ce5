// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../client/session.ts';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { BankingScreen } from './BankingScreen.tsx';

const answer = (body: unknown) => [{ status: 200, body }];
const bank = (bankingAccountID: number, name: string, more: object) => ({
  bankingAccountID,
  accountNumber: '\u2022\u2022\u2022\u20220931',
  isNumberLost: false,
  routingNumber: '',
  entityID: 1,
  name,
  glAccountID: 100 + bankingAccountID,
  allowPayments: true,
  allowDeposits: true,
  creditCards: false,
  documentLinks: [],
  currentBalance: 379.5,
  lastReconciledDate: '2026-04-30',
  lastReconciledBalance: 300,
  hasEntries: true,
  active: true,
  rowVersion: 1,
  ...more,
});
const review = (bankAccountId: number, more: object) => ({
  bankAccountId,
  bankBalance: 411.9,
  bankDate: '2026-05-24',
  booksBalance: 379.5,
  reviewCount: 1200,
  reviewSum: 32.4,
  ...more,
});
const receipt = (paymentId: number, receiptDate: string, amount: number) => ({
  paymentId,
  lineId: null,
  sourceType: 'payment',
  sourceId: paymentId,
  number: String(paymentId),
  receiptDate,
  payer: 'Greta Goodspeed',
  referenceNumber: '',
  memo: '',
  amount,
});

beforeEach(() => {
  signedIn();
  updateSession({ permissions: ['Manage Banking', 'Manage Accounting'] });
  fakeNetwork({
    'GET /bankingaccount': answer([
      bank(1, 'Checking', {}),
      bank(2, 'Visa', { creditCards: true, currentBalance: -77.25, lastReconciledDate: null }),
    ]),
    'GET /bankline/accounts': answer([
      review(1, {}),
      review(2, { bankBalance: -88.15, booksBalance: -77.25, reviewCount: 3, reviewSum: -10.9 }),
    ]),
    'GET /undeposited': answer([receipt(8, '2026-05-23', 84.4), receipt(9, '2026-05-21', 20)]),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const show = () => showWithData(<BankingScreen Report={() => null} />, '/banking?tab=accounts');

it('the totals of 2 accounts add up: 323.75 − 302.25 = 21.50, with 1,203 to review', async () => {
  show();
  expect(await screen.findByText('Credit card, ending 0931')).toBeTruthy();
  const table = screen.getByRole('table');
  const cells = [...(table.querySelector('tfoot')?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
  expect(cells.filter((text) => text !== '')).toEqual(['2 bank accounts', '323.75', '302.25', '21.50', '1,203']);
  expect(within(table).getByRole('cell', { name: 'Never' })).toBeTruthy();
});

it('the list shows the dates of the undeposited receipts', async () => {
  show();
  const funds = await screen.findByRole('region', { name: 'Undeposited Funds' });
  expect(funds.textContent).toBe('Undeposited Funds2 receipts, received 5/21/2026 – 5/23/2026104.40Make Deposit');
});

it('the New menu has 4 actions, and Add Account is a separate button next to it', async () => {
  show();
  expect(await screen.findByRole('button', { name: 'Add Account' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'New' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Import Statementi',
    'Transfert',
    'Depositd',
    'Account',
  ]);
});
