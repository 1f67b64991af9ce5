// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { BankLine, Candidate } from '@evenkeel/contract/statements';
import { encode } from '@evenkeel/contract/wire';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import {
  fakeNetwork,
  type FakeNetwork,
  field,
  fill,
  press,
  showWithData,
  signedIn,
} from '../../billing/testing/answers.tsx';
import { type Imported, ReviewTab } from './ReviewTab.tsx';
import { aCandidate, aLine } from './testing.ts';

const answer = (body: unknown) => [{ status: 200, body }];
const wire = (line: BankLine) => encode(BankLine, line);
const page = (lines: readonly BankLine[]) => {
  const none = { count: 0, amount: 0 };
  const parts = { review: { count: lines.length, amount: 0 }, matched: none, added: none, transferred: none };
  return answer({ items: lines.map(wire), next: null, total: lines.length, parts: { ...parts, excluded: none } });
};
const offered = (...candidates: readonly Candidate[]) =>
  answer({ candidates: candidates.map((one) => encode(Candidate, one)), found: [], documents: [] });

const sure = aCandidate({ key: 'entry:9', sure: true });
const other = aCandidate({ key: 'entry:10', reason: 'another day' });
const MULCH = aLine({ id: 1, text: 'MULCH', candidate: sure });
const TWINS = aLine({ id: 2, text: 'TWINS', candidate: sure, choices: 2 });
const FUEL = aLine({ id: 3, text: 'FUEL', amount: cents(-6418) });
const done = (line: BankLine, by = 'Ann Rose'): BankLine => ({
  ...line,
  state: 'matched',
  candidate: null,
  rowVersion: line.rowVersion + 1,
  act: {
    action: 'match',
    reason: '',
    by,
    at: '2026-06-12',
    automatic: false,
    ruleId: null,
    documentLinks: [],
    entries: [],
    lineIds: [],
  },
});
const replied = (line: BankLine) => answer({ line: wire(line), others: [], ruleOffer: null });

