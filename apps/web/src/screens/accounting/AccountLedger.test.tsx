// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { signOut } from '../../client/session.ts';
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
  entityId: null,
  entityName: 'Oak Hollow',
  basis: 0,
  sourceType: 'payment',
  sourceId: 9,
  reverses: null,
  reversedBy: null,
};

it('an account opens on its fiscal year, and the address says so', () => {
  const ask = openedOn(138, { today: isoDate('2026-02-10'), fyStartMonth: 7 });
  expect(ask).toMatchObject({ accountId: 138, from: '2025-07-01', to: '2026-06-30' });
  const query = new URLSearchParams(JSON.parse(JSON.stringify(writeAccountAsk(ask))));
  expect(readAccountAsk(query)).toEqual(ask);
});

it('names who pays, brings the balance forward and closes the period before all of its pages are read', async () => {
  signedIn();
  fakeNetwork({
    'GET /GeneralLedger/GetAccountEntries/138?limit=100&from=2026-01-01&to=2026-12-31': [
      {
        status: 200,
        body: {
          items: [entry],
          next: 'more',
          total: 340,
          opening: 150,
          period: { broughtForward: 150, debits: 1250, credits: 1025.5, closing: 374.5 },
        },
      },
    ],
  });
  const year = { from: isoDate('2026-01-01'), to: isoDate('2026-12-31') };
  showWithData(<AccountLedger accountId={138} {...year} showReversed={false} onOpen={NOTHING} onClose={NOTHING} />);
  expect(await screen.findByText('Oak Hollow, Payment 1009')).toBeTruthy();
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows[1]).toBe('12/31/2025Balance brought forward150.00');
  expect(rows.at(-1)).toBe('Period total, 340 entries1,250.001,025.50374.50');
});
