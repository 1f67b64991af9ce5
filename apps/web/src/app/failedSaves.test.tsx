// @vitest-environment jsdom
import '../testing/setup.ts';
import { AREAS } from '@evenkeel/contract/areas';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeQueryClient } from '../client/api.ts';
import { signOut, updateSession } from '../client/session.ts';
import { signedIn } from '../screens/billing/testing/answers.tsx';
import { anyServer } from '../testing/server.ts';
import { show } from '../testing/show.tsx';
import { alerts } from '../ui/alerts/store.ts';
import { Routes } from './routes.tsx';

/**
 * Tests that failed saves show the specification's messages, and that choices made on the device are stored under their
 * keys.
 */

/** Returns sample values that a form accepts: an entity that has an email address but no child records. */
function good(sample: unknown): unknown {
  if (typeof sample !== 'object' || sample === null) return sample;
  const none = { addresses: [], contacts: [], contactList: [], phones: [], extendedProperties: [] };
  const entity = { ...none, emailAddress: 'a@b.example', emails: [], isIndividual: false, deleted: false };
  return 'addresses' in sample ? { ...sample, ...entity } : sample;
}

beforeEach(() => {
  signedIn();
  updateSession({ permissions: AREAS.map((area) => `Manage ${area}` as const), userRole: 'Administrator' });
  anyServer();
  const plain = fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const isSave = init.method !== 'GET' && !/cards|search|report|history/i.test(address);
    if (isSave) return Response.json({ code: 'error', message: 'No disk', requestId: '1' }, { status: 503 });
    return Response.json(good(await (await plain(address, init)).json()));
  });
});
afterEach(() => {
  cleanup();
  signOut();
  localStorage.clear();
  alerts.forget();
});

async function open(address: string): Promise<void> {
  const app = (
    <QueryClientProvider client={makeQueryClient()}>
      <Routes />
    </QueryClientProvider>
  );
  await act(async () => void show(app, address));
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });

it.each([
  ['/customers?edit=1', ['Edit', 'Save'], {}, 'Failure Updating Customer'],
  ['/customers?edit=0', ['Save'], { 'Customer Name': 'Ridge', Email: 'a@b.example' }, 'Failure Saving Customer'],
  ['/vendors?edit=1', ['Edit', 'Save'], {}, 'Failure Updating Vendor'],
  ['/vendors?edit=0', ['Save'], { 'Vendor Name': 'Quarry', Email: 'a@b.example' }, 'Failure Saving Vendor'],
  ['/profitcenters?edit=1', ['Save'], {}, 'Error Posting Profit Center: No disk'],
  ['/locations?edit=1', ['Save'], {}, 'Error Posting Location: No disk'],
  ['/accountcategories?edit=1', ['Save'], {}, 'Error Updating Account Category'],
] as const)('%s: a failed save (%s, %o) is reported as %s', async (address, presses, fields, words) => {
  await open(address);
  for (const [at, name] of presses.entries()) {
    const buttons = await screen.findAllByRole('button', { name });
    if (at === presses.length - 1) for (const [label, value] of Object.entries(fields)) type(label, value);
    fireEvent.click(buttons.at(-1) ?? document.body);
  }
  await waitFor(() => expect(alerts.state().past.map(({ text }) => text)).toContain(words));
});

it('the terms page shows a message to users who have already accepted the terms', async () => {
  await open('/TOS');
  expect((await screen.findByText('Current Terms Already Accepted')).role).toBe('status');
});

it.each([
  ['/billing', 'Invoice History', 'billingTab', 'history'],
  ['/products', 'Discounts', 'productsTab', 'discounts'],
  ['/banking', 'Accounts', 'bankingTab', 'accounts'],
])('%s: the tab %s is stored under %s', async (address, tab, key, value) => {
  await open(address);
  fireEvent.click(await screen.findByRole('tab', { name: tab }));
  await waitFor(() => {
    const kept = Object.keys(localStorage).find((each) => each.endsWith(`:${key}`));
    expect(localStorage.getItem(kept ?? '')).toBe(value);
  });
});
