// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { settingsCalls } from '@evenkeel/contract/settings';
import { AP, AR } from '@evenkeel/core/books/accounts';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Private } from '../../app/shell/Private.tsx';
import { makeQueryClient } from '../../client/api.ts';
import { sessionUser, signOut, updateSession } from '../../client/session.ts';
import { signedIn } from '../billing/testing/answers.tsx';
import { sampleOf } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { alerts } from '../../ui/alerts/store.ts';
import { FirstTimeSetup } from './FirstTimeSetup.tsx';

const company = {
  ...(sampleOf(settingsCalls.getCompany.reply) as { address2: string; state: string; zipCode: string }),
  id: 3,
  displayname: 'Cedar & Stone',
  setupCompleted: false,
};
const accounts = [
  [AR, '1200 – Accounts Receivable', 'Accounts Receivable'],
  [1000, '1210 – Retainage', 'Accounts Receivable'],
  [AP, '2000 – Accounts Payable', 'Accounts Payable'],
].map(([customerAccountID, displayAccountLabel, displayAccountType]) => ({
  customerAccountID,
  customerAccountId: customerAccountID,
  name: displayAccountLabel,
  displayAccountName: displayAccountLabel,
  displayAccountLabel,
  displayAccountNumber: '',
  displayAccountType,
  glAccountDescription: '',
  active: true,
}));

let answer: () => Response;
let sent: unknown[];
const keys = new Set<string | null>();

