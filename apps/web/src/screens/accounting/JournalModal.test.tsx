// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { decode } from '@evenkeel/contract/wire';
import { masterAccounts } from '@evenkeel/core/accounts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { signIn, signOut } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { formOfDraft, startForm } from './journalForm.ts';
import { JournalModal } from './JournalModal.tsx';

/** The server as far as the modal knows it: the chart, the settings, and what was sent to it. */
const CHART = masterAccounts
  .filter(({ id }) => id === 101 || id === 167)
  .map(({ id, accountNumber, accountName, accountTypeLabel }) => ({
    customerAccountID: id,
    customerAccountId: id,
    name: accountName,
    displayAccountName: accountName,
    displayAccountNumber: accountNumber,
    displayAccountLabel: accountName,
    displayAccountType: accountTypeLabel,
    glAccountDescription: '',
    description: '',
    masterAccountID: id,
    accountCategoryId: 0,
    categoryName: '',
    active: true,
    system: false,
    balance: 0,
    rowVersion: 1,
  }));

const user = userEvent.setup({ delay: null });
const realFetch = globalThis.fetch;
let sent: { body: string; key: string | null }[] = [];
let isAway = false;
/** The server's next refusals; a successful posting where there is none. */
let refusals: { status: number; body: unknown }[] = [];
let settings: { id: number; settingName: string; settingValue: string }[] = [];
let profitCenters: unknown[] = [];

beforeEach(() => {
  sent = [];
  isAway = false;
  refusals = [];
  settings = [];
  profitCenters = [];
  globalThis.fetch = (input, init) => {
    const path = input instanceof Request ? input.url : input.toString();
    if (path.endsWith('/customerchartofaccounts')) return Promise.resolve(Response.json(CHART));
    if (path.endsWith('/customersettings')) return Promise.resolve(Response.json({ customerSettingItems: settings }));
    if (path.endsWith('/profitcenters?inactive=true')) return Promise.resolve(Response.json(profitCenters));
    sent.push({
      body: typeof init?.body === 'string' ? init.body : '',
      key: new Headers(init?.headers).get('idempotency-key'),
    });
    if (isAway) return Promise.reject(new TypeError('away'));
    const refusal = refusals.shift();
    if (refusal !== undefined) return Promise.resolve(Response.json(refusal.body, { status: refusal.status }));
    const posted = { transactionID: 5, entityID: 0, draft: false, postingDate: '2026-06-12', description: 'Rent' };
    const more = { sourceType: 'journal', sourceId: 5, generalLedgerEntries: [], rowVersion: 1 };
    return Promise.resolve(Response.json({ ...posted, ...more }));
  };
});
afterEach(() => {
  globalThis.fetch = realFetch;
  signOut();
});

function open(onClose = () => undefined) {
  const start = { draftName: 'journal', form: startForm(isoDate('2026-06-12')), transactionID: 0 };
  return show(
    <QueryClientProvider client={makeQueryClient()}>
      <JournalModal start={start} onClose={onClose} />
    </QueryClientProvider>,
  );
}

const account = () => screen.getByLabelText<HTMLInputElement>('GL Account', { selector: 'input' });
const press = (name: string) => user.click(screen.getByText(name, { selector: 'button, button *' }));

async function enter(words: { account: string; amount: string; side: string }) {
  await user.click(account());
  await user.paste(words.account);
  await user.tab();
  await user.click(screen.getByLabelText('Description'));
  await user.paste('Rent');
  await user.clear(screen.getByLabelText('Amount'));
  await user.paste(words.amount);
  await press(words.side);
}

it('the only profit center was deactivated: a line that has it says so and can be posted without', async () => {
  settings = [{ id: 2, settingName: 'useProfitCenters', settingValue: 'true' }];
  profitCenters = [{ profitcenterid: 5, profitcentername: 'South', active: false, rowVersion: 1 }];
  const form = startForm(isoDate('2026-06-12'));
  const lines = form.lines.map((line) => ({ ...line, profitCenterId: 5 }));
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <JournalModal
        start={{ draftName: 'journal', form: { ...form, lines }, transactionID: 0 }}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
  const center = await screen.findByLabelText<HTMLInputElement>('Profit Center', { selector: 'input' });
  expect(center.value).toBe('South');
  await user.click(center);
  await user.click(screen.getByText('None', { selector: '[role="option"]' }));
  expect(center.value).toBe('');
});

