// @vitest-environment jsdom
import '../../testing/setup.ts';
import type { Permission } from '@evenkeel/contract/areas';
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Route, Routes } from 'react-router';
import { signOut, updateSession } from '../../client/session.ts';
import { signedIn } from '../../screens/billing/testing/answers.tsx';
import { show } from '../../testing/show.tsx';
import { FirstScreen } from './FirstScreen.tsx';
import { Guard } from './Private.tsx';

afterEach(() => signOut());

function enter(permissions: Permission[], at = '/') {
  signedIn('Clerk');
  updateSession({ permissions });
  show(
    <Routes>
      <Route path="/" element={<Guard needs="View Dashboard" otherwise={<FirstScreen />} />}>
        <Route index element={<p>Dashboard</p>} />
      </Route>
      <Route element={<Guard needs="View Billing" />}>
        <Route path="/billing" element={<p>Billing</p>} />
      </Route>
      <Route element={<Guard needs="View Reports" />}>
        <Route path="/reports" element={<p>Reports</p>} />
      </Route>
    </Routes>,
    at,
  );
}

it.each([
  [['View Dashboard', 'View Reports'], 'Dashboard'],
  [['View Reports', 'Manage Billing'], 'Billing'],
  [['View Reports'], 'Reports'],
] as const)('a user with %s starts on %s', async (permissions, words) => {
  enter([...permissions]);
  expect(await screen.findByText(words)).toBeTruthy();
});

it('a user without permissions sees a message', async () => {
  enter([]);
  expect(await screen.findByText("You don't have permission to view this page")).toBeTruthy();
});

it('a URL that the user has no permission for shows a message instead of the screen', async () => {
  enter(['View Reports'], '/billing');
  expect(await screen.findByText("You don't have permission to view this page")).toBeTruthy();
});
