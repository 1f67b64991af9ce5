// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { type FakeNetwork, fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { Alerts } from '../../ui/alerts/Alerts.tsx';
import { MonthEndScreen } from './MonthEndScreen.tsx';

const UNSIGNED = { signedBy: null, signedAt: null, outdated: false };
const NOTHING_OPEN = {
  bankAccounts: [],
  review: [],
  drafts: [],
  scheduled: [],
  held: [],
  certificates: [],
  returns: [],
  negativeAccounts: [],
  vendorTaxes: [],
  onlinePayments: [],
  clearingAccounts: [],
  salesTax: [],
  receivables: { ledger: 218.8, open: 218.8 },
  payables: { ledger: 73.1, open: 73.1 },
  reviews: [
    { ...UNSIGNED, report: 'balanceSheet' },
    { ...UNSIGNED, report: 'profitAndLoss' },
  ],
  signOffs: [],
  figures: { income: 209.4, costOfGoodsSold: 27.5, expenses: 116.65, netIncome: 65.25, assets: 964.12 },
};
const SIGNED = { signedBy: 'Theo Marsh', signedAt: '2026-05-04T01:00:00Z' };
const ALL_SIGNED = NOTHING_OPEN.reviews.map((review) => ({ ...review, ...SIGNED }));
const checklist = (date: string, found: object = {}) => ({
  [`GET /closingchecklist?date=${date}`]: [{ status: 200, body: { date, ...NOTHING_OPEN, ...found } }],
});
const NOTE = { person: 'Nora Lindqvist', at: '2026-06-05T01:00:00Z', note: 'Waiting for a bill', reopening: false };
const CLOSED = {
  closingDate: '2026-03-31',
  rowVersion: 3,
  months: [{ date: '2026-03-31', closedBy: 'Nora Lindqvist', closedAt: '2026-06-05T01:00:00Z', notes: [NOTE] }],
};
const closingDate = (body: object = CLOSED) => ({ 'GET /closingdate': [{ status: 200, body }] });

