// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionUser, signOut } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { fakeNetwork, showWithData, signedIn } from '../billing/testing/answers.tsx';
import { NameCard } from './NameCard.tsx';

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
  alerts.forget();
});

const USER = {
  id: 7,
  firstName: 'Marta',
  lastName: 'Vale',
  email: 'mv@cedar.example',
  roleId: 3,
  displayName: 'Marta Vale',
  userRole: 'Bookkeeper',
  baseURL: '',
  colonyBooksTermsAccepted: true,
  status: 'active',
  endsOn: null,
  invitedAt: null,
  lastSignInAt: null,
  secondFactor: false,
  rowVersion: 1,
};

test('a user changes their own name, the session shows it immediately, and a blank name is rejected', async () => {
  signedIn('Bookkeeper');
  const saved = { ...USER, firstName: 'Ana', lastName: 'Øst', displayName: 'Ana Øst', rowVersion: 2 };
  const network = fakeNetwork({
    'GET /user/7': [
      { status: 200, body: USER },
      { status: 200, body: saved },
    ],
    'PUT /user/7': [{ status: 200, body: saved }],
  });
  showWithData(<NameCard />, '/account');
  const first = await screen.findByLabelText<HTMLInputElement>('First Name');
  expect(first.value).toBe('Marta');
  const change = () => fireEvent.click(screen.getByRole('button', { name: 'Change Name' }));
  fireEvent.change(first, { target: { value: ' ' } });
  change();
  await screen.findByText('Please enter a first name');
  fireEvent.change(first, { target: { value: 'Ana' } });
  fireEvent.change(screen.getByLabelText('Last Name'), { target: { value: 'Øst' } });
  change();
  await waitFor(() => expect(sessionUser()).toMatchObject({ displayName: 'Ana Øst', initials: 'AØ' }));
  expect(network.writes.map(({ body }) => body)).toEqual([{ firstName: 'Ana', lastName: 'Øst' }]);
});
