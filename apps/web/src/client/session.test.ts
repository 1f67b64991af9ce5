// @vitest-environment jsdom
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { PERMISSIONS_HEADER, permissionsVersion } from '@evenkeel/contract/wire';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { createElement, type ReactNode, useLayoutEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, makeQueryClient, useRead } from './api.ts';
import { enterCompany } from './companies.ts';
import { usePages } from './pages.ts';
import { call } from './transport.ts';
import { type SessionUser, sessionUser, signIn, signOut, updateSession } from './session.ts';
import { alerts } from '../ui/alerts/store.ts';
import { readLocal, writeLocal } from '../ui/hooks/localState.ts';

const user = (companyId: number, id: number): SessionUser => ({
  id,
  token: `token of ${companyId}.${id}`,
  termsAccepted: true,
  initials: 'FH',
  email: 'fay@example.com',
  firstName: 'Fay',
  lastName: 'Hart',
  displayName: 'Fay Hart',
  companyId,
  roleId: 1,
  userRole: 'Superuser',
  permissions: ['Manage Customers'],
  setupCompleted: true,
});
const OURS = user(3, 7);
const THEIRS = user(4, 8);
/** The user's session in another company. */
const ELSEWHERE = user(4, 7);

/** Requests that wait for the test to send their response. */
let waiting: ((status: number, body: unknown) => void)[];

beforeEach(() => {
  waiting = [];
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((done) =>
        waiting.push((status, body) => done(new Response(JSON.stringify(body), { status }))),
      ),
  );
  signIn(OURS);
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
  localStorage.clear();
});

/** Simulates a session that changes in another tab. */
function inAnotherTab(next: SessionUser | null): void {
  if (next === null) localStorage.removeItem('user');
  else localStorage.setItem('user', JSON.stringify(next));
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
}

const ways: [string, () => void][] = [
  ['signing out', () => signOut()],
  ['signing in as a user of another company', () => signIn(THEIRS)],
  ['signing in as another user of the same company', () => signIn({ ...OURS, id: 9 })],
  ['switching to another company', () => signIn(ELSEWHERE)],
  ['switching to another company in another tab', () => inAnotherTab(ELSEWHERE)],
  ['signing in to another installation with the same IDs', () => signIn({ ...OURS, companySince: '1795376494653123' })],
  ['signing in as another user in another tab', () => inAnotherTab(THEIRS)],
  ['signing out in another tab', () => inAnotherTab(null)],
  ['clearing all browser storage', () => window.dispatchEvent(new StorageEvent('storage', { key: null }))],
];

it.each(ways)('%s clears the cache, the data on the device, and earlier alerts', (_, change) => {
  const client = makeQueryClient();
  client.setQueryData(['/customer', {}], [{ displayname: 'Only With Ours' }]);
  writeLocal('draft:company', 'typed');
  alerts.success('Only With Ours saved');
  if (change === ways.at(-1)?.[1]) localStorage.removeItem('user');
  change();
  expect(client.getQueryData(['/customer', {}])).toBeUndefined();
  expect(readLocal('draft:company')).toBeUndefined();
  expect(alerts.state()).toEqual({ shown: [], past: [] });
  signIn(OURS);
  expect(readLocal('draft:company')).toBe('typed');
});

it.each(ways.slice(0, 8))('an effect of the last render sends neither a read nor a page after %s', (_, change) => {
  const client = makeQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  // React runs this effect before the effect that starts the read.
  const useReadThatEnds = ({ id, isLast }: { id: number; isLast: boolean }) => {
    useLayoutEffect(() => {
      if (isLast) change();
    }, [isLast]);
    const customer = ask(entityCalls.getCustomer, { params: { id } });
    useRead(customer);
    usePages(
      () => customer,
      () => undefined,
    );
  };
  const { rerender } = renderHook(useReadThatEnds, { wrapper, initialProps: { id: 1, isLast: false } });
  expect(waiting).toHaveLength(2);
  rerender({ id: 2, isLast: true });
  expect(waiting).toHaveLength(2);
  // The next session reads the same.
  if (sessionUser() === null) signIn(OURS);
  rerender({ id: 2, isLast: false });
  expect(waiting).toHaveLength(4);
});

it('a new token for the same user keeps the cache and drafts', () => {
  const client = makeQueryClient();
  client.setQueryData(['/customer', {}], [1]);
  updateSession({ token: 'next', termsAccepted: true });
  inAnotherTab({ ...OURS, token: 'third' });
  expect(sessionUser()?.token).toBe('third');
  expect(client.getQueryData(['/customer', {}])).toEqual([1]);
});

it('a response that arrives after the user or company has changed is dropped', async () => {
  const seen: unknown[] = [];
  const read = () =>
    call(entityCalls.listCustomers, { query: {} }).then(
      (rows) => seen.push(rows),
      (error: unknown) => seen.push(error),
    );
  void read();
  void read();
  void read();
  signIn(THEIRS);
  waiting[0]?.(200, []);
  waiting[1]?.(401, { code: 'unauthenticated', message: 'no', requestId: '1' });
  waiting[2]?.(500, { code: 'internal', message: 'no', requestId: '1' });
  await new Promise((done) => setTimeout(done, 20));
  expect(seen).toEqual([]);
  expect(sessionUser()).toEqual(THEIRS);
});

it("a 401 for a token that was replaced doesn't end the session", async () => {
  const read = call(settingsCalls.getCompany, {}).catch((error: unknown) => error);
  updateSession({ token: 'next' });
  waiting[0]?.(401, { code: 'unauthenticated', message: 'no', requestId: '1' });
  await read;
  expect(sessionUser()?.token).toBe('next');
});