let network: FakeNetwork;
beforeEach(() => {
  signedIn();
  const bank = { bankAccountId: 4, name: 'Checking', lastReconciledDate: '2026-03-31', amount: -25 };
  network = fakeNetwork({
    'GET /customersettings': [{ status: 200, body: { customerSettingItems: [] } }],
    ...closingDate(),
    ...checklist('2026-03-31', { reviews: ALL_SIGNED }),
    ...checklist('2026-04-30', {
      bankAccounts: [bank, { ...bank, bankAccountId: 5, name: 'Savings', lastReconciledDate: null }],
      review: [{ bankAccountId: 5, name: 'Savings', count: 3, amount: -90 }],
      drafts: [
        { kind: 'invoice', label: 'Invoice', count: 1, amount: 75 },
        { kind: 'journal', label: 'Journal entry', count: 2, amount: 80 },
      ],
      certificates: [{ customerId: 9, name: 'Harbor School', exemptUntil: '2026-03-31', amount: 12 }],
      clearingAccounts: [{ accountId: 104, label: 'Undeposited Funds', amount: 40 }],
      payables: { ledger: 98.1, open: 73.1 },
      salesTax: [{ accountId: 123, label: 'Sales Tax Payable', amount: 13.5 }],
      reviews: [
        { report: 'balanceSheet', ...SIGNED, outdated: false },
        { report: 'profitAndLoss', ...SIGNED, outdated: true },
      ],
    }),
    ...checklist('2026-05-31', { reviews: ALL_SIGNED }),
    ...checklist('2026-06-30', {
      reviews: ALL_SIGNED,
      vendorTaxes: [{ vendorId: 4, name: 'Harlan Excavating', amount: 100 }],
    }),
    'PUT /closingdate': [{ status: 200, body: { ...CLOSED, closingDate: '2026-04-30' } }],
    'PUT /closingreview': [{ status: 200, body: ALL_SIGNED[1] }],
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const select = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

const rowsOf = async (group: string) =>
  within(await screen.findByRole('region', { name: group }))
    .getAllByRole('listitem')
    .map((row) => [row.textContent, row.querySelector('a')?.getAttribute('href')]);

it('another month can be opened from the menu of months', async () => {
  showWithData(<MonthEndScreen />, '/monthend?month=2026-04');
  await select('Month: April 2026');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'March 2026' }));
  expect(await screen.findByRole('button', { name: 'Month: March 2026' })).toBeTruthy();
});

it('the books can be closed through a day within a month', async () => {
  Object.assign(network.answers, checklist('2026-05-20', { reviews: ALL_SIGNED }));
  showWithData(<MonthEndScreen />, '/monthend?through=2026-05-20');
  expect(await screen.findByText(/Closing blocks changes dated on or before 5\/20\/2026/)).toBeTruthy();
  await select('Close Through 5/20/2026');
  const dialog = within(await screen.findByRole('dialog', { name: 'Close Through 5/20/2026' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Close Through 5/20/2026' }));
  await waitFor(() => expect(network.writes.at(-1)?.body).toMatchObject({ closingDate: '2026-05-20' }));
});

it('signed-off accounts are listed, and any that have changed since sign-off are shown as open', async () => {
  const signed = {
    id: 1,
    accountId: 101,
    label: 'Checking',
    date: '2026-05-31',
    from: null,
    basis: 0,
    balance: 500,
    current: 500,
    change: 0,
    since: 8,
    note: '',
    signedBy: 'Theo Marsh',
    signedAt: '2026-06-04T01:00:00Z',
  };
  const savings = { ...signed, id: 2, accountId: 102, label: 'Savings', date: '2026-04-30', current: 480, change: -20 };
  Object.assign(network.answers, checklist('2026-05-31', { reviews: ALL_SIGNED, signOffs: [signed, savings] }));
  showWithData(<MonthEndScreen />, '/monthend?month=2026-05');
  expect((await rowsOf('Review and sign off')).slice(2)).toEqual([
    [
      'Checking signed off through 5/31/2026Signed off by Theo Marsh500.00Show',
      '/accounting?account=101&to=2026-05-31&signoff=101',
    ],
    [
      'Savings signed off through 4/30/2026Theo Marsh signed off 500.00 · Changed by (20.00) since480.00Show',
      '/accounting?account=102&to=2026-04-30&signoff=102',
    ],
  ]);
  expect(screen.getByText('1 item is open.', { exact: false })).toBeTruthy();
});

it('the check of the clearing accounts is marked as done if all of their balances are zero', async () => {
  showWithData(<MonthEndScreen />, '/monthend?month=2026-05');
  const rows = await rowsOf('Balances');
  expect(rows.at(-1)).toEqual(['Suspense and clearing accountsNo balance to clear as of 5/31/20260.00', undefined]);
});

it('the checklist shows 1099 vendors without a tax ID or classification', async () => {
  showWithData(<MonthEndScreen />, '/monthend?month=2026-06');
  expect((await rowsOf('Transactions')).at(-1)).toEqual([
    '1099 vendors without a tax ID or classificationHarlan Excavating100.00Show',
    '/taxes?tab=forms',
  ]);
});

it('the checklist shows schedules with dates on hold, and opens the first one', async () => {
  const held = [
    { templateId: 7, kind: 'expense', name: 'Office rent', first: '2026-05-01', count: 1, amount: 900 },
    { templateId: 3, kind: 'invoice', name: 'Retainer', first: '2026-05-04', count: 2, amount: 84 },
  ];
  Object.assign(network.answers, checklist('2026-05-31', { reviews: ALL_SIGNED, held }));
  showWithData(<MonthEndScreen />, '/monthend?month=2026-05');
  expect((await rowsOf('Transactions')).at(-1)).toEqual([
    'Scheduled documents on holdOffice rent: 5/1/2026 · Retainer: 2 dates since 5/4/2026984.00Review',
    '/expenses?tab=scheduled&scheduled=7',
  ]);
  expect(screen.getByText('1 item is open.', { exact: false })).toBeTruthy();
});

it('the checklist shows the open work for the month after the closing date, with links', async () => {
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
    ['Expired certificates of exemptionHarbor School: expired on 3/31/202612.00Edit', '/customers?customer=9&edit=9'],
  ]);
  expect(await rowsOf('Balances')).toEqual([
    [
      'Accounts Receivable equals open invoicesThe aging report has the same total on 4/30/2026218.80Show',
      '/reports?report=7_8_2026-04-30_2026-04-30_0_0_0',
    ],
    [
      'Accounts Payable equals open billsOpen bills: 73.10 · Journal entries: 25.0098.10Show',
      '/reports?report=108_8_2026-04-30_2026-04-30_0_0_0',
    ],
    ['Undeposited FundsBalance to clear as of 4/30/202640.00Show', '/accounting?account=104&to=2026-04-30'],
    ['Sales Tax PayableSales tax owed as of 4/30/202613.50Show', '/accounting?account=123&to=2026-04-30'],
  ]);
  expect(await rowsOf('Review and sign off')).toEqual([
    [
      'Balance Sheet reviewedTotal assets on 4/30/2026: 964.12Theo Marsh5/4/2026OpenUndo',
      expect.stringMatching(/^\/reports\?report=\d+_\d+_2026-04-30_2026-04-30_0_0_0$/),
    ],
    [
      'Profit & Loss Statement reviewedChanged after Theo Marsh signed offOpenSign Off',
      expect.stringMatching(/^\/reports\?report=\d+_\d+_2026-04-01_2026-04-30_0_0_0$/),
    ],
  ]);
  expect(screen.getByText('The books are closed through 3/31/2026.')).toBeTruthy();
  expect(screen.getByText('4 of 11')).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'April totals' })).getByText('65.25')).toBeTruthy();
  const months = within(screen.getByRole('region', { name: 'Closed months' })).getAllByRole('listitem');
  expect(months.map((month) => month.textContent)).toEqual([
    'March 20266/5/2026, Nora LindqvistClosed by Nora Lindqvist: Waiting for a bill',
  ]);
});

