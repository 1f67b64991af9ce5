// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { sessionUser, signIn, signOut } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { Terms } from './Terms.tsx';
import { VerifyEmail } from './VerifyEmail.tsx';

const FAILED = 'Verification failed, you can also verify your account using the forgot password page.';

const fay = (termsAccepted: boolean) => ({
  id: 7,
  token: 'token of before',
  termsAccepted,
  initials: 'FH',
  email: 'fay@example.com',
  firstName: 'Fay',
  lastName: 'Hart',
  displayName: 'Fay Hart',
  companyId: 3,
  roleId: 1,
  userRole: 'Bookkeeper',
  permissions: [],
  setupCompleted: true,
});

/**
 * Opens a public page whose API call returns the given response. Returns the requests, except those for legal
 * documents.
 */
function visit(page: ReactNode, address: string, answer: () => Promise<Response>): [string, unknown][] {
  const sent: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const call = `${init?.method ?? 'GET'} ${url.replace('/api', '')}`;
    if (call === 'GET /installation')
      return Response.json({ empty: false, demo: false, signUp: 'invite', passwordMin: 6 });
    // This response never arrives, because the test is about the content below the document.
    if (call.startsWith('GET /GlobalDocument')) return new Promise<Response>(() => undefined);
    sent.push([call, typeof init?.body === 'string' ? JSON.parse(init.body) : undefined]);
    return answer();
  });
  const Elsewhere = () => {
    const { pathname, state } = useLocation();
    return <output>{`${pathname} ${JSON.stringify(state)}`}</output>;
  };
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Routes>
        <Route path={address.replace(/\?.*/, '')} element={page} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </QueryClientProvider>,
    address,
  );
  return sent;
}

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
  localStorage.clear();
});

test('the page for an emailed link verifies the address once and opens the sign-in page with a notice', async () => {
  signIn(fay(true));
  const sent = visit(<VerifyEmail />, '/verify-email?token=abc&email=fay%40example.com', async () =>
    Response.json({ message: 'Verification success, you can now login' }),
  );
  const says = '/login {"notice":"Verification success, you can now login"}';
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(says));
  // After verification, the next step is to sign in, even if another user was signed in here.
  expect(sessionUser()).toBeNull();
  expect(sent.filter(([call]) => call !== 'POST /logout')).toEqual([['POST /verify-email', { token: 'abc' }]]);
});

test('an expired link is reported, and the user can request a new link', async () => {
  const refused = { code: 'invalid', message: FAILED, fields: { token: FAILED }, requestId: 'x' };
  visit(<VerifyEmail />, '/verify-email?token=abc', async () => Response.json(refused, { status: 422 }));
  expect(await screen.findByText(FAILED)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Forgot Password?' }).getAttribute('href')).toBe('/forgot-password');
});

test('a lost connection is reported if the verification gets no response', async () => {
  visit(<VerifyEmail />, '/verify-email?token=abc', () => Promise.reject(new TypeError('no network')));
  expect(await screen.findByText(/The connection was lost/)).toBeTruthy();
});

test('a user who has already accepted the terms sees a message instead of a button to accept them', async () => {
  signIn(fay(true));
  visit(<Terms />, '/TOS', async () => Response.json({}));
  expect(await screen.findByText('Current Terms Already Accepted')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
});

test('a user who accepts the terms continues with the new token', async () => {
  signIn(fay(false));
  const sent = visit(<Terms />, '/TOS', async () => Response.json('token of after'));
  expect(screen.queryByText('Current Terms Already Accepted')).toBeNull();
  screen.getByRole('button', { name: 'Accept' }).click();
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/ null'));
  expect([sessionUser()?.token, sessionUser()?.termsAccepted]).toEqual(['token of after', true]);
  expect(sent).toEqual([['PUT /UserAdmin/UpdateUserTerms', { termsAccepted: true }]]);
});
