// @vitest-environment jsdom
import '../../testing/setup.ts';
import { AREAS, type Permission } from '@evenkeel/contract/areas';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { signOut, updateSession } from '../../client/session.ts';
import { signedIn } from '../../screens/billing/testing/answers.tsx';
import { anyServer } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { Routes } from '../routes.tsx';
import { TOPICS } from './topics.ts';

const ALL = AREAS.map((area) => `Manage ${area}` as const);

beforeEach(() => {
  signedIn();
  updateSession({ permissions: [...ALL], userRole: 'Administrator' });
  anyServer();
});
afterEach(() => {
  signOut();
  localStorage.clear();
});

async function open(address: string, permissions: Permission[] = ALL, userRole = 'Administrator'): Promise<void> {
  cleanup();
  updateSession({ permissions, userRole });
  const app = (
    <QueryClientProvider client={makeQueryClient()}>
      <Routes />
    </QueryClientProvider>
  );
  await act(async () => void show(app, address));
}

async function help() {
  const button = await screen.findByRole('button', { name: 'Help' });
  // Awaits `act`, because the panel has to load first. Otherwise, React drops a component that suspends inside `act`.
  await act(async () => void fireEvent.click(button));
  // Uses a selector, because a query by role computes the roles on the whole screen at each attempt and leaves too
  // little time to render the panel.
  await waitFor(() => expect(document.querySelector('[role="dialog"] h2')).not.toBeNull());
  return within(screen.getByRole('dialog', { name: 'Help' }));
}
const press = (within: ReturnType<typeof screen.getByRole>) => fireEvent.click(within);

it("Help opens the screen's topic, and its search and links open other topics", async () => {
  await open('/billing?tab=work');
  const panel = await help();
  expect(panel.getByRole('heading', { name: 'Work Items' })).toBeTruthy();
  press(panel.getByRole('button', { name: 'All topics' }));
  expect(panel.getByRole('region', { name: 'Money in' })).toBeTruthy();
  fireEvent.change(panel.getByLabelText('Search help...'), { target: { value: 'reconcile' } });
  await waitFor(() => expect(panel.queryByText('Money in')).toBeNull());
  press(panel.getByRole('button', { name: 'Bank accounts and reconciliations' }));
  expect(await panel.findByRole('heading', { name: 'Bank accounts and reconciliations' })).toBeTruthy();
  fireEvent.change(panel.getByLabelText('Search help...'), { target: { value: 'zebra' } });
  expect(await panel.findByText('No help topics match your search.')).toBeTruthy();
});

it('help lists only topics for screens that the user can open, and links to other topics are plain text', async () => {
  await open('/billing', ['View Billing'], 'Clerk');
  const panel = await help();
  press(panel.getByRole('button', { name: 'All topics' }));
  const titles = panel.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(titles).toContain('Work Items');
  for (const title of ['Settings', 'Reports', 'Vendors', 'Journal entries']) expect(titles).not.toContain(title);
  press(panel.getByRole('button', { name: 'First-time setup' }));
  expect(panel.queryByRole('link', { name: 'dashboard' })).toBeNull();
});

it('the Show me button closes the help panel, opens the screen, and highlights its parts', async () => {
  await open('/customers');
  const panel = await help();
  press(panel.getByRole('button', { name: 'All topics' }));
  press(panel.getByRole('button', { name: 'Work Items' }));
  const button = await panel.findByRole('button', { name: 'Show me' });
  await act(async () => press(button));
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe('/billing?tab=work'));
  expect(screen.queryByRole('dialog', { name: 'Help' })).toBeNull();
  const popover = await waitFor(
    () => {
      const found = document.querySelector<HTMLElement>('.driver-popover');
      expect(found).not.toBeNull();
      return found;
    },
    { timeout: 10_000 },
  );
  expect(popover?.textContent).toContain('Add Work Item');
  fireEvent.keyUp(window, { key: 'Escape' });
});

it.each(
  TOPICS.flatMap(({ screen: address, steps, id }) => (address === undefined ? [] : [[id, address, steps] as const])),
)('%s: the walkthrough highlights the elements on %s', async (_, address, steps) => {
  await open(address);
  // Excludes form fields, because settings can hide some of them.
  const sure = steps.filter(({ element }) => !element.startsWith('#'));
  const missing = () => sure.filter(({ element }) => document.querySelector(element) === null);
  await waitFor(() => expect(missing()).toEqual([]));
  if (sure.length === steps.length) return;
  if (!address.includes('=')) return;
  const there = () => steps.filter(({ element }) => document.querySelector(element) !== null);
  await waitFor(() => expect(there().length).toBeGreaterThan(2));
});
