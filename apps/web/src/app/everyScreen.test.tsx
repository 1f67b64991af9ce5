// @vitest-environment jsdom
import '../testing/setup.ts';
import { Account } from '@evenkeel/contract/account';
import { AREAS } from '@evenkeel/contract/areas';
import { PERMISSIONS_HEADER, permissionsVersion } from '@evenkeel/contract/wire';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { makeQueryClient } from '../client/api.ts';
import { signedIn } from '../screens/billing/testing/answers.tsx';
import { Routes } from './routes.tsx';
import { sessionUser, signOut, updateSession } from '../client/session.ts';
import { catalogue } from '../testing/catalogue.ts';
import { sampleOf } from '../testing/sample.ts';
import { addressesOf, openedFrom, screenPaths } from '../testing/screens.ts';
import { anyServer, type AnyServer, type Failure } from '../testing/server.ts';
import { alerts } from '../ui/alerts/store.ts';
import { show } from '../testing/show.tsx';

/**
 * These tests open every private screen and everything that can be opened on it by URL, and make each read fail in
 * turn.
 */

let server: AnyServer;
/** Spies on the calls that read a parameter from the URL. */
let asked: MockInstance<(name: string) => unknown>[];
let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  signedIn();
  updateSession({ permissions: AREAS.map((area) => `Manage ${area}` as const) });
  server = anyServer();
  const query = URLSearchParams.prototype;
  asked = [vi.spyOn(query, 'get'), vi.spyOn(query, 'has'), vi.spyOn(query, 'getAll')];
  errors = vi.spyOn(console, 'error');
});
afterEach(() => {
  signOut();
  errors.mockRestore();
});

/**
 * Returns the errors about duplicate keys. If several components have the same key, React may render only one of them.
 */
const clashes = () => errors.mock.calls.filter(([words]) => String(words).includes('same key'));

interface Opening {
  /** Whether to keep the preferences that are stored on the device. */
  keeps?: boolean;
}

async function open(address: string, { keeps = false }: Opening = {}): Promise<void> {
  cleanup();
  alerts.forget();
  if (!keeps) localStorage.clear();
  server.asked.clear();
  for (const spy of asked) spy.mockClear();
  const app = (
    <QueryClientProvider client={makeQueryClient()}>
      <Routes />
    </QueryClientProvider>
  );
  await act(async () => void show(app, address));
}

const isWaiting = () => document.body.textContent.includes('Loading...') || document.querySelector('h1, h2') === null;
const timesAsked = () => [...server.asked.values()].reduce((sum, times) => sum + times, 0);

/** Opens a URL and waits until all requests have ended and all parts of the screen have loaded. */
async function openWell(address: string, how?: Opening): Promise<string[]> {
  await open(address, how);
  let before = -1;
  for (let quiet = 0, tries = 0; quiet < 2 && tries < 2000; tries += 1) {
    await act(async () => void (await new Promise((done) => setTimeout(done, 2))));
    quiet = timesAsked() === before && !isWaiting() ? quiet + 1 : 0;
    before = timesAsked();
  }
  return [...new Set([...server.asked.keys()].map((each) => each.replace(/\?.*/, '')))];
}

const onRealClock = setTimeout;

/**
 * Advances the fake timers by a few seconds, during which the user enters nothing. Parts of the screen load in real
 * time. On a busy machine, loading them took more than 1.5 seconds, so the loop gives up only after about 6 seconds.
 */
async function seconds(): Promise<void> {
  for (const ms of [0, 0, 50, 1200, 2500]) await act(() => vi.advanceTimersByTimeAsync(ms));
  for (let tries = 0; tries < 1200 && isWaiting(); tries += 1) {
    await act(async () => void (await new Promise((done) => onRealClock(done, 5))));
    await act(() => vi.advanceTimersByTimeAsync(10));
  }
}

/** All messages about failed reads that alerts and screens have shown so far. */
const said = new Set<string>();

