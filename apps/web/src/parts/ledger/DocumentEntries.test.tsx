// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeNetwork, press, showWithData, signedIn, wireInvoice } from '../../screens/billing/testing/answers.tsx';
import { BillingScreen } from '../../screens/billing/BillingScreen.tsx';
import { signOut, updateSession } from '../../client/session.ts';
import { sourceDocument, sourceWord } from './sources.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const entry = (glid: number, label: string, amount: number, change: object = {}) => ({
  glid,
  transactionID: 70,
  postingDate: '2026-05-26',
  description: 'Invoice 10436',
  debitAmount: amount > 0 ? amount : null,
  creditAmount: amount < 0 ? -amount : null,
  balance: null,
  accountID: glid,
  displayAccountLabel: label,
  profitcenterid: null,
  locationid: null,
  entityId: null,
  entityName: '',
  basis: 1,
  sourceType: 'invoice',
  sourceId: 36,
  reverses: null,
  reversedBy: null,
  reconciliationId: null,
  ...change,
});

const ENTRIES = [
  entry(1, 'Accounts Receivable', 150, { reversedBy: 3 }),
  entry(2, 'Service Income', -200),
  entry(3, 'Accounts Receivable', -150, { reverses: 1 }),
  entry(4, 'Accounts Receivable', 200),
];

async function openPanel() {
  fakeNetwork({
    'GET /billinginvoice': [{ status: 200, body: [wireInvoice()] }],
    'GET /billinginvoice/36': [{ status: 200, body: wireInvoice() }],
    'GET /GeneralLedger/GetEntriesFromSource/invoice/36': [{ status: 200, body: ENTRIES }],
  });
  showWithData(<BillingScreen />);
  await userEvent.click(await screen.findByText('10436'));
  await screen.findByText('Invoice 10436');
}

it("an invoice's Ledger tab shows its current entries, 200.00 on each side, without reversed entries", async () => {
  signedIn();
  await openPanel();
  await press('Ledger');
  expect(await screen.findByRole('table', { name: 'Entries' })).toBeTruthy();
  expect(screen.getByText('Total').closest('tr')?.textContent).toBe('Total200.00200.00');
  expect(screen.queryByText('150.00')).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Cash' }));
  expect(screen.getByText('No entries on the cash basis.')).toBeTruthy();
});

it('a user with neither accounting nor report permission has no Ledger tab', async () => {
  signedIn();
  updateSession({ permissions: ['View Billing'] });
  await openPanel();
  expect(screen.queryByText('Ledger')).toBeNull();
});

it('every source type has a label, and every document has a screen and a state that opens the document there', () => {
  expect(['expense', 'expensepayment', 'journal', 'other'].map(sourceWord)).toEqual([
    'Bill',
    'Bill payment',
    'Journal entry',
    'other',
  ]);
  expect(sourceDocument('expensepayment', 4)).toEqual({
    label: 'Open Bill payment',
    to: '/expenses',
    needs: 'View Expenses',
    state: { paymentId: 4 },
  });
  expect(sourceDocument('journal', 4)).toBeUndefined();
});
