// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut } from '../../client/session.ts';
import { type Answer, type Answers, fakeNetwork, item, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { Alerts } from '../../ui/alerts/Alerts.tsx';
import { alerts } from '../../ui/alerts/store.ts';
import { MoveInScreen } from './MoveInScreen.tsx';
import { failedResult, file, move, result } from './testing/move.ts';

const ok = (body: unknown): Answer[] => [{ status: 200, body }];
const ACCOUNTS = [
  item(101, '1000 - Checking', 'Checking'),
  item(122, '2100 - Credit Card', 'Credit Card'),
  item(540, '1540 - Machinery', 'Fixed Asset'),
];

/** Opens the screen with an import. `answers` are responses to writes and later reads. */
function open(found: object, step = '', answers: Answers = {}) {
  const network = fakeNetwork({
    'GET /movein': ok([]),
    'GET /movein/7': ok(move(found)),
    'GET /customeraccounts': ok(ACCOUNTS),
    'GET /movein/7/parties': ok([]),
    ...answers,
  });
  showWithData(
    <>
      <Alerts />
      <MoveInScreen />
    </>,
    `/movein?move=7${step}`,
  );
  return network;
}

beforeEach(() => signedIn());
afterEach(() => {
  alerts.forget();
  vi.unstubAllGlobals();
  signOut();
  localStorage.clear();
});

/** Returns a button by its text or label. A search by role would take seconds on such a large page. */
const button = async (name: string): Promise<HTMLButtonElement> => {
  const found = await waitFor(() => {
    const [first] = [
      ...screen.queryAllByLabelText(name, { selector: 'button' }),
      ...screen.queryAllByText(name, { selector: 'button, button *' }),
    ];
    if (first === undefined) throw new Error(`no button ${name}`);
    return first.closest('button');
  });
  if (found === null) throw new Error(`${name} is not a button`);
  return found;
};
const focusRow = async (name: string) => (await screen.findByText(name, { selector: 'td' })).closest('tr')?.focus();
const focused = () => document.activeElement?.closest('tr')?.getAttribute('data-match');
const keys = (text: string) => userEvent.keyboard(text);

it('each source shows its files, and Ctrl+Enter creates the import', async () => {
  const network = fakeNetwork({
    'GET /movein': ok([]),
    'POST /movein': ok(move({ status: 'draft', system: 'QuickBooks Desktop', files: [], history: null })),
    'GET /movein/7': ok(move({ status: 'draft', system: 'QuickBooks Desktop', files: [], history: null })),
  });
  showWithData(<MoveInScreen />, '/movein');
  expect(await screen.findByRole('radio', { name: /QuickBooks Online/, checked: true })).toBeTruthy();
  expect(screen.getByText('Reports › Journal › All dates › Accrual › Export to Excel')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /QuickBooks Desktop/ }));
  expect(screen.getByText('File › Utilities › Export › Lists to IIF Files › Select all lists')).toBeTruthy();
  await keys('{Control>}{Enter}{/Control}');
  expect(await screen.findByText('Drop all files here')).toBeTruthy();
  expect(network.writes.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/movein', { system: 'QuickBooks Desktop' }],
  ]);
  expect(window.location.search).toBe('?move=7&step=files');
});

it('the import in progress is resumed at its last step', async () => {
  const inList = { id: 7, status: 'ready', system: 'QuickBooks Online', company: '', files: 1, transactions: 1 };
  const person = { createdBy: { id: 1, name: 'Dana' }, createdAt: '', importedAt: null, undoneAt: null };
  fakeNetwork({
    'GET /movein': ok([{ ...inList, ...person }]),
    'GET /movein/7': ok(move()),
    'GET /customeraccounts': ok(ACCOUNTS),
  });
  showWithData(<MoveInScreen />, '/movein');
  expect(await screen.findByText('Confirm 3 accounts to continue')).toBeTruthy();
});

it('a rejected file is listed first with the reason, blocks Next with a message, and can be deleted', async () => {
  const refusal = { file: 'Trial.xlsx', row: 71, text: 'Trial.xlsx: The report is on the cash basis' };
  const files = [file(1, 'Journal.xlsx'), file(2, 'Trial.xlsx', { state: 'rejected', refusal })];
  const blocked = { files: 'Replace or remove Trial.xlsx to continue', match: '' };
  const network = open({ files, blocked }, '&step=files', { 'DELETE /movein/7/file/2': ok(move()) });
  const table = await screen.findByRole('table', { name: 'Files' });
  expect(
    within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'FileRecognized AsPeriodContentsSizeStatusRemove',
    'Trial.xlsxJournal1/2/2024 – 6/11/202614,372 transactions17.6 kBRejected',
    'The report is on the cash basisReplace',
    'Journal.xlsxJournal1/2/2024 – 6/11/202614,372 transactions17.6 kBRecognized',
  ]);
  expect(screen.getByText('Replace or remove Trial.xlsx to continue')).toBeTruthy();
  expect((await button('Next: Match')).disabled).toBe(true);
  (await button('Remove Trial.xlsx')).focus();
  await keys('{Delete}');
  await waitFor(async () => expect((await button('Next: Match')).disabled).toBe(false));
  expect(network.writes.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /movein/7/file/2']);
});