beforeEach(() => {
  sent = [];
  keys.clear();
  answer = () => Response.json({ ...company, setupCompleted: true });
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.includes('/customersettings')) return Response.json({ customerSettingItems: [] });
    if (url.includes('/customeraccounts')) return Response.json(accounts);
    if (init?.method !== 'POST') return Response.json(company);
    sent.push(typeof init.body === 'string' ? JSON.parse(init.body) : undefined);
    keys.add(new Headers(init.headers).get('idempotency-key'));
    return answer();
  });
});
afterEach(() => {
  signOut();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function enter(userRole = 'Administrator', at = '/billing') {
  signedIn(userRole);
  updateSession({ permissions: ['Manage Accounting', 'View Billing'], setupCompleted: false });
  open(at);
}

const open = (at: string) =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Routes>
        <Route path="/first-time-setup" element={<FirstTimeSetup />} />
        <Route path="*" element={<Private />} />
      </Routes>
    </QueryClientProvider>,
    at,
  );

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const heading = (name: string) => screen.findByRole('heading', { name });

/** Completes all steps from Welcome to the last one. */
async function fillAll() {
  await heading('Welcome to Evenkeel');
  press('Begin');
  await heading('Company');
  type('Company Name', 'Cedar & Stone Landscaping');
  type('Street Address', '12 Quarry Road');
  type('City', 'Akron');
  press('Next: Financials');
  await heading('Financials');
  type('Rate (%)', '5.75');
  press('Next: Customers');
  await heading('Customers');
  type('Customer Name', 'Fairlawn Church');
  type('Email', 'office@fairlawn.example');
  press('Next: Expenses');
  await heading('Expenses');
  press('Next: Products');
  await heading('Products');
  type('Product Name', 'Mulch');
  type('Price', '48.50');
}

const REQUEST = {
  companyName: 'Cedar & Stone Landscaping',
  address1: '12 Quarry Road',
  address2: company.address2,
  city: 'Akron',
  state: company.state,
  zipCode: company.zipCode,
  fyStartMonth: 1,
  salesTaxLabel: '',
  salesTaxPercentage: 5.75,
  defaultARAccountId: AR,
  defaultAPAccountId: AP,
  useDefaultCustomer: false,
  customerName: 'Fairlawn Church',
  customerEmail: 'office@fairlawn.example',
  vendorName: '',
  vendorEmail: '',
  productName: 'Mulch',
  productPrice: 48.5,
};

test('an administrator of a new company completes six steps, which are sent as one request', async () => {
  enter();
  await fillAll();
  press('Complete Setup');
  expect(await screen.findByRole('link', { name: 'Skip to content' })).toBeTruthy();
  expect([sent, window.location.pathname]).toEqual([[REQUEST], '/']);
  expect(sessionUser()?.setupCompleted).toBe(true);
  expect(Object.keys(localStorage).filter((key) => key.includes('draft:'))).toEqual([]);
});

test('only steps with an answer are checked off, and skipped steps can be opened again', async () => {
  enter();
  await fillAll();
  const steps = () => [...document.querySelectorAll('.ek-steps li')].map((step) => step.getAttribute('data-state'));
  expect(steps()).toEqual(['done', 'done', 'done', 'done', 'skipped', 'current']);
  fireEvent.click(screen.getByRole('button', { name: /Skipped.*Expenses/ }));
  await heading('Expenses');
});

test('other users skip the setup, and so does everyone after it is complete', async () => {
  enter('Bookkeeper');
  expect(await screen.findByRole('link', { name: 'Skip to content' })).toBeTruthy();
  cleanup();
  enter('Bookkeeper', '/first-time-setup');
  expect(await screen.findByRole('link', { name: 'Skip to content' })).toBeTruthy();
});

test('an incomplete answer blocks its step, and clearing the default checkbox allows another account', async () => {
  enter();
  await heading('Welcome to Evenkeel');
  press('Begin');
  await heading('Company');
  type('Company Name', ' ');
  press('Next: Financials');
  expect(await screen.findByText('Please enter a Company name')).toBeTruthy();
  type('Company Name', 'Cedar');
  press('Next: Financials');
  await heading('Financials');
  const account = screen.getByLabelText<HTMLInputElement>('A/R Account', { selector: 'input' });
  expect([account.value, account.readOnly]).toEqual(['1200 – Accounts Receivable', true]);
  fireEvent.click(screen.getByLabelText(/^Use the default A\/R account/));
  expect(account.readOnly).toBe(false);
});

test('the answers survive a reload and appear in a second tab', async () => {
  enter('Administrator', '/first-time-setup?step=company');
  await heading('Company');
  type('Company Name', 'Typed before');
  cleanup();
  open('/first-time-setup?step=company');
  await heading('Company');
  const name = () => screen.getByLabelText<HTMLInputElement>('Company Name', { selector: 'input' }).value;
  expect(name()).toBe('Typed before');
  // Simulates more typing in another tab.
  const key = Object.keys(localStorage).find((each) => each.endsWith(':draft:setup')) ?? '';
  localStorage.setItem(key, (localStorage.getItem(key) ?? '').replace('Typed before', 'Typed elsewhere'));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  await waitFor(() => expect(name()).toBe('Typed elsewhere'));
});

test('Skip asks for confirmation, Continue Setup returns to the same step, and skipping sends no answers', async () => {
  enter();
  await fillAll();
  press('Skip Setup');
  const question = 'Are you sure you want to skip setup? This will auto-complete the first time setup process.';
  expect(screen.getByText(question)).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Continue Setup');
  press('Continue Setup');
  expect(screen.queryByText(question)).toBeNull();
  press('Skip Setup');
  fireEvent.click(screen.getAllByRole('button', { name: 'Skip Setup' }).at(-1) as HTMLElement);
  expect(await screen.findByRole('link', { name: 'Skip to content' })).toBeTruthy();
  expect(sent).toEqual([{ skip: true }]);
});

test('an administrator whose books are in another program can skip to the import', async () => {
  enter();
  await heading('Welcome to Evenkeel');
  press('Move In From Another Program');
  expect(await screen.findByRole('link', { name: 'Skip to content' })).toBeTruthy();
  expect([sent, window.location.pathname]).toEqual([[{ skip: true }], '/movein']);
});

test('a request without a response is repeated, and the dashboard says so if a colleague finished first', async () => {
  answer = () => {
    throw new TypeError('the network is unavailable');
  };
  enter();
  await fillAll();
  press('Complete Setup');
  await waitFor(() => expect(sent).toHaveLength(1));
  await screen.findByRole('button', { name: 'Complete Setup' });
  answer = () =>
    Response.json({ code: 'conflict', message: 'Setup is complete already.', requestId: 'x' }, { status: 409 });
  press('Complete Setup');
  expect(await screen.findByRole('link', { name: 'Skip to content' })).toBeTruthy();
  expect([sent.length, keys.size]).toEqual([2, 1]);
  expect(alerts.state().shown.map(({ text }) => text)).toContain('Setup is complete already.');
});

test('a rejected field returns the user to its step', async () => {
  answer = () =>
    Response.json(
      { code: 'rule', message: 'Not this', fields: { customerEmail: 'Not this' }, requestId: 'x' },
      { status: 422 },
    );
  enter();
  await fillAll();
  press('Complete Setup');
  await heading('Customers');
  expect(screen.getByText('Not this')).toBeTruthy();
});
