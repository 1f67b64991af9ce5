// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { signedIn } from '../billing/testing/answers.tsx';
import { KeysScreen } from './KeysScreen.tsx';

beforeEach(() => signedIn());
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

const SECRET = `ek_${'Q7f2'.repeat(11).slice(1)}`;
const RECORD = {
  id: 5,
  name: 'Web shop',
  prefix: SECRET.slice(0, 8),
  userId: 7,
  userName: 'Ruth Reader',
  permissions: ['View Billing'],
  addresses: [],
  requestsPerMinute: 120,
  endsOn: '2027-02-27',
  createdAt: '2026-11-27T12:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  status: 'active',
};
const RUTH = {
  id: 7,
  roleId: 2,
  displayName: 'Ruth Reader',
  firstName: 'Ruth',
  lastName: 'Reader',
  email: 'r@h.example',
};
const READER = { id: 2, roleName: 'Front Desk', systemRole: false, roleProperties: ['View Billing'], userCount: 1 };
const USER = { ...RUTH, userRole: 'Front Desk', baseURL: '', colonyBooksTermsAccepted: true, status: 'active' };

const NO_POLICY = { rules: [], accountIds: [] };
const POLICY = {
  keyId: 5,
  keyName: 'Web shop',
  isSaved: false,
  rowVersion: 3,
  policy: NO_POLICY,
  used: [{ group: 'bills', amount: 412.8, count: 3 }],
  locked: [{ accountId: 136, account: 'Opening Balance Equity' }],
  lastDays: { committed: 204, approved: 31, rejected: 4, undone: 1 },
};
const SAVED_POLICY = () => Response.json({ id: 5, name: 'Web shop', rowVersion: 4, policy: NO_POLICY });
let policyAnswers: Response[] = [];

const ACCOUNT = {
  email: 'maya@h.example',
  newEmail: null,
  roleId: 1,
  userRole: 'Administrator',
  permissions: [],
  passwordChangedAt: null,
  secondFactor: { isOn: false, since: null, codesLeft: 0, isRequired: false },
  sessions: [],
};
let asked: string[] = [];

/** The number of responses from the browser's passkey. */
let answers = 0;

/** Gives the browser a passkey, whose responses are numbered. */
function addPasskey(): void {
  const bytes = new ArrayBuffer(1);
  const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: null };
  const get = async () => {
    const id = `answer ${(answers += 1)}`;
    return { id, rawId: bytes, type: 'public-key', response, getClientExtensionResults: () => ({}) };
  };
  vi.stubGlobal('PublicKeyCredential', vi.fn<() => void>());
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
}

/** Stubs the screen's calls. Returns the sent requests as `METHOD path body`. */
function serve(keys: object[], passkeys: object[] = []): string[] {
  const sent: string[] = [];
  [asked, answers] = [[], 0];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    asked.push(url);
    if (url.endsWith('/login/challenge')) {
      sent.push(`${method} ${url} ${typeof init?.body === 'string' ? init.body : ''}`);
      return Response.json({ challenge: 'eA', rpId: 'localhost', timeout: 1000, userVerification: 'required' });
    }
    if (url.endsWith('/api/account')) return Response.json({ ...ACCOUNT, passkeys });
    if (method !== 'GET') sent.push(`${method} ${url} ${typeof init?.body === 'string' ? init.body : ''}`.trim());
    if (url.includes('useradmin')) {
      const rest = { endsOn: null, invitedAt: null, lastSignInAt: null, secondFactor: false, rowVersion: 1 };
      return Response.json([{ ...USER, ...rest }]);
    }
    if (url.endsWith('/policy'))
      return method === 'PUT' ? (policyAnswers.shift() ?? SAVED_POLICY()) : Response.json(POLICY);
    if (url.includes('userroles')) return Response.json([{ ...READER, rowVersion: 1 }]);
    if (url.includes('roles')) return Response.json(['Dashboard', 'Billing', 'Reports']);
    if (method === 'POST') return Response.json({ key: SECRET, record: RECORD });
    return Response.json(method === 'DELETE' ? { ok: true } : keys);
  });
  return sent;
}

const shown = (at: string) =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <KeysScreen />
    </QueryClientProvider>,
    at,
  );

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

