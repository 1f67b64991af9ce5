// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { signOut } from '../../client/session.ts';
import { entityAddress } from '../../parts/ledger/sources.ts';
import { AccountLedger } from './AccountLedger.tsx';
import { openedOn, readAccountAsk, writeAccountAsk } from './useAccountingPlace.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const NOTHING = () => undefined;
const entry = {
  glid: 31,
  transactionID: 12,
  postingDate: '2026-06-01',
  description: 'Payment 1009',
  debitAmount: 50,
  creditAmount: null,
  balance: 200,
  accountID: 138,
  displayAccountLabel: 'A/R',
  profitcenterid: null,
  locationid: null,
  entityId: 5,
  entityName: 'Oak Hollow',
  basis: 0,
  sourceType: 'payment',
  sourceId: 9,
  reverses: null,
  reversedBy: null,
  reconciliationId: null,
  number: '1009',
};

it('an account opens with the current fiscal year, and the URL contains the dates', () => {
  const ask = openedOn(138, { today: isoDate('2026-02-10'), fyStartMonth: 7 });
  expect(ask).toMatchObject({ accountId: 138, from: '2025-07-01', to: '2026-06-30' });
  const query = new URLSearchParams(JSON.parse(JSON.stringify(writeAccountAsk(ask))));
  expect(readAccountAsk(query)).toEqual(ask);
});

const over = (name: string) => ({
  id: undefined,
  open: () => undefined,
  close: () => undefined,
  link: (id: number) => ({ to: `?${name}=${id}`, onClick: () => undefined }),
});

const OPENS = { entry: over('entry'), transfer: over('transfer'), deposit: over('deposit') };

const CALL = 'GET /GeneralLedger/GetAccountEntries/138?limit=100';

function open(find = '', more: { isReconciled?: boolean; cleared?: 'true' | 'false' } = {}) {
  const year = { from: isoDate('2026-01-01'), to: isoDate('2026-12-31') };
  const ask = { accountId: 138, ...year, showReversed: false, find, cleared: undefined, isReconciled: false, ...more };
  return showWithData(<AccountLedger {...ask} opens={OPENS} onClose={NOTHING} />);
}

const rowTexts = () => screen.getAllByRole('row').map((row) => row.textContent);

it('the register starts with the newest entry, links to its document, and shows the closing balance', async () => {
  signedIn();
  const period = { broughtForward: 150, debits: 1250, credits: 1025.5, closing: 374.5 };
  const journal = { ...entry, glid: 30, transactionID: 11, sourceType: 'journal', sourceId: 11, number: '11' };
  const items = [entry, { ...journal, entityName: '', description: 'Write-off', balance: 150 }];
  fakeNetwork({
    [`${CALL}&from=2026-01-01&to=2026-12-31&desc=true`]: [
      { status: 200, body: { items, next: 'more', total: 340, opening: 150, period } },
    ],
  });
  open();
  expect(await screen.findByText('Oak Hollow')).toBeTruthy();
  expect(rowTexts()).toEqual([
    'Post DateTypeNumberNameDescriptionDebitCreditBalance',
    '6/1/2026Payment1009Oak HollowPayment 100950.00200.00',
    '6/1/2026Journal entry11Write-off50.00150.00',
    'Period total, 340 entries1,250.001,025.50374.50',
  ]);
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  // Users without customer permission see customers' names without links.
  expect(links).toEqual([
    ['1009', '/billing?payment=9'],
    ['11', '/?entry=11'],
  ]);
  expect(entityAddress('payment', 5)).toEqual({ to: '/customers/5', needs: 'View Customers' });
  expect([entityAddress('bill', 5), entityAddress('journal', 5)]).toEqual([undefined, undefined]);
});

it('bank accounts have a Cleared column even if no entry is cleared, and other accounts never do', async () => {
  signedIn();
  const period = { broughtForward: 150, debits: 50, credits: 0, closing: 200 };
  const answer = (items: object[]) => ({
    [`${CALL}&from=2026-01-01&to=2026-12-31&desc=true`]: [
      { status: 200, body: { items, next: null, total: items.length, opening: 150, period } },
    ],
  });
  const [cleared, other] = [
    { ...entry, reconciliationId: 4 },
    { ...entry, glid: 30 },
  ];
  fakeNetwork(answer([cleared, other]));
  const first = open('', { isReconciled: true });
  expect(await screen.findByRole('columnheader', { name: 'Cleared' })).toBeTruthy();
  expect(await screen.findAllByLabelText('Cleared')).toHaveLength(1);
  first.unmount();
  fakeNetwork(answer([other]));
  const second = open('', { isReconciled: true });
  expect(await screen.findByRole('columnheader', { name: 'Cleared' })).toBeTruthy();
  second.unmount();
  fakeNetwork(answer([cleared]));
  open();
  await screen.findByText('1009');
  expect(screen.queryByRole('columnheader', { name: 'Cleared' })).toBeNull();
});

it('the cleared filter applies within the date range and shows totals without a closing balance', async () => {
  signedIn();
  const body = { items: [entry], next: null, total: 1, opening: 150 };
  const dates = 'from=2026-01-01&to=2026-12-31';
  fakeNetwork({
    [`${CALL}&${dates}&cleared=false&desc=true`]: [{ status: 200, body }],
    [`${CALL}&${dates}&cleared=true&desc=true`]: [{ status: 200, body: { ...body, items: [], total: 0 } }],
  });
  const found = open('', { isReconciled: true, cleared: 'false' });
  await screen.findByText('Oak Hollow');
  expect(rowTexts().at(-1)).toBe('1 entry50.000.00');
  found.unmount();
  open('', { isReconciled: true, cleared: 'true' });
  expect(await screen.findByText('No entries in this account match these filters.')).toBeTruthy();
});

it('after all entries are loaded, the register ends with the balance brought forward', async () => {
  signedIn();
  const period = { broughtForward: 150, debits: 50, credits: 0, closing: 200 };
  const body = { items: [entry], next: null, total: 1, opening: 150, period };
  fakeNetwork({ [`${CALL}&from=2026-01-01&to=2026-12-31&desc=true`]: [{ status: 200, body }] });
  open();
  await screen.findByText('Oak Hollow');
  expect(rowTexts().slice(2)).toEqual([
    '12/31/2025Balance brought forward150.00',
    'Period total, 1 entry50.000.00200.00',
  ]);
});

it('a search covers all dates and shows the totals of the results without a closing balance', async () => {
  signedIn();
  const body = { items: [entry], next: null, total: 1, opening: 150 };
  fakeNetwork({
    [`${CALL}&q=oak&desc=true`]: [{ status: 200, body }],
    [`${CALL}&q=hollow&desc=true`]: [{ status: 200, body: { ...body, next: 'more', total: 1000 } }],
    [`${CALL}&q=elm&desc=true`]: [{ status: 200, body: { ...body, items: [], total: 0 } }],
  });
  const found = open('oak');
  await screen.findByText('Oak Hollow');
  expect(rowTexts().at(-1)).toBe('1 entry50.000.00');
  found.unmount();
  const many = open('hollow');
  await screen.findByText('1 of 1,000 or more entries');
  many.unmount();
  open('elm');
  expect(await screen.findByText('No entries in this account match “elm”.')).toBeTruthy();
});
