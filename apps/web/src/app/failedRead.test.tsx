// @vitest-environment jsdom
import '../testing/setup.ts';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls } from '@evenkeel/contract/billing';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Ask, ask, makeQueryClient, useRead, useStale } from '../client/api.ts';
import { Login } from '../screens/auth/Login.tsx';
import { useInvoicePreview } from '../screens/billing/invoices/useInvoicePreview.tsx';
import { fakeNetwork, press, showWithData, signedIn } from '../screens/billing/testing/answers.tsx';
import { sessionUser, signOut, takeSignOutReason, useSession } from '../client/session.ts';
import { alerts } from '../ui/alerts/store.ts';
import { useDraft } from '../ui/hooks/draft.ts';
import { show } from '../testing/show.tsx';

const fails = (status: number) => [{ status, body: { code: 'error', message: 'No disk', requestId: '1' } }];

beforeEach(() => signedIn());
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
  sessionStorage.clear();
  alerts.forget();
});

/** A screen with a read and an input field. */
function Screen({ asked }: { asked: Ask<unknown> }) {
  const [enabled, setEnabled] = useState(false);
  const read = useRead(asked, { enabled });
  const stale = useStale();
  const { pathname, search } = useLocation();
  const note = useDraft({
    name: 'note:1',
    initial: '',
    read: (stored) => (typeof stored === 'string' ? stored : undefined),
  });
  return (
    <>
      <input aria-label="Note" value={note.value} onChange={(event) => note.set(event.target.value)} />
      <button onClick={() => setEnabled(true)}>Open</button>
      <button onClick={() => stale()}>Refresh</button>
      <output>{pathname + search}</output>
      <p>{read.value === undefined ? 'nothing' : 'shown'}</p>
      <p>{read.isLoading ? 'reading' : read.error === undefined ? 'well' : `Error! ${read.error}`}</p>
    </>
  );
}

/** Works like the private routes, but without the app frame. */
function Private() {
  const { pathname, search } = useLocation();
  return useSession() === null ? <Navigate to="/login" replace state={{ from: pathname + search }} /> : <Outlet />;
}

it('a failed read of one record leads to the sign-in page, but a second failure shows an error', async () => {
  const network = fakeNetwork({ 'GET /customer/5': fails(500) });
  const { token, ...user } = sessionUser() ?? { token: '' };
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Routes>
        <Route element={<Private />}>
          <Route path="/customers" element={<Screen asked={ask(entityCalls.getCustomer, { params: { id: 5 } })} />} />
        </Route>
        <Route path="/login" element={<Login />} />
      </Routes>
    </QueryClientProvider>,
    '/customers?customer=5',
  );
  await userEvent.type(await screen.findByLabelText('Note'), 'half a word');
  await press('Open');
  const words = 'Some data could not be loaded. Sign in again. Your unsaved changes are kept.';
  expect(await screen.findByText(words)).toBeTruthy();
  expect(sessionUser()).toBeNull();
  // The server also ends the session of the old token.
  expect(network.writes.map(({ path }) => path)).toEqual(['/logout']);

  network.answers['POST /login'] = [{ status: 200, body: { ...user, token: `${token}2` } }];
  await userEvent.type(screen.getByLabelText('Email'), 'mv@cedar.example');
  await userEvent.type(screen.getByLabelText('Password'), 'secret1');
  await press('Sign in');
  expect(await screen.findByText('/customers?customer=5')).toBeTruthy();
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'half a word');
  await press('Open');
  expect(await screen.findByText('Error! No disk')).toBeTruthy();
  expect(sessionUser()?.token).toBe('t2');
});

const invoice = ask(billingCalls.getInvoice, { params: { id: 36 } });
const STAYS: [string, Ask<unknown>, string, ReturnType<typeof fails> | ['silence']][] = [
  ['list', ask(billingCalls.listInvoices, { query: {} }), 'GET /billinginvoice', fails(500)],
  ['list of companies', ask(authCalls.listCompanies, {}), 'GET /account/companies', fails(500)],
  ['dashboard card', ask(dashboardCalls.getDashboard, { query: {} }), 'GET /dashboard', fails(500)],
  ["record that doesn't exist or belongs to another company", invoice, 'GET /billinginvoice/36', fails(404)],
  ['invalid ID', invoice, 'GET /billinginvoice/36', fails(400)],
  ['unavailable database', invoice, 'GET /billinginvoice/36', fails(503)],
  ['gateway without a server', invoice, 'GET /billinginvoice/36', fails(502)],
  ['lost connection', invoice, 'GET /billinginvoice/36', ['silence']],
];
it.each(STAYS)(
  'a failed read shows an error on the screen, and the session continues: %s',
  async (_name, asked, path, answers) => {
    fakeNetwork({ [path]: answers });
    showWithData(<Screen asked={asked} />);
    await press('Open');
    await waitFor(() => expect(screen.getByText(/^Error!/)).toBeTruthy(), { timeout: 8000 });
    expect(sessionUser()).not.toBeNull();
  },
  10_000,
);

it('existing content stays on the screen when reloading it fails', async () => {
  const settings = { status: 200, body: { customerSettingItems: [] } };
  const network = fakeNetwork({ 'GET /customersettings': [settings] });
  showWithData(<Screen asked={ask(settingsCalls.getSettings, {})} />);
  await press('Open');
  expect(await screen.findByText('shown')).toBeTruthy();
  network.answers['GET /customersettings'] = fails(500);
  await press('Refresh');
  expect(await screen.findByText('Error! No disk')).toBeTruthy();
  expect(screen.getByText('shown')).toBeTruthy();
  expect(sessionUser()).not.toBeNull();
});

function Preview() {
  const { action } = useInvoicePreview({ id: 36, invoiceNumber: '10436' });
  return <button onClick={action.onClick}>Preview</button>;
}

it('a document that fails to load leads to the sign-in page, but a missing one shows an alert', async () => {
  const network = fakeNetwork({ 'GET /invoiceview/36': fails(404) });
  showWithData(<Preview />);
  await press('Preview');
  await waitFor(() => expect(alerts.state().past[0]?.text).toBe('Error Loading Document'));
  expect(sessionUser()).not.toBeNull();
  network.answers['GET /invoiceview/36'] = fails(500);
  await press('Preview');
  await waitFor(() => expect(sessionUser()).toBeNull());
  expect(takeSignOutReason()).toBe('Server Communication Failure');
});