const told = () => /Error! [^.]*/.exec(document.body.textContent)?.[0] ?? alerts.state().past[0]?.text;

/** Returns the number of requests for a read. If its queries differ, counts only the most frequent query. */
const timesOf = (read: string) =>
  Math.max(0, ...[...server.asked].filter(([each]) => each.replace(/\?.*/, '') === read).map(([, times]) => times));

/** Returns the problems that a screen has when a read fails and then recovers. */
async function faultsOf(address: string, read: string, failure: Failure): Promise<string[]> {
  const faults: string[] = [];
  vi.useFakeTimers();
  // Keeps the alerts open, as if the pointer were over them.
  alerts.pause();
  server.failing.set(read, failure);
  await open(address);
  await seconds();
  for (const { text } of alerts.state().past) said.add(text);
  for (const text of LOADING) if (document.body.textContent.includes(text)) said.add(text);
  const times = timesOf(read);
  // A read that loses its connection may be retried twice.
  if (times > (failure === 'silence' ? 3 : 1)) faults.push(`asked ${times} times`);
  if (isWaiting()) faults.push('is said to be loading');
  if (told() === undefined) faults.push('is not told');
  const retries = screen.queryAllByText('Retry', { selector: 'button, button *' });
  if (retries.length === 0) faults.push('has no Retry');
  server.failing.clear();
  for (const retry of retries) await act(async () => void fireEvent.click(retry));
  await seconds();
  if (isWaiting() || document.body.textContent.includes('Error!')) faults.push('does not come back by Retry');
  if (timesOf(read) <= times) faults.push('is not asked again by Retry');
  alerts.resume();
  vi.useRealTimers();
  return faults.map((fault) => `${address}: ${read} (${failure}) ${fault}`);
}

/** The alerts for failed reads, with the wording from the specification. */
const LOADING = [
  'Error Loading Accounts',
  'Error Loading Customers',
  'Error Loading Customer',
  'Error Loading Vendors',
  'Error Loading Vendor',
  'Error Loading Account Entries',
  'Error Loading Pfcs',
  'Error Loading locations',
  'Error Loading Items',
  'Error Loading Report Data',
  'Error Loading Billing Invoices',
  'Error Loading Billing Invoice',
  'Error Loading Settings',
  'Error Loading Expenses Invoices',
  'Error Loading Expenses Invoice',
  'Error Loading Vendor Invoices',
  'Error Loading Users',
  'Error Loading User',
  'Error Loading Roles',
  'Error Loading Role',
  'Error Loading RoleProperties',
  'Error Loading Payment Accounts',
  'Error Loading Revenue Accounts',
  'Error Loading PaymentTypes',
  'Error Loading Work Items',
  'Error Loading Work Item',
  'Error Loading GL Transaction',
  'Error Loading Entity',
  'Error Loading Account Categories',
  'Error Loading Sales Tax Scenario',
  'There was an error loading your data!',
  'settingserror',
];

const FAILURES: readonly Failure[] = [503, 404, 'silence'];

/**
 * Reads whose failures appear elsewhere or not at all. The app frame's reads are tested only on the first screen, and
 * forms can work without the installation's settings.
 */
const FRAME = 'GET /api/company';
const INSTALLATION = 'GET /api/installation';

interface Opened {
  address: string;
  reads: readonly string[];
}

/**
 * Opens a URL and everything that opens from it. Returns each URL with the reads that no earlier URL sends, so that
 * each read fails on the screen or dialog where it first appears.
 */
async function opened(address: string, under: readonly string[], known: readonly string[]): Promise<Opened[]> {
  const all = (await openWell(address)).filter((read) => read !== INSTALLATION);
  const names = [...new Set(asked.flatMap((spy) => spy.mock.calls.map(([name]) => name)))];
  const found: Opened[] = [{ address, reads: all.filter((read) => !under.includes(read)) }];
  for (const name of names.filter((one) => !known.includes(one))) {
    const before = [...all];
    for (const next of openedFrom(address, name)) {
      const more = await opened(next, before, names);
      before.push(...more.flatMap(({ reads }) => reads));
      found.push(...more);
    }
  }
  return found;
}

