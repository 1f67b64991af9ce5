// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { REHEARSE_HEADER } from '@evenkeel/contract/wire';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { decode } from '@evenkeel/contract/wire';
import { masterAccounts } from '@evenkeel/core/books/accounts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { signIn, signOut } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { alerts } from '../../ui/alerts/store.ts';
import { formOfDraft, startForm, startOpening } from './journalForm.ts';
import { JournalModal } from './JournalModal.tsx';
import type { JournalStart } from './useJournal.ts';

/** The part of the server that the modal uses: the chart, the settings, and the requests that it received. */
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
/** The server's next rejections. If there are none, posting succeeds. */
let refusals: { status: number; body: unknown }[] = [];
let settings: { id: number; rowVersion: number; settingName: string; settingValue: string }[] = [];
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
    // A rehearsal writes nothing, and the form works even if the rehearsal fails.
    if (new Headers(init?.headers).has(REHEARSE_HEADER)) return Promise.reject(new TypeError('offline'));
    sent.push({
      body: typeof init?.body === 'string' ? init.body : '',
      key: new Headers(init?.headers).get('idempotency-key'),
    });
    if (isAway) return Promise.reject(new TypeError('offline'));
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

const NEW = { draftName: 'journal', form: startForm(isoDate('2026-06-12')), transactionID: 0 };

function open(onClose = () => undefined, start: JournalStart = NEW) {
  return show(
    <QueryClientProvider client={makeQueryClient()}>
      <JournalModal start={start} onClose={onClose} />
    </QueryClientProvider>,
  );
}

const cell = (name: string, line: number) =>
  screen.getByLabelText<HTMLInputElement>(`${name}, line ${line}`, { selector: 'input' });
const press = (name: string) => user.click(screen.getByText(name, { selector: 'button, button *' }));

interface Words {
  account: string;
  amount: string;
  side: 'Debit' | 'Credit';
}

/** Enters a line with the keyboard, starting with its account. */
async function enter(line: number, { account, amount, side }: Words) {
  await user.click(cell('GL Account', line));
  await user.paste(account);
  await user.tab();
  await user.paste('Rent');
  await user.tab();
  if (side === 'Credit') await user.tab();
  expect(document.activeElement).toBe(cell(side, line));
  await user.paste(amount);
}

it('a line shows its inactive profit center, even if it is the only one, and can be posted without it', async () => {
  settings = [{ id: 2, rowVersion: 1, settingName: 'useProfitCenters', settingValue: 'true' }];
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
  const center = await screen.findByLabelText<HTMLInputElement>('Profit Center, line 1', { selector: 'input' });
  expect(center.value).toBe('South');
  await user.click(center);
  await user.click(screen.getByText('None', { selector: '[role="option"]' }));
  expect(center.value).toBe('');
});

it('for opening balances, the last line balances a debit of 900.00 until that line is edited', async () => {
  const form = startOpening(isoDate('2025-12-31'));
  open(() => undefined, { draftName: 'journal opening', form, transactionID: 0 });
  await ready();
  expect(document.activeElement).toBe(cell('GL Account', 1));
  expect(screen.getByLabelText<HTMLInputElement>('Posting Date').value).toBe('12/31/2025');
  await enter(1, { account: 'Rent', amount: '900', side: 'Debit' });
  await user.tab();
  expect(cell('Credit', 2).value).toBe('900.00');
  // The Add line button inserts a line above the last line.
  await press('Add line');
  expect(document.activeElement).toBe(cell('GL Account', 2));
  await enter(2, { account: 'Rent', amount: '250', side: 'Credit' });
  // Pressing Tab in the last cell inserts another line above the last line.
  await user.tab();
  expect(document.activeElement).toBe(cell('GL Account', 3));
  expect(cell('Credit', 4).value).toBe('650.00');
  await user.click(cell('Credit', 4));
  await user.paste('600');
  await user.tab();
  await user.click(cell('Debit', 1));
  await user.paste('1000');
  await user.tab();
  expect(cell('Credit', 4).value).toBe('600.00');
});