it('an unknown spreadsheet is read after the user chooses its kind and columns', async () => {
  const sheet = {
    kind: '',
    headings: ['Who', 'Mail'],
    mapping: {},
    samples: [['Ann & Co', 'ann@example.com']],
  };
  const refusal = { file: 'people.csv', text: "people.csv: Evenkeel doesn't recognize this file." };
  const files = [file(1, 'people.csv', { state: 'rejected', format: '', label: '', sheet, refusal })];
  const network = open({ files, transactions: 0 }, '&step=files', ANSWER);
  await userEvent.click(await button('Columns in people.csv'));
  await userEvent.click(await screen.findByLabelText('Type of Record', { selector: 'input' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Customers' }));
  expect((await button('Save')).disabled).toBe(true);
  await userEvent.click(await screen.findByLabelText('Field for Who', { selector: 'input' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Customer' }));
  await userEvent.click(await button('Save'));
  await waitFor(() =>
    expect(network.writes.map(({ body }) => Object(body).sheets)).toEqual([
      [{ file: 'people.csv', kind: 'Customers', mapping: { customer: 0 } }],
    ]),
  );
});

it('choosing how much history to import sends the row version of the import shown on the page', async () => {
  const network = open({ history: null }, '&step=files', { 'PUT /movein/7': ok(move({ rowVersion: 4 })) });
  expect(await screen.findByText('Choose how much history to import')).toBeTruthy();
  expect(screen.getByText(/1\/1\/2026, the start of this fiscal year: 3,118 transactions/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: /^All transactions/ }));
  await waitFor(async () => expect((await button('Next: Match')).disabled).toBe(false));
  expect(network.writes.map(({ body }) => body)).toEqual([{ rowVersion: 3, history: { from: null } }]);
});

const ANSWER = { 'PUT /movein/7': ok(move({ rowVersion: 4 })) };
const decisions = ({ writes }: { writes: { body: unknown }[] }) => writes.map(({ body }) => Object(body).accounts);

it('Enter confirms the suggestion in a row and moves to the next open row', async () => {
  const network = open({}, '&step=match', ANSWER);
  await focusRow('Fairmount Visa');
  await keys('{Enter}');
  await waitFor(() => expect(focused()).toBe('Old Checking'));
  await waitFor(() => expect(decisions(network)).toEqual([[{ key: 'Fairmount Visa', accountId: 122 }]]));
});

it('typing in a row opens its list of accounts, and an account of another type is rejected in the row', async () => {
  const found = move().accounts.map((one) => (one.name === 'Shop Equipment' ? { ...one, type: 'Fixed Asset' } : one));
  const network = open({ accounts: found }, '&step=match', ANSWER);
  await focusRow('Shop Equipment');
  await keys('1000');
  await keys('{Enter}');
  const refusal = 'Shop Equipment is Fixed Asset, and 1000 - Checking is Checking';
  expect((await screen.findByText(refusal)).closest('[role="alert"]')).not.toBeNull();
  expect(network.writes).toEqual([]);
  await userEvent.clear(screen.getByLabelText('Account for Shop Equipment', { selector: 'input' }));
  await keys('mach');
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    '1540 - MachineryFixed Asset',
    'Create Shop EquipmentFixed Asset',
  ]);
  await keys('{Enter}');
  await waitFor(() => expect(decisions(network)).toEqual([[{ key: 'Shop Equipment', accountId: 540 }]]));
});

it('c creates the account, and asks for its type if no file contains the type', async () => {
  const network = open({}, '&step=match', ANSWER);
  await focusRow('Shop Equipment');
  await keys('c');
  const dialog = await screen.findByRole('dialog', { name: 'Create Account' });
  await userEvent.type(within(dialog).getByLabelText('Account Type', { selector: 'input' }), 'fixed{Enter}');
  await userEvent.click(within(dialog).getByText('Create', { selector: 'button *' }));
  const create = { number: '', name: 'Shop Equipment', type: 'Fixed Asset' };
  await waitFor(() => expect(decisions(network)).toEqual([[{ key: 'Shop Equipment', create }]]));
});

it('Ctrl+Enter confirms all suggestions together, and the chips count the open accounts', async () => {
  const network = open({}, '&step=match', { 'PUT /movein/7': [new Promise<Answer>(() => undefined)] });
  expect(await screen.findByText('2 of 5 confirmed')).toBeTruthy();
  await keys('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(decisions(network)).toEqual([[{ key: 'Fairmount Visa', accountId: 122 }]]));
  expect(screen.getByText('To confirm').textContent).toBe('To confirm 2 ');
  expect(screen.getByText('3 of 5 confirmed')).toBeTruthy();
});

it('two source accounts are merged only after confirmation', async () => {
  const network = open({}, '&step=match', ANSWER);
  await focusRow('Old Checking');
  await keys('1000{Enter}');
  expect(await screen.findByText('Merge Old Checking and Checking?')).toBeTruthy();
  expect(network.writes).toEqual([]);
  await userEvent.click(await button('Merge'));
  await waitFor(() => expect(decisions(network)).toEqual([[{ key: 'Old Checking', accountId: 101 }]]));
});

it('an outdated decision does not overwrite a newer decision from another tab', async () => {
  const body = { code: 'stale', message: 'Outdated', requestId: '1' };
  const newer = move({ rowVersion: 9, accounts: move().accounts.slice(0, 1) });
  const network = open({}, '&step=match', {
    'PUT /movein/7': [{ status: 409, body }],
    'GET /movein/7': [...ok(move()), ...ok(newer)],
  });
  await focusRow('Fairmount Visa');
  await keys('{Enter}');
  expect(await screen.findByText(/Someone else changed this import at the same time/)).toBeTruthy();
  expect(await screen.findByText('1 of 1 confirmed')).toBeTruthy();
  expect(network.writes).toHaveLength(1);
});

it('decisions made while a request is pending are sent afterward with the row version from its response', async () => {
  let respond: (answer: Answer) => void = () => undefined;
  const first = new Promise<Answer>((resolve) => (respond = resolve));
  const network = open({}, '&step=match', { 'PUT /movein/7': [first, ...ok(move({ rowVersion: 5 }))] });
  await focusRow('Fairmount Visa');
  await keys('{Enter}');
  await focusRow('Old Checking');
  await keys('c');
  respond({ status: 200, body: move({ rowVersion: 4 }) });
  await waitFor(() => expect(network.writes).toHaveLength(2));
  expect(network.writes.map(({ body }) => Object(body).rowVersion)).toEqual([3, 4]);
  const create = { number: '', name: 'Old Checking', type: 'Checking' };
  expect(decisions(network)[1]).toEqual([{ key: 'Old Checking', create }]);
});

it('k keeps both names, and Enter merges them', async () => {
  const parties = ({ writes }: { writes: { body: unknown }[] }) => writes.map(({ body }) => Object(body).parties);
  const network = open({}, '&step=match&tab=parties', ANSWER);
  await button('Merge Into Marlow Outdoor, LLC');
  await keys('k');
  await waitFor(() => expect(parties(network)).toEqual([[{ key: 'Marlow Outdoor', answer: 'keep' }]]));
  await keys('{Enter}');
  await waitFor(() => expect(parties(network)[1]).toEqual([{ key: 'Marlow Outdoor', answer: 'merge' }]));
});

it('the reconciliation of a bank account is saved when both its date and its balance are entered', async () => {
  const [checking] = move().accounts;
  const accounts = [{ ...checking, isBank: true }];
  const network = open({ accounts }, '&step=match&tab=banks', { 'PUT /movein/7': ok(move({ accounts })) });
  await userEvent.type(await screen.findByLabelText('Reconciled Through'), '5/31/2026');
  await userEvent.tab();
  expect(network.writes).toEqual([]);
  await userEvent.type(screen.getByLabelText('Reconciled Balance'), '1,250.00');
  await userEvent.click(await screen.findByText('1 bank account'));
  await waitFor(() =>
    expect(network.writes.map(({ body }) => Object(body).reconciled)).toEqual([
      [{ key: 'Checking', last: { date: '2026-05-31', balance: 1250 } }],
    ]),
  );
});

it('a tax code with a rate of 0% requires an answer before Next is enabled', async () => {
  const item = {
    key: 'tax out of state',
    name: 'Out of State',
    detail: '0.00%',
    uses: 77,
    value: '',
    isDecided: false,
  };
  const options = [
    { value: 'create', label: 'Create' },
    { value: 'skip', label: "Don't import" },
  ];
  const accounts = [{ ...move().accounts[0], confirmed: true }];
  const parties = { ...move().parties, questions: [] };
  const list = (found: object) => ({
    accounts,
    parties,
    lists: [{ kind: 'tax', options, items: [{ ...item, ...found }] }],
  });
  const network = open(list({}), '&step=match&tab=tax', {
    'PUT /movein/7': ok(move(list({ value: 'skip', isDecided: true }))),
  });
  expect(await screen.findByText('Answer 1 question to continue')).toBeTruthy();
  await userEvent.click(await screen.findByText('Choose a record'));
  expect(await screen.findByText(/has a rate of 0%/)).toBeTruthy();
  await userEvent.click(await screen.findByLabelText('Sales Tax in Evenkeel', { selector: 'input' }));
  await userEvent.click(await screen.findByText("Don't import"));
  await userEvent.click(await button('Confirm'));
  await waitFor(() =>
    expect(network.writes.map(({ body }) => Object(body).lists)).toEqual([
      [{ key: 'tax out of state', value: 'skip' }],
    ]),
  );
  await waitFor(async () => expect((await button('Next: Preview')).disabled).toBe(false));
});

it('the preview shows the proof, and the button shows the number of transactions', async () => {
  const network = open({ status: 'previewed', preview: result() }, '&step=preview', {
    'POST /movein/7/import': ok(move({ status: 'importing', progress: null })),
    'GET /movein/7/progress': ok({ status: 'importing', rowVersion: 3, progress: null, error: null }),
  });
  expect(await screen.findByRole('heading', { name: 'Every balance agrees' })).toBeTruthy();
  const proof = screen.getByRole('table', { name: 'Proof' });
  expect(within(proof).getAllByRole('row')[1]?.textContent).toBe(
    'Trial balance34 accounts at 30 month ends336,249.23336,249.230.00',
  );
  await userEvent.click(await button('Import 14,372 Transactions'));
  expect(await screen.findByText('Cancel Import')).toBeTruthy();
  expect(network.writes.map(({ path }) => path)).toEqual(['/movein/7/import']);
});

it('a failed proof shows the account, month, and rows, and the import is disabled', async () => {
  open({ status: 'previewed', preview: failedResult() }, '&step=preview');
  expect(await screen.findByRole('heading', { name: 'Repair Labor differs by 0.10 in June 2026' })).toBeTruthy();
  expect(screen.getByText('Equals the difference')).toBeTruthy();
  expect(screen.getByText('64.90')).toBeTruthy();
  expect(await button('Replace Journal')).toBeTruthy();
  expect((await button('Import 14,372 Transactions')).disabled).toBe(true);
  expect(screen.getByText('1 month end differs')).toBeTruthy();
});

it('a running import shows its phase, and can be canceled until everything is saved', async () => {
  const progress = {
    phase: 'saving',
    done: 0,
    total: 0,
    date: null,
    startedAt: '2026-06-12T19:12:00Z',
    cancelable: false,
  };
  open({ status: 'importing', progress }, '', {
    'GET /movein/7/progress': ok({ status: 'importing', rowVersion: 3, progress, error: null }),
  });
  expect((await button('Cancel Import')).disabled).toBe(true);
  expect(screen.getByText('Save everything').closest('li')?.getAttribute('aria-current')).toBe('step');
});

const IMPORTED = {
  status: 'imported',
  report: result(),
  importedBy: { id: 1, name: 'Dana Okafor' },
  importedAt: '2026-06-12T19:12:00Z',
};

it('the confirmation for undoing an import shows what will be removed, and Cancel has the focus', async () => {
  const undo = { transactions: 14_372, records: 1201, documents: 34, dependents: [] };
  const network = open({ ...IMPORTED, undo }, '', {
    'POST /movein/7/undo': ok(move({ ...IMPORTED, status: 'undone' })),
  });
  await userEvent.click(await button('Undo Import'));
  const question = 'Undo this import? 14,372 transactions, 1,201 records, and 34 open documents will be removed.';
  const asked = await screen.findByRole('group', { name: question });
  expect(document.activeElement?.textContent).toBe('Cancel');
  await userEvent.click(within(asked).getByRole('button', { name: 'Undo Import' }));
  expect(await screen.findByText('Undone')).toBeTruthy();
  expect(network.writes.map(({ path }) => path)).toEqual(['/movein/7/undo']);
});

it("an import can't be undone if later records depend on it, and the page lists those records", async () => {
  const label = 'Payment 1 · Lakeshore';
  const payment = { kind: 'Payment', source: 'payment', id: 1, label, amount: 1470, text: 'Dated 6/12/2026' };
  open({ ...IMPORTED, undo: { transactions: 1, records: 1, documents: 1, dependents: [payment] } });
  expect((await button('Undo Import')).disabled).toBe(true);
  expect(screen.getByText(label).getAttribute('href')).toBe('/billing?payment=1');
  expect(screen.getByText('1,470.00')).toBeTruthy();
});
