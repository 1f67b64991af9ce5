// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FakeNetwork, fakeNetwork, press, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { signOut, updateSession } from '../../client/session.ts';
import { setWidth } from '../../testing/setup.ts';
import { AccountingScreen } from './AccountingScreen.tsx';
import { GlAccountsScreen } from './GlAccountsScreen.tsx';

const answer = (body: unknown) => [{ status: 200, body }];
const account = (id: number, name: string, active: boolean) => ({
  customerAccountID: id,
  customerAccountId: id,
  name,
  displayAccountName: name,
  displayAccountNumber: '',
  displayAccountLabel: name,
  displayAccountType: 'Income',
  glAccountDescription: '',
  active,
  description: '',
  masterAccountID: 140,
  accountCategoryId: 31,
  categoryName: 'Sales',
  system: false,
  rowVersion: 4,
});
const SALES = account(140, 'Sales', true);
const SNOW = account(1001, 'Snow removal', false);
const setup = (body: object) => ({
  description: '',
  accountNumberLabel: '',
  accountNameLabel: 'Sales',
  masterAccountNumberLabel: '4000',
  masterAccountNameLabel: 'Sales',
  masterAccountID: 140,
  accountCategoryId: 31,
  selected: true,
  rowVersion: 5,
  ...body,
});
const category = (id: number, categoryName: string) => ({ id, categoryName, active: true, rowVersion: 1 });

let network: FakeNetwork;
beforeEach(() => {
  signedIn();
  network = fakeNetwork({
    'GET /customerchartofaccounts': answer([SALES]),
    'GET /customerchartofaccounts?inactive=true': answer([SALES, SNOW]),
    'GET /accounts': answer([]),
    'GET /accountcategories?inactive=true': answer([category(31, 'Sales'), category(32, 'Seasonal work')]),
    'GET /GeneralLedger/Drafts': answer([]),
    'PUT /accountsetup': answer(setup({ customerAccountID: 140, customerAccountId: 140 })),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

it('Show inactive lists an inactive account, which is read-only and can be made active', async () => {
  showWithData(<GlAccountsScreen />, '/glaccounts');
  await screen.findByText('Sales');
  expect(screen.queryByText('Snow removal')).toBeNull();
  await userEvent.click(screen.getByLabelText('Show inactive'));
  await userEvent.click(await screen.findByText('Snow removal'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Inactive')).toBeTruthy();
  expect(dialog.queryByText('Save')).toBeNull();
  await press('Restore');
  await waitFor(() => expect(network.writes).toMatchObject([{ path: '/accountsetup' }]));
  expect(network.writes[0]?.body).toEqual({ customerAccountID: 1001, selected: true });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('an account is moved to another category', async () => {
  showWithData(<GlAccountsScreen />, '/glaccounts?edit=140');
  const field = await screen.findByLabelText('Category', { selector: 'input' });
  await waitFor(() => expect(field.getAttribute('value')).toBe('Sales'));
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: 'Seasonal work' }));
  await press('Save');
  const moved = { customerAccountID: 140, accountCategoryId: 32, rowVersion: 4 };
  await waitFor(() => expect(network.writes).toMatchObject([{ path: '/accountsetup', body: moved }]));
});

it('on a phone, a user with only view permission has a menu of subpages without Add Journal Entry', async () => {
  setWidth(390);
  updateSession({ userRole: 'Reader', permissions: ['View Accounting'] });
  showWithData(<AccountingScreen />, '/accounting');
  await userEvent.click(await screen.findByRole('button', { name: 'More' }));
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  const pages = ['Budgets', 'Profit Centers', 'Locations', 'GL Accounts', 'Account Categories'];
  expect(items).toEqual(['Saved Transactions', ...pages]);
});