it('posting reports an invalid line and moves the focus to its first invalid cell', async () => {
  open();
  await ready();
  await enter(1, { account: 'Rent', amount: '12', side: 'Debit' });
  await press('Add line');
  await user.click(cell('Credit', 2));
  await user.paste('12');
  await press('Post Transaction');
  expect(screen.getAllByText('Please Select an Account').length).toBeGreaterThan(0);
  expect(document.activeElement).toBe(cell('GL Account', 2));
  expect(sent).toEqual([]);
});

it('a rejected entry shows the reason and stays open unchanged', async () => {
  open();
  await ready();
  await enter(1, { account: 'Rent', amount: '12', side: 'Debit' });
  await press('Add line');
  await enter(2, { account: 'Checking', amount: '12', side: 'Credit' });
  refusals = [{ status: 503, body: { code: 'unavailable', message: 'No disk' } }];
  await press('Post Transaction');
  const told = () => alerts.state().past.map(({ text }) => text);
  await waitFor(() => expect(told()).toContain('Error Posting Transaction: No disk'));
  expect(cell('Debit', 1).value).toBe('12.00');
});

it('Tab after the last cell adds an empty line, Enter moves down, and = balances the entry', async () => {
  open();
  await ready();
  expect(document.activeElement).toBe(cell('GL Account', 1));
  await enter(1, { account: 'Rent', amount: '12', side: 'Debit' });
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(cell('Debit', 2));
  await user.tab();
  await user.keyboard('=');
  expect(cell('Credit', 2).value).toBe('12.00');
  expect(screen.getAllByText('In Balance').length).toBeGreaterThan(0);
  await user.tab();
  expect(document.activeElement).toBe(cell('GL Account', 3));
  for (let cells = 0; cells < 4; cells += 1) await user.tab();
  expect(screen.queryByLabelText('GL Account, line 4')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('Remove line 3'));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(cell('GL Account', 3));
});

it("entering a debit clears the line's credit, and clearing the debit leaves both sides empty", async () => {
  open();
  await user.click(cell('Credit', 1));
  await user.paste('20');
  await user.click(cell('Debit', 1));
  await user.paste('7.5');
  expect([cell('Debit', 1).value, cell('Credit', 1).value]).toEqual(['7.5', '']);
  expect(amounts()).toContain('7.50');
  await user.clear(cell('Debit', 1));
  await user.tab();
  expect([cell('Debit', 1).value, cell('Credit', 1).value]).toEqual(['', '']);
});

it('an unknown account in a pasted row is reported there, and rows without a description get the memo', async () => {
  open();
  await ready();
  await user.click(cell('Description', 1));
  await user.paste('Account\tDescription\tDebit\tCredit\nrent & LEASE\tJune\t$1,200.00\t\nChequing\t\t\t1,200.00\n');
  expect(cell('GL Account', 1).value).toBe('Rent & Lease');
  // The pasted rows have replaced the empty line, and the focus is on the line after the rows.
  expect(document.activeElement).toBe(cell('GL Account', 3));
  expect([cell('Debit', 1).value, cell('Credit', 2).value]).toEqual(['1,200.00', '1,200.00']);
  expect(screen.getByText('Line 2: No account is named “Chequing”.')).toBeTruthy();
  await press('Post Transaction');
  expect(sent).toEqual([]);
  await user.click(cell('GL Account', 2));
  await user.paste('Checking');
  await user.tab();
  expect(screen.queryByText(/^Line 2:/)).toBeNull();
  await user.click(screen.getByLabelText('Memo'));
  await user.paste('Rent of June');
  await press('Post Transaction');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    generalLedgerEntries: [
      { debit: true, amount: 1200, description: 'June' },
      { debit: false, amount: 1200, description: 'Rent of June' },
    ],
  });
});

