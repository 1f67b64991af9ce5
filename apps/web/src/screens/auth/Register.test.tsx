import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { sessionUser, signIn, signOut } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { Register } from './Register.tsx';

const REGISTERED = 'Registration successful, please check your email for verification instructions';
const user = {
  id: 7,
  token: 'fresh',
  termsAccepted: true,
  initials: 'OO',
  email: 'olive@first.example',
  firstName: 'Olive',
  lastName: 'Owner',
  displayName: 'Olive Owner',
  companyId: 3,
  roleId: 1,
  userRole: 'Administrator',
  permissions: ['Manage Billing'],
  setupCompleted: false,
};

const INVITATION = {
  email: 'rita@harbor.example',
  firstName: 'Rita',
  lastName: 'Reader',
  companyName: 'Harbor Bakery',
};

interface Sent {
  path: string;
  body: Record<string, unknown>;
}

/** Opens the page at a URL on an installation with these settings. Returns the requests and the final page. */
function visit(address: string, installation: { empty: boolean; signUp: 'invite' | 'open' }): Sent[] {
  const sent: Sent[] = [];
  const about = { ...installation, demo: installation.empty, passwordMin: 6, chatWidgetUrl: null, maxUploadMb: 25 };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.replace(/^.*\/api/, '').replace(/\?$/, '');
    if (path === '/installation') return Response.json(about);
    const body = typeof init.body === 'string' ? init.body : '{}';
    if (path === '/register/invitation') {
      // A used invitation can't be read again.
      const isUsed = sent.some((one) => one.path === '/register');
      if (isUsed) sent.push({ path, body: {} });
      return isUsed ? Response.json({ code: 'invalid', message: 'used' }, { status: 422 }) : Response.json(INVITATION);
    }
    sent.push({ path, body: JSON.parse(body) as Record<string, unknown> });
    return Response.json(path === '/login' ? user : { message: REGISTERED });
  });
  const Elsewhere = () => {
    const { pathname, state } = useLocation();
    return <output>{`${pathname} ${(state as { notice?: string } | null)?.notice ?? ''}`}</output>;
  };
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Routes>
        <Route path="/register" element={<Register />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </QueryClientProvider>,
    address,
  );
  return sent;
}

const field = (label: string) => screen.getByLabelText(label, { selector: 'input' });
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

async function register(company?: { name: string; email: string }): Promise<void> {
  if (company !== undefined) {
    fill('Company Name', company.name);
    fill('Email', company.email);
  }
  fill('First Name', 'Olive');
  fill('Last Name', 'Owner');
  fill('Password', 'plain words');
  fill('Confirm Password', 'plain words');
  await userEvent.click(field('Accept Terms & Conditions'));
  await userEvent.click(screen.getByRole('button', { name: 'Register' }));
}

const ends = async (place: string): Promise<void> => {
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(place));
};

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

test("the first user is signed in immediately, and the company uses the browser's time zone", async () => {
  const sent = visit('/register?token=abc', { empty: true, signUp: 'invite' });
  await screen.findByText('Set up your company');
  await register({ name: 'First Light Bakery', email: 'olive@first.example' });
  await ends(`/ ${REGISTERED}`);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(sent).toMatchObject([
    { path: '/register', body: { token: 'abc', companyName: 'First Light Bakery', timeZone } },
    { path: '/login', body: { email: 'olive@first.example', password: 'plain words' } },
  ]);
  expect(sessionUser()?.token).toBe('fresh');
});

test('an invitation fills in the name and email address, asks for no company, and signs the user in', async () => {
  const sent = visit('/register?token=abc&email=rita%40harbor.example', { empty: true, signUp: 'invite' });
  await screen.findByRole('heading', { name: 'Join Harbor Bakery' });
  expect([field('First Name'), field('Last Name')].map((one) => one.getAttribute('value'))).toEqual(['Rita', 'Reader']);
  await waitFor(() => expect(screen.queryByText('Explore a demo company')).toBeNull());
  expect(screen.queryByLabelText('Company Name')).toBeNull();
  const email = field('Email');
  await userEvent.type(email, 'x');
  expect([email.getAttribute('value'), email.hasAttribute('readonly')]).toEqual(['rita@harbor.example', true]);
  await register();
  await ends(`/ ${REGISTERED}`);
  expect(sent).toMatchObject([
    { path: '/register', body: { token: 'abc', email: 'rita@harbor.example' } },
    { path: '/login', body: { email: 'rita@harbor.example' } },
  ]);
  expect(sent).toHaveLength(2);
  expect(sessionUser()?.token).toBe('fresh');
});

test('open sign-up ends on the sign-in page, which tells the user to check for an email', async () => {
  visit('/register', { empty: false, signUp: 'open' });
  await screen.findByText('Register', { selector: 'h1' });
  await register({ name: 'Open Works', email: 'olive@first.example' });
  await ends(`/login ${REGISTERED}`);
  expect(sessionUser()).toBeNull();
});

test('without a link, an invitation-only installation says immediately that an invitation is required', async () => {
  visit('/register', { empty: false, signUp: 'invite' });
  await ends('/login You need an invitation to register. Open the link in your invitation email.');
});

test('a registration link that has already been used is reported', async () => {
  visit('/register?token=abc', { empty: false, signUp: 'invite' });
  await screen.findByText('This registration link is no longer valid. Ask for a new link.');
});

test('registering by invitation while another user is signed in leads to the sign-in page', async () => {
  signIn({ ...user, id: 8, token: 'of another', companyId: 4 });
  const sent = visit('/register?token=abc&email=rita%40harbor.example', { empty: false, signUp: 'invite' });
  await screen.findByRole('heading', { name: 'Join Harbor Bakery' });
  await register();
  await ends(`/login ${REGISTERED}`);
  expect(sessionUser()).toBeNull();
  expect(sent.map(({ path }) => path)).toEqual(['/register', '/logout']);
});