let network: FakeNetwork;
beforeEach(() => {
  signedIn('Bookkeeper');
  updateSession({ permissions: ['Manage Banking'] });
  const review = { bankAccountId: 1, bankBalance: 526.06, bankDate: '2026-06-12', booksBalance: 483.16 };
  network = fakeNetwork({
    'GET /bankline': page([MULCH, TWINS, FUEL]),
    'GET /bankline/accounts': answer([{ ...review, reviewCount: 3, reviewSum: 0 }]),
    'GET /bankstatement': answer([]),
    'GET /bankline/1/candidates': offered(sure),
    'GET /bankline/2/candidates': offered(sure, other),
    'GET /bankline/3/candidates': offered(),
    'GET /vendor/choices': answer({ items: [], hasMore: false }),
    'PUT /bankline/1': replied(done(MULCH)),
    'PUT /bankline/2': replied(done(TWINS)),
    'PUT /bankline/3': replied({ ...done(FUEL), state: 'added' }),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  alerts.forget();
  localStorage.clear();
  signOut();
});

async function open(imported?: Imported) {
  const tabs = { tabs: [{ value: 'review' as const, label: 'Review' }], value: 'review' as const, onChange: () => {} };
  const asked = imported && { imported };
  showWithData(<ReviewTab tabs={tabs} actions={[]} onImport={undefined} {...asked} />, '/banking?tab=review');
  await screen.findByTitle('MULCH');
}
const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
const row = (text: string) => screen.getByTitle(text).closest('li') ?? document.body;
const openText = () => document.querySelector('[data-open] .rv-text')?.textContent;
const bodies = () => network.writes.map(({ path, body }) => [path, body]);

it('the review works with only the keyboard: Enter matches, x excludes, and u undoes the last action', async () => {
  await open();
  expect(openText()).toBe('MULCH');
  key('Enter');
  await waitFor(() => expect(screen.queryByTitle('MULCH')).toBeNull());
  expect(openText()).toBe('TWINS');
  key('ArrowDown');
  expect(openText()).toBe('FUEL');
  network.answers['PUT /bankline/3'] = [
    ...replied({ ...done(FUEL), state: 'excluded' }),
    ...replied({ ...FUEL, rowVersion: 3 }),
  ];
  key('x');
  await waitFor(() => expect(screen.queryByTitle('FUEL')).toBeNull());
  network.answers['GET /bankline'] = page([TWINS, { ...FUEL, rowVersion: 3 }]);
  await act(async () => void key('u'));
  await screen.findByTitle('FUEL');
  expect(openText()).toBe('FUEL');
  expect(bodies()).toEqual([
    ['/bankline/1', { action: 'match', candidate: 'entry:9', rowVersion: 1 }],
    ['/bankline/3', { action: 'exclude', rowVersion: 1 }],
    ['/bankline/3', { action: 'undo', rowVersion: 2 }],
  ]);
});

it('after an import, the first bank transaction has the focus, so that Enter matches it', async () => {
  const onFocused = vi.fn<() => void>();
  await open({ isNow: true, onFocused });
  await waitFor(() => expect(document.activeElement?.querySelector('.rv-text')?.textContent).toBe('MULCH'));
  expect(onFocused).toHaveBeenCalledOnce();
});

it('Enter matches the open bank transaction while the selected tab has the focus', async () => {
  await open();
  screen.getByRole('tab', { name: 'Review' }).focus();
  key('Enter');
  await waitFor(() => expect(screen.queryByTitle('MULCH')).toBeNull());
  expect(bodies()).toEqual([['/bankline/1', { action: 'match', candidate: 'entry:9', rowVersion: 1 }]]);
});

it('a double-click or a held key acts on only one bank transaction', async () => {
  await open();
  const button = () => row(openText() ?? '').querySelector('.rv-act') ?? document.body;
  for (const detail of [1, 2, 3]) await act(async () => void fireEvent.click(button(), { detail }));
  expect(bodies()).toEqual([['/bankline/1', { action: 'match', candidate: 'entry:9', rowVersion: 1 }]]);
  expect(openText()).toBe('TWINS');
  const exclude = () => screen.getByRole('button', { name: 'Exclude' });
  for (const detail of [1, 2, 3]) await act(async () => void fireEvent.click(exclude(), { detail }));
  expect(bodies()).toHaveLength(2);
  network.answers['GET /bankline'] = page([MULCH, TWINS, FUEL]);
  cleanup();
  await open();
  const held = (name: string, repeat: boolean) => fireEvent.keyDown(document.body, { key: name, repeat });
  for (const repeat of [false, true, true, true]) await act(async () => void held('x', repeat));
  expect(bodies()).toHaveLength(3);
  // A held arrow key moves through the bank transactions.
  for (const repeat of [false, true]) await act(async () => void held('ArrowDown', repeat));
  expect(openText()).toBe('FUEL');
});

it('u undoes the last action even if no bank transaction is open', async () => {
  network.answers['GET /bankline'] = page([MULCH]);
  network.answers['PUT /bankline/1'] = [...replied(done(MULCH)), ...replied({ ...MULCH, rowVersion: 3 })];
  await open();
  key('Enter');
  await waitFor(() => expect(screen.queryByTitle('MULCH')).toBeNull());
  network.answers['GET /bankline'] = page([{ ...MULCH, rowVersion: 3 }]);
  await act(async () => void key('u'));
  await screen.findByTitle('MULCH');
  expect(openText()).toBe('MULCH');
});

it('Enter accepts neither of 2 possible matches until the 2 key selects the second one', async () => {
  await open();
  key('ArrowDown');
  await screen.findByText(/Another day/);
  key('Enter');
  expect(network.writes).toEqual([]);
  key('2');
  expect(
    within(row('TWINS'))
      .getAllByRole('radio')
      .map((one) => (one as HTMLInputElement).checked),
  ).toEqual([false, true]);
  key('Enter');
  await waitFor(() => expect(screen.queryByTitle('TWINS')).toBeNull());
  expect(bodies()).toEqual([['/bankline/2', { action: 'match', candidate: 'entry:10', rowVersion: 1 }]]);
});

it('after a lost response, the bank transaction stays in the list and is sent again with the same key', async () => {
  network.answers['PUT /bankline/1'] = ['silence', ...replied(done(MULCH))];
  await open();
  key('Enter');
  const told = await within(row('MULCH')).findByRole('alert');
  expect(told.textContent).toContain('Try again');
  network.answers['GET /bankline'] = page([TWINS, FUEL]);
  key('x');
  await waitFor(() => expect(screen.queryByTitle('TWINS')).toBeNull());
  await act(async () => void fireEvent.click(within(row('MULCH')).getByText('Match')));
  await waitFor(() => expect(screen.queryByTitle('MULCH')).toBeNull());
  const keys = network.writes.filter(({ path }) => path === '/bankline/1').map(({ key: sent }) => sent);
  expect([keys.length, new Set(keys).size, keys[0] === null]).toEqual([2, 1, false]);
});

it('if another user handled a bank transaction first, the screen says who did, and OK continues', async () => {
  const stale = { code: 'conflict', message: 'Someone else has already handled this bank transaction', requestId: 'r' };
  network.answers['PUT /bankline/1'] = [{ status: 409, body: stale }];
  network.answers['GET /bankline/1'] = answer(wire(done(MULCH, 'Pat Jones')));
  await open();
  network.answers['GET /bankline'] = page([TWINS, FUEL]);
  key('Enter');
  const told = await within(row('MULCH')).findByRole('alert');
  expect(told.textContent).toBe('Pat Jones has already handled this bank transaction: matched');
  await press('OK');
  expect(screen.queryByTitle('MULCH')).toBeNull();
});

it('a transaction that is added by hand keeps its draft and its key after a lost response', async () => {
  network.answers['PUT /bankline/3'] = ['silence', ...replied({ ...done(FUEL), state: 'added' })];
  await open();
  key('ArrowDown');
  key('ArrowDown');
  key('a');
  const box = await screen.findByLabelText('Description');
  fill(box, 'Diesel');
  const account = screen.getByRole('combobox', { name: 'Account' });
  fireEvent.click(account);
  fireEvent.click(await screen.findByText('Service Income'));
  await press('Add');
  await screen.findAllByText(/Try again/);
  expect(field('Description').getAttribute('value')).toBe('Diesel');
  await press('Add');
  await waitFor(() => expect(screen.queryByTitle('FUEL')).toBeNull());
  expect(network.writes.map(({ body }) => body)).toMatchObject(
    [1, 2].map(() => ({ action: 'add', memo: 'Diesel', lines: [{ accountID: 141, amount: -64.18 }], rowVersion: 1 })),
  );
  expect(new Set(network.writes.map(({ key: sent }) => sent)).size).toBe(1);
  expect(Object.keys(localStorage).filter((name) => name.includes('bankline'))).toEqual([]);
});

it('safe matches are listed and accepted as shown, and any that have changed are reported', async () => {
  network.answers['GET /bankline?state=review&sure=true'] = answer([wire(MULCH), wire({ ...TWINS, choices: 1 })]);
  const error = { code: 'conflict', message: 'An entry was matched meanwhile', requestId: 'r' };
  network.answers['POST /bankline/accept'] = answer([{ record: wire(done(MULCH)) }, { error }]);
  await open();
  await press('Accept 1 Suggested Match');
  await press('Accept 2 lines');
  await screen.findByText('TWINS: An entry was matched meanwhile');
  expect(bodies()).toEqual([['/bankline/accept', { ids: [1, 2], candidates: ['entry:9', 'entry:9'] }]]);
});

it('a rule is suggested with the values that 2 similar actions share, and / focuses the search', async () => {
  const line = { accountID: 141, percent: 100, profitcenterid: null, locationid: null };
  const ruleOffer = { text: 'MULCH', bankAccountId: 1, line, accountLabel: 'Service Income' };
  network.answers['PUT /bankline/1'] = answer({ line: wire(done(MULCH)), others: [], ruleOffer });
  await open();
  key('Enter');
  await screen.findByText('Always categorize MULCH as Service Income?');
  await act(async () => void key('/'));
  expect(document.activeElement?.getAttribute('placeholder')).toBe('Search text or amount...');
  key('x');
  expect(network.writes).toHaveLength(1);
  await press('Create Rule');
  await waitFor(() => expect(field('Words').getAttribute('value')).toBe('MULCH'));
  expect(screen.getByRole('combobox', { name: 'Account' }).getAttribute('value')).toBe('Service Income');
});

it('a user with only view permission sees bank transactions without actions', async () => {
  updateSession({ permissions: ['View Banking'] });
  await open();
  expect(screen.queryByText('Match')).toBeNull();
  key('x');
  expect(network.writes).toEqual([]);
});

it('paying an invoice requires Manage Billing in addition to Manage Banking', async () => {
  const pays = aCandidate({ key: 'document:5', kind: 'document', action: 'pay', entries: [], sure: true });
  network.answers['GET /bankline'] = page([{ ...MULCH, candidate: pays }]);
  network.answers['GET /bankline/1/candidates'] = offered(pays);
  await open();
  const pay = () => screen.getByText('Pay Invoice', { selector: '.rv-act *' }).closest('button');
  expect(pay()?.disabled).toBe(true);
  expect(screen.queryByText(/^Accept /)).toBeNull();
  key('Enter');
  expect(network.writes).toEqual([]);
  await act(async () => updateSession({ permissions: ['Manage Banking', 'Manage Billing'] }));
  expect(pay()?.disabled).toBe(false);
  key('Enter');
  await waitFor(() =>
    expect(bodies()).toEqual([['/bankline/1', { action: 'pay', candidate: 'document:5', rowVersion: 1 }]]),
  );
});

it('200.00 pays part of an invoice that was found by hand, but only after the amounts add up', async () => {
  updateSession({ permissions: ['Manage Banking', 'Manage Billing'] });
  const line = { ...MULCH, amount: cents(20_000), candidate: null, choices: 0 };
  const owed = (invoiceId: number, openAmount: number, entityId = 7) => {
    const words = { kind: 'invoice', number: `10${invoiceId}`, date: '2026-06-01', entityName: 'Acme Tools' };
    return { invoiceId, openAmount, entityId, ...words };
  };
  const documents = [owed(4, 150), owed(5, 300), owed(6, 300, 8)];
  network.answers['GET /bankline'] = page([line]);
  network.answers['GET /bankline/1/candidates'] = answer({ candidates: [], found: [], documents });
  await open();
  key('m');
  const box = (number: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(number) });
  await screen.findByRole('checkbox', { name: /104/ });
  fireEvent.click(box('104'));
  fireEvent.click(box('105'));
  expect([field('Amount paid on 104'), field('Amount paid on 105')].map((one) => one.getAttribute('value'))).toEqual([
    '150.00',
    '50.00',
  ]);
  expect(box('106').disabled).toBe(true);
  fill(field('Amount paid on 104'), '120');
  expect(screen.getByText('Remaining 30.00')).toBeTruthy();
  fill(field('Amount paid on 105'), '80');
  await press('Pay Invoices');
  const parts = [
    { invoiceId: 4, amount: 120 },
    { invoiceId: 5, amount: 80 },
  ];
  await waitFor(() =>
    expect(bodies()).toEqual([['/bankline/1', { action: 'pay', entityId: 7, documents: parts, rowVersion: 1 }]]),
  );
});

it('an undo in a closed period requires a reason from an administrator', async () => {
  signedIn('Administrator');
  updateSession({ permissions: ['Manage Banking', 'Manage Accounting'] });
  const closed = { code: 'closed', message: 'The books are closed', requestId: 'r' };
  network.answers['PUT /bankline/1'] = [
    ...replied(done(MULCH)),
    { status: 409, body: closed },
    ...replied({ ...MULCH, rowVersion: 3 }),
  ];
  await open();
  key('Enter');
  await waitFor(() => expect(screen.queryByTitle('MULCH')).toBeNull());
  await act(async () => void key('u'));
  fill(await screen.findByLabelText('Reason for Changing Closed Books'), 'Matched in error');
  network.answers['GET /bankline'] = page([{ ...MULCH, rowVersion: 3 }, TWINS, FUEL]);
  await press('Try Again');
  await waitFor(() => expect(network.writes).toHaveLength(3));
  expect(network.writes.at(-1)?.body).toEqual({
    action: 'undo',
    rowVersion: 2,
    closingOverrideReason: 'Matched in error',
  });
  await screen.findByRole('button', { name: 'Match journal entry 9 · Mulch' });
});

/** Responds to every upload with the file ID 31. */
class Uploads extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly responseText = JSON.stringify({
    documentId: 31,
    documentName: 'receipt.pdf',
    size: 7,
    contentType: 'application/pdf',
  });
  open = () => {};
  setRequestHeader = () => {};
  abort = () => {};
  send = () => queueMicrotask(() => this.dispatchEvent(new Event('load')));
}

