// @vitest-environment jsdom
import '../../testing/setup.ts';
import { BankLine } from '@evenkeel/contract/statements';
import { encode } from '@evenkeel/contract/wire';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  fakeNetwork,
  type FakeNetwork,
  field,
  fill,
  press,
  showWithData,
  signedIn,
} from '../billing/testing/answers.tsx';
import { signOut, updateSession } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { Reconcile } from './Reconcile.tsx';
import { aCandidate, aLine } from './review/testing.ts';

const answer = (body: unknown) => [{ status: 200, body }];

const entry = (glid: number, amount: number) => ({
  glid,
  transactionID: glid,
  postingDate: '2026-05-03',
  description: `Entry ${glid}`,
  debitAmount: amount > 0 ? amount : null,
  creditAmount: amount < 0 ? -amount : null,
  balance: null,
  accountID: 101,
  displayAccountLabel: 'Checking',
  profitcenterid: null,
  locationid: null,
  entityId: null,
  entityName: '',
  basis: 0,
  sourceType: 'journal',
  sourceId: glid,
  reverses: null,
  reversedBy: null,
  reconciliationId: null,
});

const ENTRIES = { incomingEntries: [entry(1, 500)], outgoingEntries: [entry(2, -125)] };
const ACCOUNT = {
  bankingAccountID: 1,
  accountNumber: '',
  isNumberLost: false,
  routingNumber: '',
  entityID: 1,
  name: 'Checking',
  glAccountID: 101,
  allowPayments: true,
  allowDeposits: true,
  creditCards: false,
  documentLinks: [],
  currentBalance: 375,
  lastReconciledDate: '2026-04-30',
  lastReconciledBalance: 1000,
  hasEntries: true,
  active: true,
  rowVersion: 1,
};
const STATEMENT = {
  bankAccountID: 1,
  statementDate: '2026-05-31',
  statementBalance: 1360,
  bankCharge: 15,
  bankChargeAccountID: 151,
  interest: 0,
  interestAccountID: 176,
  documentLinks: [],
};
const PROGRESS = { ...STATEMENT, entries: [1], openedBy: 'Rita Reader', isOwn: false, savedAt: '2026-06-01T08:00:00Z' };
const SAVED = {
  ...STATEMENT,
  ...ENTRIES,
  reconciliationID: 7,
  reconciliationDate: '2026-05-31',
  isDeletable: true,
  number: 1,
  entryCount: 2,
  savedBy: 'Ann Rose',
  savedAt: '2026-06-01T09:00:00Z',
  accountID: 101,
  mostRecentReconDate: '2026-04-30',
  lastBalance: 1000,
};

let network: FakeNetwork;
const onClose = vi.fn<() => void>();
beforeEach(() => {
  onClose.mockClear();
  signedIn();
  updateSession({ permissions: ['Manage Banking'] });
  network = fakeNetwork({
    'GET /bankingAccount/GetBankingAccount/1': answer(ACCOUNT),
    'GET /Reconciliation/GetUnreconciledEntries/101': answer({
      ...ENTRIES,
      mostRecentReconDate: '2026-04-30',
      bankAccountID: 1,
      lastBalance: 1000,
    }),
    'GET /reconciliation/progress/1': answer({ ...PROGRESS, rowVersion: 4 }),
    'POST /Reconciliation': answer(SAVED),
    'GET /bankline?bankAccountId=1&state=review': answer([]),
    'GET /bankline?bankAccountId=1&state=settled&unreconciled=true': answer([]),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  alerts.forget();
  signOut();
});

async function open() {
  showWithData(<Reconcile bankAccountId={1} onClose={onClose} />);
  await screen.findByText('Reconcile Checking');
}
const save = () => screen.getByText('Save', { selector: 'button *' }).closest('button');
const tickPayables = async () => {
  fireEvent.click(screen.getByRole('tab', { name: /Payables/ }));
  await screen.findByText('Select all');
  await press('Select all');
};

it("another user's reconciliation can be continued, and it balances at the statement's 1,360.00", async () => {
  await open();
  expect(field('Statement Balance').getAttribute('value')).toBe('1,360.00');
  expect(save()?.disabled).toBe(true);
  expect(screen.getByText('The reconciled balance is higher than the statement balance.')).toBeTruthy();
  await tickPayables();
  await screen.findByText('In Balance');
  await press('Save');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(network.writes.map(({ body }) => body)).toMatchObject([
    { incomingEntries: [1], outgoingEntries: [2], statementDate: '2026-05-31', statementBalance: 1360, bankCharge: 15 },
  ]);
  expect(alerts.state().past[0]?.text).toBe('Recon saved');
});

it('if a save gets no response, the form stays open and repeats the request with the same key', async () => {
  network.answers['POST /Reconciliation'] = ['silence', ...answer(SAVED)];
  await open();
  await tickPayables();
  await press('Save');
  await screen.findByText(/no answer|not reached|connection/i);
  await press('Save');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const keys = network.writes.map(({ key }) => key);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it('if another user has saved changes, the form asks which version to keep and can overwrite theirs', async () => {
  const theirs = { ...PROGRESS, statementBalance: 99, rowVersion: 5 };
  const stale = { code: 'stale', message: 'Somebody else has saved this', requestId: 'r', current: theirs };
  network.answers['PUT /reconciliation/progress/1'] = [
    { status: 409, body: stale },
    { status: 200, body: { ...PROGRESS, rowVersion: 6 } },
  ];
  await open();
  fill(field('Statement Balance'), '1,235.00');
  await press('Save in progress');
  await press('Keep My Changes');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(network.writes.map(({ body }) => body)).toMatchObject([
    { statementBalance: 1235, rowVersion: 4 },
    { statementBalance: 1235, rowVersion: 5 },
  ]);
});

it('matched entries are already cleared, and an unmatched bank transaction explains the difference', async () => {
  const nothing = {
    ...PROGRESS,
    statementDate: null,
    statementBalance: null,
    bankCharge: 0,
    entries: [],
    rowVersion: 0,
  };
  network.answers['GET /reconciliation/progress/1'] = answer(nothing);
  const own = aCandidate({}).entries.map((one) => ({ ...one, glid: 1 }));
  const act = {
    action: 'match' as const,
    reason: '',
    by: '',
    at: '',
    automatic: false,
    ruleId: null,
    documentLinks: [],
    lineIds: [],
  };
  const settled = aLine({ state: 'matched', candidate: null, act: { ...act, entries: own } });
  const fuel = aLine({ id: 7, text: 'FUEL', amount: cents(-6418), date: isoDate('2026-05-09') });
  const wire = (line: BankLine) => answer([encode(BankLine, line)]);
  network.answers['GET /bankline?bankAccountId=1&state=settled&unreconciled=true'] = wire(settled);
  network.answers['GET /bankline?bankAccountId=1&state=review'] = wire(fuel);
  await open();
  screen.getByText('Receivables, 1 selected');
  fill(field('Statement Date'), '5/31/2026');
  fill(field('Statement Balance'), '1,435.82');
  await screen.findByText('The difference is 0.00 less (64.18). Everything else is matched.');
  await press('Review it');
  expect(window.location.search).toBe('?tab=review&of=1&line=7');
});
