// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { UserModal } from './UserModal.tsx';
import type { User } from './users.ts';

afterEach(() => vi.unstubAllGlobals());

const RUTH: User = {
  id: 7,
  firstName: 'Ruth',
  lastName: 'Reader',
  email: 'ruth@harbor.example',
  roleId: 2,
  displayName: 'Ruth Reader',
  userRole: 'Bookkeeper',
  baseURL: '',
  colonyBooksTermsAccepted: true,
  status: 'active',
  endsOn: null,
  invitedAt: null,
  lastSignInAt: null,
  secondFactor: true,
  rowVersion: 1,
};

const shown = () =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <UserModal id={7} onClose={() => undefined} />
    </QueryClientProvider>,
  );

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** Selects an action in the menu of the footer. */
async function choose(name: string) {
  await press(/^More: /);
  await userEvent.click(await screen.findByRole('menuitem', { name }));
}

test('an invited user can be invited again, and the invitation can be revoked after confirmation', async () => {
  const sent: string[] = [];
  const invited = { ...RUTH, status: 'invited', secondFactor: false, invitedAt: '2026-05-01T12:00:00.000Z' };
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method !== 'GET') sent.push(`${init?.method} ${url}`);
    return Response.json(url.includes('userroles') ? [] : init?.method === 'GET' ? invited : { ok: true });
  });
  shown();
  await press('Invite Again');
  expect(screen.getByText(/^Invited .*, but hasn't registered yet/)).toBeTruthy();
  await choose('Revoke Invitation');
  expect(screen.getByText('Revoke the invitation for Ruth Reader?')).toBeTruthy();
  await press('Confirm Delete');
  await waitFor(() => expect(sent).toEqual(['POST /api/useradmin/7/invite', 'DELETE /api/useradmin/7']));
});

test('Remove Two-Step Verification asks for confirmation', async () => {
  const lifted: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') lifted.push(url);
    return Response.json(url.includes('userroles') ? [] : init?.method === 'POST' ? { ok: true } : RUTH);
  });
  shown();
  await choose('Remove Two-Step Verification');
  expect(screen.getByRole('group', { name: 'Remove two-step verification for Ruth Reader?' })).toBeTruthy();
  await press('Cancel');
  await choose('Remove Two-Step Verification');
  expect(lifted).toEqual([]);
  await press('Remove Two-Step Verification');
  await waitFor(() => expect(lifted).toHaveLength(1));
});