it('a receipt is attached to the created record, and the bank transaction stays open', async () => {
  vi.stubGlobal('XMLHttpRequest', Uploads);
  const settled = done(MULCH);
  const link = { id: 5, documentId: 31, documentName: 'receipt.pdf', uploadDate: isoDate('2026-06-12') };
  const documentLinks = [{ ...link, filePath: '/api/document/31', contentType: 'application/pdf', size: 7 }];
  const act = settled.act && {
    ...settled.act,
    documentLinks: documentLinks.map((one) => ({ ...one, deleted: false })),
  };
  network.answers['GET /bankline'] = page([settled]);
  network.answers['PUT /bankline/1'] = replied({ ...settled, act });
  await open();
  network.answers['GET /bankline'] = page([{ ...settled, act }]);
  const input = document.querySelector<HTMLInputElement>('.rv-open-books input[type="file"]');
  fireEvent.change(input ?? document.body, { target: { files: [new File(['%PDF-1.'], 'receipt.pdf')] } });
  await within(row('MULCH')).findByRole('button', { name: 'receipt.pdf' });
  const body = { action: 'attach', documentLinks: [{ documentId: 31 }], rowVersion: 2 };
  expect(bodies()).toEqual([['/bankline/1', body]]);
  expect(alerts.state().shown.map(({ text, action }) => [text, action])).toEqual([['Attached: MULCH', undefined]]);
  expect(within(row('MULCH')).getByRole('button', { name: 'Undo MULCH' })).toBeTruthy();
});

it.each([
  [483.16, 'Reconcile: Both Show 483.16'],
  [526.06, 'Reconcile: Difference 42.90'],
])('after the last bank transaction, if the bank balance is %s, the list offers %s', async (bankBalance, label) => {
  const review = { bankAccountId: 1, bankBalance, bankDate: '2026-06-12', booksBalance: 483.16 };
  network.answers['GET /bankline/accounts'] = answer([{ ...review, reviewCount: 0, reviewSum: 0 }]);
  const none = { count: 0, amount: 0 };
  const parts = { review: none, matched: { count: 3, amount: 5 }, added: none, transferred: none, excluded: none };
  network.answers['GET /bankline'] = answer({ items: [], next: null, total: 0, parts });
  const tabs = { tabs: [{ value: 'review' as const, label: 'Review' }], value: 'review' as const, onChange: () => {} };
  showWithData(<ReviewTab tabs={tabs} actions={[]} onImport={undefined} />, '/banking?tab=review');
  expect(await screen.findByRole('button', { name: label })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Next: / })).toBeNull();
});
