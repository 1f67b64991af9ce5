// @vitest-environment jsdom
import '../testing/setup.ts';
import { calls } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Customers } from '../app/Customers.tsx';
import { Vendors } from '../app/Vendors.tsx';
import { signOut, updateSession } from '../client/session.ts';
import { AccountCategoriesScreen } from '../screens/accounting/AccountCategoriesScreen.tsx';
import { GlAccountsScreen } from '../screens/accounting/GlAccountsScreen.tsx';
import { LocationsScreen } from '../screens/accounting/LocationsScreen.tsx';
import { ProfitCentersScreen } from '../screens/accounting/ProfitCentersScreen.tsx';
import { showWithData, signedIn } from '../screens/billing/testing/answers.tsx';
import { ProductsScreen } from '../screens/products/ProductsScreen.tsx';
import { SettingsScreen } from '../screens/settings/SettingsScreen.tsx';
import { sampleOf } from '../testing/sample.ts';
import { alerts } from '../ui/alerts/store.ts';

/** An inactive record of each type, by the URL that opens it, with the flag that makes it active. */
const KINDS: [string, () => ReactElement, object][] = [
  ['/products?tab=products&product=1', ProductsScreen, { deleted: false }],
  ['/products?tab=discounts&discount=1', ProductsScreen, { deleted: false }],
  ['/products?tab=packages&package=1', ProductsScreen, { deleted: false }],
  ['/products?tab=categories&category=1', ProductsScreen, { active: true }],
  ['/profitcenters?edit=1', ProfitCentersScreen, { active: true }],
  ['/locations?edit=1', LocationsScreen, { active: true }],
  ['/accountcategories?edit=1', AccountCategoriesScreen, { active: true }],
  ['/glaccounts?edit=1', GlAccountsScreen, { selected: true }],
  ['/settings?paymenttype=1', SettingsScreen, { active: true }],
  ['/settings?property0=1', SettingsScreen, { active: true }],
  ['/customers?edit=1', Customers, { deleted: false }],
  ['/vendors?edit=1', Vendors, { deleted: false }],
];

/** One record for each component that renders a dialog. */
const EACH_PART = KINDS.filter(([address]) => /product=|profit|gl|customers/.test(address));

const endpoints: readonly Endpoint[] = Object.values(calls);

/** Returns a sample response to a call: an inactive record with this row version. */
function answerOf(method: string, path: string, rowVersion: number): unknown {
  const found = endpoints.find((one) => {
    const pattern = `^/api${one.path.replace(/\{\w+\}/g, '[^/]+')}$`;
    return one.method === method && new RegExp(pattern).test(path);
  });
  if (found === undefined || typeof found.reply === 'string') throw new Error(`no call ${method} ${path}`);
  const text = JSON.stringify(sampleOf(found.reply)).replaceAll('"active":true', '"active":false');
  return JSON.parse(text.replaceAll('"rowVersion":1', `"rowVersion":${rowVersion}`));
}

/** Set by a test to make the server reject the save. */
let refusal: { status: number; message: string } | undefined;
let sent: Record<string, unknown>[];

/** Returns everything in version 1. Another user has saved version 2, so a save based on version 1 is outdated. */
async function answer(address: string, init: RequestInit): Promise<Response> {
  const path = address.replace(/\?.*/, '');
  const method = init.method ?? 'GET';
  if (method === 'GET') return Response.json(answerOf(method, path, 1));
  const body = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, unknown>;
  sent.push(body);
  const current = answerOf(method, path, 2);
  if (refusal !== undefined) return Response.json({ code: 'conflict', ...refusal }, { status: refusal.status });
  const isStale = body['rowVersion'] !== undefined && body['rowVersion'] !== 2;
  const stale = { code: 'stale', message: 'Someone else has saved this meanwhile', current };
  return isStale ? Response.json(stale, { status: 409 }) : Response.json(current);
}

const AREAS = ['Customers', 'Vendors', 'Products', 'Accounting'];

beforeEach(() => {
  refusal = undefined;
  sent = [];
  signedIn();
  updateSession({ permissions: AREAS.map((area) => `Manage ${area}`) });
  vi.stubGlobal('fetch', answer);
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
  alerts.forget();
});

async function footOf(Screen: () => ReactElement, address: string) {
  showWithData(<Screen />, address);
  await screen.findByText('Inactive', { selector: '.ek-modal *' });
  const foot = document.querySelector<HTMLElement>('.ek-modal .ek-foot');
  return foot === null ? undefined : within(foot);
}

const pastAlerts = () => alerts.state().past.map(({ kind, text }) => `${kind}: ${text}`);

// Promise (browser): Restore works the same for every kind of record and never undoes another user's change. [12
// kinds]
describe('a record changed by another user is made active without losing the change', () => {
  it.each(KINDS)(
    'Restore makes a record active and keeps changes by another user: %s',
    async (address, Screen, flag) => {
      const foot = await footOf(Screen, address);
      const buttons = foot?.getAllByRole('button') ?? [];
      expect(buttons.map((button) => button.textContent)).toEqual(['Restore']);
      await userEvent.click(foot?.getByText('Restore') ?? document.body);
      await waitFor(() => expect(pastAlerts()).toEqual(['Success: 1 restored']));
      // The body may contain the record's ID, but no other values that were read.
      const [body = {}] = sent;
      expect(sent).toHaveLength(1);
      expect(body).toMatchObject(flag);
      expect(Object.keys(body).filter((name) => !/id$/i.test(name))).toEqual(Object.keys(flag));
      expect(screen.queryByText('Keep My Changes')).toBeNull();
      // Restore closes the dialog, as saving does. A customer or vendor stays open in the read-only view.
      const isEntity = /customers|vendors/.test(address);
      await waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(isEntity ? 1 : 0));
    },
  );
});

it.each(EACH_PART)('a rejected Restore shows an error in the dialog, which stays open: %s', async (address, Screen) => {
  refusal = { status: 409, message: 'The name is taken' };
  const foot = await footOf(Screen, address);
  await userEvent.click(foot?.getByText('Restore') ?? document.body);
  await screen.findByText('The name is taken', { selector: '.ek-modal *' });
  expect(pastAlerts().join()).toContain('The name is taken');
  expect(foot?.getByText('Restore')).toBeTruthy();
});

it.each(EACH_PART)("a user with only view permission can't see Restore: %s", async (address, Screen) => {
  updateSession({ userRole: 'Reader', permissions: AREAS.map((area) => `View ${area}`) });
  const foot = await footOf(Screen, address);
  expect(foot?.queryByText('Restore') ?? null).toBeNull();
});