it('Debit on an empty line says what is missing, goes there, and adds no line', async () => {
  open();
  await press('Debit');
  expect(document.activeElement).toBe(account());
  expect(screen.getByText('Please enter a description')).toBeTruthy();
  expect(screen.getByText('Please Select an Account')).toBeTruthy();
  expect(screen.queryByRole('table', { name: 'Lines' })).toBeNull();
});

it('Debit goes to the amount where that alone is missing', async () => {
  open();
  await user.click(account());
  await user.paste('Rent');
  await user.tab();
  await user.click(screen.getByLabelText('Description'));
  await user.paste('Rent');
  await press('Debit');
  expect(document.activeElement).toBe(screen.getByLabelText('Amount'));
});

it(
  'a lost connection keeps the entry of 1,200.00 and sends it again under the same key',
  { timeout: 30_000 },
  async () => {
    let closed = 0;
    const first = open();
    await enter({ account: 'Rent', amount: '1200', side: 'Debit' });
    expect(document.activeElement).toBe(account());
    expect(account().value).toBe('');
    await press('Post Transaction');
    expect(screen.getByText('Entry must have a minimum of 2 line item entries.')).toBeTruthy();
    await enter({ account: 'Checking', amount: '1000', side: 'Credit' });
    await press('Post Transaction');
    const words = 'Debit and Credit must balance to $0.00 before posting. Debit: $1,200.00 Credit: $1,000.00';
    expect(screen.getByText(words)).toBeTruthy();
    expect(sent).toEqual([]);
    await enter({ account: 'Checking', amount: '200', side: 'Credit' });
    expect(screen.getByText('In Balance')).toBeTruthy();
    isAway = true;
    await press('Post Transaction');
    await waitFor(() => expect(screen.getByText(/Nothing you typed is lost/)).toBeTruthy());
    // Loaded anew, the entry is there as it was, and goes under the key of the first try.
    first.unmount();
    open(() => void (closed += 1));
    expect(await screen.findByText('In Balance')).toBeTruthy();
    isAway = false;
    await waitFor(() => expect(screen.getByText('Post Transaction')).toBeTruthy());
    await press('Post Transaction');
    await waitFor(() => expect(closed).toBe(1));
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({
      postingDate: '2026-06-12',
      generalLedgerEntries: [
        { debit: true, amount: 1200 },
        { debit: false, amount: 1000 },
        { debit: false, amount: 200 },
      ],
    });
    expect(Object.keys(localStorage).filter((key) => key.includes(':draft:'))).toEqual([]);
  },
);

const PERSON = {
  id: 1,
  token: 'token',
  termsAccepted: true,
  initials: 'FH',
  email: 'fay@example.com',
  firstName: 'Fay',
  lastName: 'Hart',
  displayName: 'Fay Hart',
  companyId: 1,
  roleId: 1,
  userRole: 'Administrator',
  permissions: ['Manage Accounting'],
  setupCompleted: true,
};

/** A draft of the server, of rent from Checking, as it travels. */
function wireDraft(amount: number, rowVersion: number) {
  const line = (glid: number, accountID: number, debit: boolean) => ({
    glid,
    transactionID: 7,
    postingDate: '2026-06-12',
    description: 'Rent',
    debitAmount: debit ? amount : null,
    creditAmount: debit ? null : amount,
    balance: null,
    accountID,
    displayAccountLabel: '',
    profitcenterid: null,
    locationid: null,
    entityId: null,
    entityName: '',
    basis: 3,
    sourceType: 'journal',
    sourceId: 7,
    reverses: null,
    reversedBy: null,
  });
  return {
    transactionID: 7,
    entityID: 0,
    draft: true,
    postingDate: '2026-06-12',
    description: 'Rent',
    sourceType: 'journal',
    sourceId: 7,
    generalLedgerEntries: [line(1, 167, true), line(2, 101, false)],
    rowVersion,
  };
}

