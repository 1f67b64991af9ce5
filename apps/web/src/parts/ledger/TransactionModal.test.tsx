// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeNetwork, showWithData, signedIn } from '../../screens/billing/testing/answers.tsx';
import { signOut } from '../../client/session.ts';
import { TransactionModal } from './TransactionModal.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const entry = (glid: number, displayAccountLabel: string, basis: number, amount: number) => ({
  glid,
  transactionID: 77,
  postingDate: '2026-05-26',
  description: 'Payment 1009',
  debitAmount: amount > 0 ? amount : null,
  creditAmount: amount < 0 ? -amount : null,
  balance: null,
  accountID: glid,
  displayAccountLabel,
  profitcenterid: null,
  locationid: null,
  entityId: null,
  entityName: '',
  basis,
  sourceType: 'payment',
  sourceId: 9,
  reverses: null,
  reversedBy: null,
  reconciliationId: null,
});

const RECEIVED = entry(1, '1050 - Undeposited Funds', 0, 530);
const PAYMENT = [
  RECEIVED,
  entry(2, '1200 - Accounts Receivable', 1, -530),
  entry(3, '4000 - Sales', 2, -500),
  entry(4, '2200 - Sales Tax Payable', 2, -30),
];

function openTransaction(generalLedgerEntries: object[], reportingAccountingBasis = '0') {
  signedIn();
  const settings = [
    { id: 8, rowVersion: 1, settingName: 'reportingAccountingBasis', settingValue: reportingAccountingBasis },
  ];
  fakeNetwork({
    'GET /customersettings': [{ status: 200, body: { customerSettingItems: settings } }],
    'GET /GeneralLedger/GetTransactionEntriesFromID/77': [
      {
        status: 200,
        body: {
          transactionID: 77,
          entityID: 1,
          draft: false,
          postingDate: '2026-05-26',
          description: 'Payment 1009',
          sourceType: 'payment',
          sourceId: 9,
          documentLinks: [],
          generalLedgerEntries,
          rowVersion: 1,
        },
      },
    ],
  });
  showWithData(<TransactionModal transactionId={77} onClose={() => undefined} />);
}

const table = () => screen.findByRole('table');
const totals = async () =>
  within(await table())
    .getByText('Total')
    .closest('tr')?.textContent;

it('accrual and cash lines have separate totals, and the company’s basis comes first', async () => {
  openTransaction(PAYMENT);
  expect(await totals()).toBe('Total530.00530.00');
  expect(within(await table()).queryByText(/4000 - Sales/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Cash' }));
  expect(await totals()).toBe('Total530.00530.00');
  expect(within(await table()).queryByText(/Accounts Receivable/)).toBeNull();
  expect(within(await table()).getByText('4000 - Sales')).toBeTruthy();
  expect(screen.queryByText('1,060.00')).toBeNull();
});

it('a company on the cash basis sees the cash lines first', async () => {
  openTransaction(PAYMENT, '1');
  expect(await screen.findByText('4000 - Sales')).toBeTruthy();
  expect(within(await table()).queryByText(/Accounts Receivable/)).toBeNull();
});

it('a transaction that is the same on both bases offers no choice of basis', async () => {
  openTransaction([RECEIVED, entry(5, '3000 - Capital', 0, -530)]);
  expect(await totals()).toBe('Total530.00530.00');
  expect(screen.queryByRole('radio', { name: 'Cash' })).toBeNull();
});

it('for an invoice without cash lines, a message says that there are none', async () => {
  openTransaction([entry(1, '1200 - Accounts Receivable', 1, 530), entry(2, '4000 - Sales', 1, -530)]);
  expect(await totals()).toBe('Total530.00530.00');
  await userEvent.click(screen.getByRole('radio', { name: 'Cash' }));
  expect(screen.getByText('No entries on the cash basis.')).toBeTruthy();
});