it(
  'after a lost connection, the entry of 1,200.00 is kept and sent again with the same key',
  { timeout: 30_000 },
  async () => {
    let closed = 0;
    const first = open();
    await ready();
    await enter(1, { account: 'Rent', amount: '1200', side: 'Debit' });
    await press('Post Transaction');
    expect(screen.getByText('Entry must have a minimum of 2 line item entries.')).toBeTruthy();
    await press('Add line');
    await enter(2, { account: 'Checking', amount: '1000', side: 'Credit' });
    await press('Post Transaction');
    const words = 'Debit and Credit must balance to $0.00 before posting. Debit: $1,200.00 Credit: $1,000.00';
    expect(screen.getByText(words)).toBeTruthy();
    expect(sent).toEqual([]);
    await user.click(cell('Credit', 2));
    await user.tab();
    await enter(3, { account: 'Checking', amount: '200', side: 'Credit' });
    expect(screen.getAllByText('In Balance').length).toBeGreaterThan(0);
    isAway = true;
    await press('Post Transaction');
    await waitFor(() => expect(screen.getByText(/Your changes are still here/)).toBeTruthy());
    // After a reload, the entry is restored unchanged and is sent with the idempotency key of the first attempt.
    first.unmount();
    open(() => void (closed += 1));
    expect((await screen.findAllByText('In Balance')).length).toBeGreaterThan(0);
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

/** A server response with a saved draft: rent paid from Checking. */
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
    reconciliationId: null,
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

/** Opens a draft of 80.00. Another user then saves it with 95.00. */
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

/** Resolves when the chart has loaded and the entry can be posted. */
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
  '%s asks which version to keep if another user has saved the draft, and can overwrite that version',
  async (way, draft) => {
    const told = openStale();
    await ready();
    await press(way);
    await screen.findByText(/Someone else saved changes to this record/);
    expect(told.closed).toBe(0);
    expect(amounts()).toContain('80.00');
    await press('Keep My Changes');
    await waitFor(() => expect(told.closed).toBe(1));
    expect(bodies().map(({ rowVersion }) => rowVersion)).toEqual([1, 2]);
    expect(bodies().map((body) => body.draft)).toEqual([draft, draft]);
    expect(sent[1]?.body).toContain('"amount":80');
  },
);

it("if the other user's version replaces the entry, nothing is sent until the user saves the entry", async () => {
  const told = openStale();
  await ready();
  await press('Save Transaction');
  await screen.findByText(/Someone else saved changes to this record/);
  await press('Load Their Changes');
  expect(amounts()).toContain('95.00');
  expect(screen.queryByText(/Someone else saved changes to this record/)).toBeNull();
  expect(sent).toHaveLength(1);
  await press('Post Transaction');
  await waitFor(() => expect(told.closed).toBe(1));
  expect(bodies()[1]).toMatchObject({ rowVersion: 2, generalLedgerEntries: [{ amount: 95 }, { amount: 95 }] });
});

it.each([['Save Transaction'], ['Post Transaction']])(
  'an unreadable amount is neither saved nor sent as an empty value: %s',
  async (way) => {
    const told = openStale();
    refusals = [];
    await ready();
    await user.clear(cell('Debit', 1));
    await user.paste('1.234,50');
    await press(way);
    expect(cell('Debit', 1).value).toBe('1.234,50');
    expect([sent, told.closed]).toEqual([[], 0]);
  },
);

it.each([
  ['Administrator', true],
  ['Bookkeeper', false],
])(
  'a date in a closed period is rejected, and only an administrator is asked for a reason: %s',
  async (userRole, asked) => {
    signIn({ ...PERSON, userRole });
    const told = openStale();
    const message = 'The books are closed through 6/30/2026';
    refusals = [{ status: 422, body: { code: 'closed', message, fields: { postingDate: message }, requestId: '1' } }];
    await ready();
    await press('Post Transaction');
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
    expect(told.closed).toBe(0);
    const reason = screen.queryByLabelText('Reason for Changing Closed Books');
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