it('the catalog lists the screens in the route table with their headings', async () => {
  expect(catalogue.map(({ path }) => path)).toEqual(screenPaths);
  const headings: string[] = [];
  for (const path of screenPaths) {
    await openWell(path);
    headings.push(screen.getByRole('heading', { level: 1 }).textContent);
  }
  expect(headings).toEqual(catalogue.map(({ heading }) => heading));
  expect(clashes()).toEqual([]);
});

it('only a new tab opens the selected start page', async () => {
  await openWell('/account');
  sessionStorage.clear();
  await userEvent.click(screen.getByRole('combobox', { name: 'Start Page' }));
  await userEvent.click(screen.getByRole('option', { name: 'Customers' }));
  const again = (address: string) => openWell(address, { keeps: true });
  await again('/account');
  expect(window.location.pathname).toBe('/account');
  sessionStorage.clear();
  await again('/');
  expect(window.location.pathname).toBe('/customers');
  // The user returns to the dashboard, which must be unchanged.
  await again('/');
  expect(window.location.pathname).toBe('/');
});

it('after the next response, the menu and the open screen reflect a changed role', async () => {
  await openWell('/billing');
  const links = () => screen.queryAllByRole('link').map(({ textContent }) => textContent);
  expect(links()).toEqual(expect.arrayContaining(['Billing', 'Customers', 'Reports']));
  const role = { roleId: 4, userRole: 'Auditor', permissions: ['View Reports', 'View Customers'] };
  const plain = fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const answer =
      address === '/api/account'
        ? Response.json({ ...(sampleOf(Account) as object), ...role })
        : await plain(address, init);
    answer.headers.set(PERMISSIONS_HEADER, permissionsVersion(role));
    return answer;
  });
  fireEvent.click(screen.getByText('Payments'));
  expect(await screen.findByText("You don't have permission to view this page")).toBeTruthy();
  expect(links()).toEqual(expect.arrayContaining(['Customers', 'Reports']));
  expect(links()).not.toContain('Billing');
  expect(sessionUser()).toMatchObject(role);
});

// Promise (browser): On every screen, a failed read isn't retried automatically, shows its error in place, and recovers
// with Retry. [about 72 URLs]
it.each(screenPaths)(
  '%s: each failed read is requested once, shows its error, and recovers with Retry',
  async (path) => {
    const isFrame = path === '/' || path === '/settings';
    const places = await opened(path, isFrame ? [] : [FRAME], []);
    // Without this check, a catalog URL that opens nothing would go untested.
    expect(places.map(({ address }) => address).toSorted()).toEqual(addressesOf(path).toSorted());
    const failing = places.flatMap(({ address, reads }) => reads.map((read) => ({ address, read })));
    const faults: string[] = [];
    for (const [at, { address, read }] of failing.entries()) {
      faults.push(...(await faultsOf(address, read, FAILURES[at % FAILURES.length] ?? 'silence')));
    }
    expect([...faults, ...clashes()]).toEqual([]);
    expect(failing).not.toEqual([]);
  },
);

it('the tests above cover every failed-read alert in the specification', () => {
  expect(LOADING.filter((text) => !said.has(text))).toEqual([]);
});

it.each(['Profit Centers', 'Locations', 'GL Accounts', 'Account Categories'])(
  'closing %s returns to the account that was open before',
  async (name) => {
    await openWell('/accounting?account=1&from=2026-01-01');
    fireEvent.click(screen.getByText('More'));
    fireEvent.click(await screen.findByText(name, { selector: '[role="menuitem"] *, [role="menuitem"]' }));
    await screen.findByText(name, { selector: 'h1' });
    fireEvent.click(screen.getByLabelText('Close'));
    await waitFor(() => expect(window.location.pathname).toBe('/accounting'));
    expect(window.location.search).toBe('?account=1&from=2026-01-01');
  },
);
