// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { type SessionUser, sessionUser, signIn, signOut } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { CompaniesCard } from './CompaniesCard.tsx';
import { CompanySwitch } from './CompanySwitch.tsx';
import { Login } from './Login.tsx';

const user = (companyId: number): SessionUser => ({
  id: 7,
  token: `token of ${companyId}`,
  termsAccepted: true,
  initials: 'FH',
  email: 'fay@example.com',
  firstName: 'Fay',
  lastName: 'Hart',
  displayName: 'Fay Hart',
  companyId,
  roleId: 1,
  userRole: 'Bookkeeper',
  permissions: [],
  setupCompleted: true,
});

const company = (companyId: number, companyName: string) => ({
  companyId,
  companyName,
  userRole: 'Bookkeeper',
  endsOn: null,
});
const HOME = { ...company(3, 'Home Street'), isThis: true };
const AWAY = { ...company(4, 'Away Road'), isThis: false };

let own: { companies: object[]; invitations: object[]; mayAdd: boolean };
let sent: [string, unknown][];
let keys: (string | null)[];
beforeEach(() => {
  own = { companies: [HOME], invitations: [], mayAdd: false };
  sent = [];
  keys = [];
  signIn(user(3));
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const call = `${init?.method ?? 'GET'} ${url.replace('/api', '')}`;
    if (call === 'GET /account/companies') return Response.json(own);
    if (call === 'GET /installation')
      return Response.json({ empty: false, demo: false, signUp: 'invite', passwordMin: 6 });
    if (call === 'POST /account/companies/new') {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      if (keys.length === 1) throw new TypeError('no network');
    }
    sent.push([call, typeof init?.body === 'string' ? JSON.parse(init.body) : undefined]);
    if (call === 'POST /account/companies/new') return Response.json({ companyId: 4 });
    return Response.json(call.includes('/invitations') || call.includes('/logout') ? { ok: true } : user(4));
  });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const shown = (page: ReactNode, at = '/account') =>
  show(<QueryClientProvider client={makeQueryClient()}>{page}</QueryClientProvider>, at);
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test('the account menu switches to other companies, and lists none for users with only one company', async () => {
  const client = makeQueryClient();
  const page = (
    <QueryClientProvider client={client}>
      <CompanySwitch onAccount={() => undefined} />
    </QueryClientProvider>
  );
  const only = show(page, '/');
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByRole('group', { name: 'Companies' })).toBeNull();
  only.unmount();
  own = { companies: [AWAY, HOME], invitations: [company(5, 'Third Wharf')], mayAdd: false };
  shown(<CompanySwitch onAccount={() => undefined} />);
  await screen.findByRole('group', { name: 'Companies' });
  expect(screen.getByRole('button', { name: 'Home Street' }).getAttribute('aria-current')).toBe('true');
  expect(screen.getByRole('link', { name: '1 invitation' }).getAttribute('href')).toBe('/account');
  press('Home Street');
  press('Away Road');
  await waitFor(() => expect(sessionUser()?.companyId).toBe(4));
  expect(sent).toEqual([
    ['POST /account/companies', { companyId: 4 }],
    ['POST /logout?only=this', undefined],
  ]);
});

test("a lost response doesn't create a company twice, and the user continues in the new company", async () => {
  own = { companies: [HOME], invitations: [], mayAdd: true };
  const menu = shown(<CompanySwitch onAccount={() => undefined} />, '/');
  const link = await screen.findByRole('link', { name: 'New Company' });
  expect([link.getAttribute('href'), screen.queryByText('Home Street')]).toEqual(['/account#new-company', null]);
  menu.unmount();
  shown(<CompaniesCard />, '/account#new-company');
  const name = await screen.findByLabelText(/^Company Name/);
  press('Create Company');
  await screen.findByText('Company Name is required');
  fireEvent.change(name, { target: { value: 'Away Road' } });
  press('Create Company');
  await screen.findByText(/connection was lost/);
  press('Create Company');
  await waitFor(() => expect(sessionUser()?.companyId).toBe(4));
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.any(String)]);
  expect(sent.map(([call]) => call)).toEqual([
    'POST /account/companies/new',
    'POST /account/companies',
    'POST /logout?only=this',
  ]);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(sent[0]?.[1]).toEqual({ companyName: 'Away Road', timeZone });
});

test('an invitation is accepted with one click and declined with two clicks', async () => {
  own = { companies: [HOME], invitations: [company(5, 'Third Wharf')], mayAdd: false };
  shown(<CompaniesCard />);
  await screen.findByText('Third Wharf');
  press('Accept Third Wharf');
  await waitFor(() => expect(sent).toEqual([['POST /account/invitations/5', undefined]]));
  press('Decline');
  expect(sent).toHaveLength(1);
  press('Decline');
  await waitFor(() => expect(sent.at(-1)).toEqual(['DELETE /account/invitations/5', undefined]));
});

test('an invitation link signs in only its recipient, even if another user is signed in here', async () => {
  shown(<Login />, '/login?join=secret&email=pat%40example.com');
  await screen.findByRole('heading', { name: 'Sign in to accept' });
  expect(sessionUser()).toBeNull();
  const email = screen.getByLabelText<HTMLInputElement>(/^Email/);
  expect(email.value).toBe('pat@example.com');
  fireEvent.change(screen.getByLabelText(/^Password/, { selector: 'input' }), { target: { value: 'plain words' } });
  press('Sign in');
  await waitFor(() => expect(sessionUser()?.companyId).toBe(4));
  expect(sent.at(-1)).toEqual(['POST /login', { email: 'pat@example.com', password: 'plain words', join: 'secret' }]);
});