test('a new key is shown once, and Done is disabled until the user confirms that it is stored', async () => {
  const sent = serve([]);
  shown('/apikeys?apikey=0');
  await userEvent.type(await screen.findByLabelText('Name'), 'Web shop');
  await userEvent.click(screen.getByRole('combobox', { name: 'User' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Ruth Reader' }));
  // The user can only view invoices, so the key can't do more.
  const levels = await screen.findByRole('group', { name: 'Billing' });
  const choice = (name: string) => [...levels.querySelectorAll('input')].find((one) => one.value === name);
  await waitFor(() => expect(choice('View')?.disabled).toBe(false));
  expect(choice('Manage')?.disabled).toBe(true);
  await userEvent.click(choice('View') as HTMLElement);
  await userEvent.click(screen.getAllByRole('button', { name: 'Create API Key' }).at(-1) as HTMLElement);
  await screen.findByText(SECRET);
  expect(sent).toHaveLength(1);
  expect(JSON.parse(sent[0]?.replace(/^POST \S+ /, '') ?? '')).toMatchObject({
    name: 'Web shop',
    userId: 7,
    permissions: ['View Billing'],
    requestsPerMinute: 120,
  });
  const done = screen.getByRole('button', { name: 'Done' }) as HTMLButtonElement;
  expect(done.disabled).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText("Close without storing the key? You can't view it again.")).toBeTruthy();
  await press('Keep Open');
  await userEvent.click(screen.getByLabelText('I have stored the key'));
  await press('Done');
  await waitFor(() => expect(document.body.innerHTML).not.toContain(SECRET));
});

test('Revoke asks for confirmation before it revokes a key', async () => {
  const sent = serve([RECORD]);
  shown('/apikeys?apikey=5');
  await press('Revoke');
  expect(screen.getByText('Revoke Web shop? Programs that use this key stop working immediately.')).toBeTruthy();
  expect(sent).toEqual([]);
  await press('Revoke');
  await waitFor(() => expect(sent).toEqual(['DELETE /api/apikeys/5']));
});

test('a policy needs limits and, if the server requires it, a password, which is never stored', async () => {
  const sent = serve([RECORD]);
  const message = 'The current password is incorrect';
  const fields = { password: message };
  policyAnswers = [Response.json({ code: 'rule', message, fields, requestId: '1' }, { status: 422 })];
  shown('/apikeys?apikey=5');
  await press('Agent Policy');
  expect(await screen.findByText('412.80 today')).toBeTruthy();
  const bills = within(screen.getByRole('group', { name: 'Enter bills' }));
  await userEvent.click(bills.getByRole('radio', { name: 'Up To' }));
  await press('Save Policy');
  expect((await screen.findAllByText('Please enter an amount greater than 0.00')).length).toBeGreaterThan(1);
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByLabelText('Maximum per Change'), '500');
  await userEvent.type(screen.getByLabelText('Maximum per Day'), '1000');
  await press('Save Policy');
  await screen.findAllByText(message);
  const rules = [{ group: 'bills', mode: 'upTo', each: 500, day: 1000, count: null }];
  expect(sent).toEqual([`PUT /api/apikeys/5/policy ${JSON.stringify({ rules, accountIds: [], rowVersion: 3 })}`]);
  await userEvent.type(screen.getByLabelText('Your Password'), 'a plain passphrase');
  expect(JSON.stringify({ ...localStorage })).not.toContain('a plain passphrase');
  await press('Save Policy');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent[1]).toContain('"password":"a plain passphrase"');
});

test('a user with a passkey saves a policy with it, and each save asks the browser again', async () => {
  addPasskey();
  const sent = serve([RECORD], [{ id: 1, name: 'Phone', createdAt: '2026-11-27T12:00:00.000Z', lastUsedAt: null }]);
  const message = 'This passkey was not accepted. Try again, or enter your password.';
  const fields = { passkey: message };
  policyAnswers = [Response.json({ code: 'rule', message, fields, requestId: '1' }, { status: 422 })];
  shown('/apikeys?policy=5');
  await press('Save with Passkey');
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  await press('Save with Passkey');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const saves = sent.filter((each) => each.startsWith('PUT'));
  expect(saves.map((each) => /"id":"(\w+ \d)"/.exec(each)?.[1])).toEqual(['answer 1', 'answer 2']);
  expect(sent.filter((each) => each.includes('/login/challenge'))).toEqual([
    'POST /api/login/challenge {"purpose":"sign in"}',
    'POST /api/login/challenge {"purpose":"sign in"}',
  ]);
});

test('a user without a passkey is asked only for the password', async () => {
  serve([RECORD]);
  shown('/apikeys?policy=5');
  await screen.findByLabelText('Your Password');
  await waitFor(() => expect(asked).toContain('/api/account'));
  expect(screen.queryByRole('button', { name: 'Save with Passkey' })).toBeNull();
});

test('a policy that someone else saved in the meantime is shown before it is overwritten', async () => {
  const sent = serve([RECORD]);
  const rules = [{ group: 'bills', mode: 'never', each: null, day: null, count: null }];
  const current = { id: 5, name: 'Web shop', rowVersion: 4, policy: { rules, accountIds: [] } };
  policyAnswers = [Response.json({ code: 'stale', message: 'Stale', requestId: '1', current }, { status: 409 })];
  shown('/apikeys?policy=5');
  const groupOf = async (name: string) => within(await screen.findByRole('group', { name }));
  await userEvent.click((await groupOf('Pay bills')).getByRole('radio', { name: 'Never' }));
  await press('Save Policy');
  await press('Load Their Changes');
  expect((await groupOf('Enter bills')).getByRole<HTMLInputElement>('radio', { name: 'Never' }).checked).toBe(true);
  await press('Save Policy');
  await waitFor(() => expect(sent[1]).toContain('"rowVersion":4'));
  expect(sent[1]).toContain(JSON.stringify(rules));
});