it("the month's reports open as one PDF", async () => {
  network.answers['GET /monthendpackage?date=2026-04-30'] = [{ status: 200, body: '%PDF-' }];
  showWithData(<MonthEndScreen />, '/monthend');
  await select('Month End Package');
  expect(await screen.findByRole('dialog', { name: 'Month End Package' })).toBeTruthy();
});

it('one click signs off a report', async () => {
  showWithData(<MonthEndScreen />, '/monthend');
  await select('Sign Off: Profit & Loss Statement reviewed');
  await waitFor(() =>
    expect(network.writes).toMatchObject([
      { path: '/closingreview', body: { date: '2026-04-30', report: 'profitAndLoss', signed: true } },
    ]),
  );
});

it('a month with open items can be closed only with a note, and a double-click closes it only once', async () => {
  showWithData(<MonthEndScreen />, '/monthend');
  await select('Close April');
  const dialog = within(await screen.findByRole('dialog', { name: 'Close April 2026' }));
  expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/banking?tab=review&of=5',
    '/banking?reconcile=4',
    '/billing?tab=open&part=draft',
    '/customers?customer=9&edit=9',
    '/reports?report=108_8_2026-04-30_2026-04-30_0_0_0',
    '/accounting?account=104&to=2026-04-30',
    expect.stringContaining('/reports?report='),
  ]);
  expect(dialog.getByText('Profit & Loss Statement is not signed off')).toBeTruthy();
  const close = dialog.getByRole('button', { name: 'Close April' });
  await userEvent.click(close);
  const note = dialog.getByLabelText('Note');
  expect(dialog.getByText('Please enter a note, because 7 items are open')).toBeTruthy();
  expect(document.activeElement).toBe(note);
  expect(network.writes).toEqual([]);
  await userEvent.type(note, 'Statement arrives on the 30th');
  await Promise.all([userEvent.click(close), userEvent.click(close)]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(network.writes).toMatchObject([
    {
      path: '/closingdate',
      body: { closingDate: '2026-04-30', note: 'Statement arrives on the 30th', rowVersion: 3 },
    },
  ]);
});

it('a month without open items closes without a note', async () => {
  network.answers['GET /closingdate'] = [{ status: 200, body: { ...CLOSED, closingDate: '2026-04-30' } }];
  showWithData(<MonthEndScreen />, '/monthend?month=2026-05');
  await select('Close May');
  const dialog = within(await screen.findByRole('dialog', { name: 'Close May 2026' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Close May' }));
  await waitFor(() => expect(network.writes).toMatchObject([{ body: { closingDate: '2026-05-31', note: '' } }]));
});

it('a closed month is reopened only with a reason', async () => {
  showWithData(<MonthEndScreen />, '/monthend?month=2026-03');
  await select('Reopen March');
  const dialog = within(await screen.findByRole('dialog', { name: 'Reopen March 2026' }));
  expect(dialog.getByText(/^Closed/).textContent).toBe('Closed 6/5/2026 by Nora Lindqvist');
  await userEvent.click(dialog.getByRole('button', { name: 'Reopen March' }));
  expect(dialog.getByText('Please enter a reason')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('Reason'), 'Late bill{Enter}');
  await waitFor(() =>
    expect(network.writes).toMatchObject([{ body: { closingDate: '2026-02-28', note: 'Late bill', rowVersion: 3 } }]),
  );
});

it('a tab that is out of date reports the conflict and shows the date that the other tab set', async () => {
  const current = { ...CLOSED, closingDate: '2026-05-31', rowVersion: 4 };
  network.answers['PUT /closingdate'] = [
    { status: 409, body: { code: 'stale', message: 'Someone else saved changes', requestId: '1', current } },
  ];
  showWithData(
    <>
      <MonthEndScreen />
      <Alerts />
    </>,
    '/monthend',
  );
  await select('Close April');
  await userEvent.type(await screen.findByLabelText('Note'), 'Late');
  network.answers['GET /closingdate'] = [{ status: 200, body: current }];
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close April' }));
  expect(await screen.findByText('Someone else saved changes')).toBeTruthy();
  expect(await screen.findByText('The books are closed through 5/31/2026.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(network.writes).toMatchObject([{ body: { rowVersion: 3 } }]);
});
