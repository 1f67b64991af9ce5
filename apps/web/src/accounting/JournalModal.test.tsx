// @vitest-environment jsdom
import '../ui/testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { masterAccounts } from '@evenkeel/core/accounts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeQueryClient } from '../api.ts';
import { show } from '../ui/testing/show.tsx';
import { startForm } from './journalForm.ts';
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

beforeEach(() => {
  sent = [];
  isAway = false;
  globalThis.fetch = (input, init) => {
    const path = input instanceof Request ? input.url : input.toString();
    if (path.endsWith('/customerchartofaccounts')) return Promise.resolve(Response.json(CHART));
    if (path.endsWith('/customersettings')) return Promise.resolve(Response.json({ customerSettingItems: [] }));
    sent.push({
      body: typeof init?.body === 'string' ? init.body : '',
      key: new Headers(init?.headers).get('idempotency-key'),
    });
    if (isAway) return Promise.reject(new TypeError('away'));
    const posted = { transactionID: 5, entityID: 0, draft: false, postingDate: '2026-06-12', description: 'Rent' };
    const more = { sourceType: 'journal', sourceId: 5, generalLedgerEntries: [], rowVersion: 1 };
    return Promise.resolve(Response.json({ ...posted, ...more }));
  };
});
afterEach(() => {
  globalThis.fetch = realFetch;
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

it('Debit on an empty line says what is missing and adds no line', async () => {
  open();
  await press('Debit');
  expect(screen.getByText('Please enter a description')).toBeTruthy();
  expect(screen.getByText('Please Select an Account')).toBeTruthy();
  expect(screen.queryByRole('table', { name: 'Lines' })).toBeNull();
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