describe('a response with another version of the permissions', () => {
  const asBuyer = { roleId: 2, userRole: 'Buyer', permissions: ['View Expenses'] };
  const asClerk = { roleId: 3, userRole: 'Clerk', permissions: [] };
  const account = {
    email: 'fay@example.com',
    newEmail: null,
    passwordChangedAt: null,
    secondFactor: { isOn: false, since: null, codesLeft: 0, isRequired: false },
    passkeys: [],
    sessions: [],
  };
  /** The current role on the server, and the role that late responses contain. */
  let now: Pick<SessionUser, 'roleId' | 'userRole' | 'permissions'>;
  let late: typeof now | undefined;
  let sent: string[];
  let accountFails: boolean;
  beforeEach(() => {
    [now, late, sent, accountFails] = [OURS, undefined, [], false];
    vi.stubGlobal('fetch', async (address: string) => {
      sent.push(address);
      const isAccount = address === '/api/account';
      const headers = { [PERMISSIONS_HEADER]: permissionsVersion(isAccount ? now : (late ?? now)) };
      if (isAccount && accountFails) return Response.json({}, { status: 503, headers });
      return Response.json(isAccount ? { ...account, ...now } : [], { headers });
    });
  });
  const read = async () => {
    await call(catalogueCalls.listProducts, { query: {} });
    await new Promise((done) => setTimeout(done, 5));
  };
  const accountReads = () => sent.filter((address) => address === '/api/account').length;

  it('a new version of the permissions applies immediately and causes the data to be reloaded', async () => {
    const client = makeQueryClient();
    client.setQueryData(['/dashboard', {}], [1]);
    await read();
    expect(accountReads()).toBe(0);
    now = asBuyer;
    await Promise.all([read(), read(), read()]);
    expect(sessionUser()).toEqual({ ...OURS, ...asBuyer });
    await vi.waitFor(() => expect(client.getQueryState(['/dashboard', {}])?.isInvalidated).toBe(true));
    await read();
    expect(accountReads()).toBe(1);
    now = OURS;
    await read();
    expect(sessionUser()?.userRole).toBe('Superuser');
  });

  it('permissions are read once, even if an older response is late, and again after a failed read', async () => {
    now = asBuyer;
    await read();
    late = OURS;
    await read();
    await read();
    expect([accountReads(), sessionUser()?.userRole]).toEqual([2, 'Buyer']);
    late = undefined;
    [now, accountFails] = [asClerk, true];
    await read();
    expect([accountReads(), sessionUser()?.userRole]).toEqual([3, 'Buyer']);
    accountFails = false;
    await read();
    expect([accountReads(), sessionUser()?.userRole]).toEqual([4, 'Clerk']);
  });

  it('new permissions are ignored if the token has been replaced or another user has signed in', async () => {
    now = asBuyer;
    const reading = call(catalogueCalls.listProducts, { query: {} });
    updateSession({ token: 'next' });
    await reading;
    expect(accountReads()).toBe(0);
    void call(catalogueCalls.listProducts, { query: {} });
    signIn(THEIRS);
    await new Promise((done) => setTimeout(done, 5));
    expect([accountReads(), sessionUser()]).toEqual([0, THEIRS]);
  });
});

it("requests use the same user's newer token from another tab, but not another user's token", () => {
  const tokens: (string | null)[] = [];
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    tokens.push(new Headers(init.headers).get('authorization'));
    return new Promise(() => undefined);
  });
  localStorage.setItem('user', JSON.stringify({ ...OURS, token: 'newer' }));
  void call(settingsCalls.getCompany, {});
  localStorage.setItem('user', JSON.stringify(THEIRS));
  void call(settingsCalls.getCompany, {});
  localStorage.setItem('user', JSON.stringify(ELSEWHERE));
  void call(settingsCalls.getCompany, {});
  expect(tokens).toEqual(['Bearer newer', 'Bearer newer', 'Bearer newer']);
});

it("signing out in one tab doesn't end a newer session from another tab", () => {
  localStorage.setItem('user', JSON.stringify(THEIRS));
  signOut('Your session has expired. Sign in again.');
  expect(sessionUser()).toEqual(THEIRS);
  expect(localStorage.getItem('user')).toContain('token of 4.8');
});

describe('switch to another company', () => {
  const sent: string[] = [];
  let answer: () => void;
  beforeEach(() => {
    sent.length = 0;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      sent.push(`${init.method} ${address} ${new Headers(init.headers).get('authorization')}`);
      return new Promise<Response>((done) => {
        answer = () => done(new Response(JSON.stringify(ELSEWHERE), { status: 200 }));
      });
    });
  });

  const ENTER = 'POST /api/account/companies Bearer token of 3.7';

  it('switching companies switches the session and ends the previous one with its own token', async () => {
    const entering = enterCompany(4);
    expect(sessionUser()).toEqual(OURS);
    answer();
    await entering;
    expect(sessionUser()).toEqual(ELSEWHERE);
    expect(sent).toEqual([ENTER, 'POST /api/logout?only=this Bearer token of 3.7']);
  });

  it('switching companies keeps the session if no response arrives', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    await expect(enterCompany(4)).rejects.toThrow('The connection was lost');
    expect(sessionUser()).toEqual(OURS);
  });

  it('switching companies keeps a session that another tab starts before the response arrives', async () => {
    void enterCompany(4);
    inAnotherTab(THEIRS);
    answer();
    await new Promise((done) => setTimeout(done, 20));
    expect([sessionUser(), sent]).toEqual([THEIRS, [ENTER]]);
  });
});