/** The draft of 80.00 is opened; meanwhile somebody else saves it with 95.00. */
function openStale() {
  const told = { closed: 0 };
  const draft = decode(ledgerCalls.postTransaction.reply, wireDraft(80, 1));
  const start = { draftName: 'journal', form: formOfDraft(draft, isoDate('2026-06-12')), transactionID: 7 };
  const message = 'Someone else has saved this meanwhile';
  refusals = [{ status: 409, body: { code: 'stale', message, current: wireDraft(95, 2), requestId: '1' } }];
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <JournalModal start={start} onClose={() => (told.closed += 1)} />
    </QueryClientProvider>,
  );
  return told;
}

/** The chart has come: what is typed can be posted. */
const ready = () =>
  waitFor(() => {
    const post = screen.getByText('Post Transaction').closest('button');
    expect(post?.disabled).toBe(false);
  });

const amounts = () => screen.getByRole('table', { name: 'Lines' }).querySelector('tfoot')?.textContent;
const bodies = () => sent.map(({ body }) => JSON.parse(body) as { rowVersion?: number; draft?: boolean });

it.each([
  ['Save Transaction', true],
  ['Post Transaction', undefined],
])(
  'a draft that somebody else has saved meanwhile: %s asks whose stays, and mine goes the same way',
  async (way, draft) => {
    const told = openStale();
    await ready();
    await press(way);
    await screen.findByText(/Someone else has saved this meanwhile/);
    expect(told.closed).toBe(0);
    expect(amounts()).toContain('80.00');
    await press('Keep mine');
    await waitFor(() => expect(told.closed).toBe(1));
    expect(bodies().map(({ rowVersion }) => rowVersion)).toEqual([1, 2]);
    expect(bodies().map((body) => body.draft)).toEqual([draft, draft]);
    expect(sent[1]?.body).toContain('"amount":80');
  },
);

it('theirs is taken in place of what was typed, with its version, and nothing is sent until it is saved', async () => {
  const told = openStale();
  await ready();
  await press('Save Transaction');
  await screen.findByText(/Someone else has saved this meanwhile/);
  await press('Reload theirs');
  expect(amounts()).toContain('95.00');
  expect(screen.queryByText(/Someone else has saved this meanwhile/)).toBeNull();
  expect(sent).toHaveLength(1);
  await press('Post Transaction');
  await waitFor(() => expect(told.closed).toBe(1));
  expect(bodies()[1]).toMatchObject({ rowVersion: 2, generalLedgerEntries: [{ amount: 95 }, { amount: 95 }] });
});

const row = (at: number) =>
  screen.getByRole('table', { name: 'Lines' }).querySelectorAll('tbody tr')[at] ?? document.body;

it.each([['Save Transaction'], ['Next line'], ['the other line']])(
  'an amount that cannot be read is neither kept as nothing nor left behind: %s',
  async (way) => {
    const told = openStale();
    refusals = [];
    await ready();
    await user.click(row(0));
    await user.clear(screen.getByLabelText('Amount'));
    await user.paste('1.234,50');
    await (way === 'the other line' ? user.click(row(1)) : press(way));
    expect(screen.getByLabelText('Amount')).toHaveProperty('value', '1.234,50');
    expect([sent, told.closed]).toEqual([[], 0]);
  },
);

it.each([
  ['Administrator', true],
  ['Bookkeeper', false],
])(
  'closed books refuse a posting by its date; of a reason only an administrator is asked: %s',
  async (userRole, asked) => {
    signIn({ ...PERSON, userRole });
    const told = openStale();
    const message = 'The books are closed through 6/30/2026';
    refusals = [{ status: 422, body: { code: 'closed', message, fields: { postingDate: message }, requestId: '1' } }];
    await ready();
    await press('Post Transaction');
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
    expect(told.closed).toBe(0);
    const reason = screen.queryByLabelText('Reason for changing closed books');
    expect(reason !== null).toBe(asked);
    if (reason === null) return;
    await user.click(reason);
    await user.paste('Late bill');
    await press('Post Transaction');
    await waitFor(() => expect(told.closed).toBe(1));
    expect(bodies()[0]).not.toHaveProperty('closingOverrideReason');
    expect(bodies()[1]).toMatchObject({ closingOverrideReason: 'Late bill' });
  },
);
