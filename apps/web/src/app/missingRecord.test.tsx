// @vitest-environment jsdom
import '../testing/setup.ts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountingScreen } from '../screens/accounting/AccountingScreen.tsx';
import { GlAccountsScreen } from '../screens/accounting/GlAccountsScreen.tsx';
import { ProfitCentersScreen } from '../screens/accounting/ProfitCentersScreen.tsx';
import { BillingScreen } from '../screens/billing/BillingScreen.tsx';
import { fakeNetwork, showWithData, signedIn, wireCustomer } from '../screens/billing/testing/answers.tsx';
import { ExpensesScreen } from '../screens/expenses/ExpensesScreen.tsx';
import { ProductsScreen } from '../screens/products/ProductsScreen.tsx';
import { Customers } from './Customers.tsx';
import { Vendors } from './Vendors.tsx';
import { signOut, updateSession } from '../client/session.ts';
import { SettingsScreen } from '../screens/settings/SettingsScreen.tsx';
import { alerts } from '../ui/alerts/store.ts';

const ok = (body: unknown) => [{ status: 200, body }];
const COMPANY = {
  ...wireCustomer(3, 'Cedar'),
  address1: '',
  address2: '',
  city: '',
  state: '',
  zipCode: '',
  logo: null,
  timeZone: 'America/New_York',
  phone: '',
  countryId: 1,
  setupCompleted: true,
};
const LISTS = {
  'GET /customerchartofaccounts': ok([]),
  'GET /customerchartofaccounts?inactive=true': ok([]),
  'GET /GeneralLedger/Drafts': ok([]),
  'GET /profitcenters?inactive=true': ok([]),
  'GET /paymenttypes': ok([]),
  'GET /company': ok(COMPANY),
  ...Object.fromEntries([0, 1, 2].map((kind) => [`GET /entitydetails/${kind}`, ok([])])),
  ...Object.fromEntries([0, 1, 2].map((kind) => [`GET /entitydetails/${kind}?inactive=true`, ok([])])),
};

beforeEach(() => {
  signedIn();
  const areas = ['Billing', 'Expenses', 'Customers', 'Vendors', 'Products', 'Accounting'];
  updateSession({ permissions: areas.map((area) => `Manage ${area}`) });
  fakeNetwork(LISTS);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  signOut();
  alerts.forget();
});

/** The IDs of a deleted record and of a record that never existed. */
const TYPED = ['7', 'abc'];
const ODD = ['-1', '1.5', '99999999999999999999'];
/**
 * The URLs that open a record, with the pages that they show. The last item of an entry is `['0']` if the ID 0 doesn't
 * mean a new record there.
 */
const PLACES: [string, () => ReactElement, readonly string[]][] = [
  ['/billing?invoice=', BillingScreen, ['0']],
  ['/billing?payment=', BillingScreen, ['0']],
  ['/billing?credit=', BillingScreen, ['0']],
  ['/billing?apply=', BillingScreen, ['0']],
  ['/billing?estimate=', BillingScreen, ['0']],
  ['/billing?invoiceof=', BillingScreen, ['0']],
  ['/billing?edit=', BillingScreen, []],
  ['/billing?pay=p', BillingScreen, ['0']],
  ['/billing?pay=i', BillingScreen, ['0']],
  ['/expenses?invoice=', ExpensesScreen, ['0']],
  ['/expenses?edit=', ExpensesScreen, []],
  ['/customers?customer=', Customers, ['0']],
  ['/customers?edit=', Customers, []],
  ['/customers?pay=p', Customers, ['0']],
  ['/vendors?vendor=', Vendors, ['0']],
  ['/products?tab=products&product=', ProductsScreen, []],
  ['/products?tab=packages&package=', ProductsScreen, []],
  ['/accounting?entry=', AccountingScreen, ['0']],
  ['/accounting?edit=', AccountingScreen, []],
  ['/accounting?account=', AccountingScreen, ['0']],
  ['/accounting?journal=d', AccountingScreen, ['0']],
  ['/accounting?journal=c', AccountingScreen, ['0']],
  ['/glaccounts?edit=', GlAccountsScreen, []],
  ['/profitcenters?edit=', ProfitCentersScreen, []],
  ['/settings?paymenttype=', SettingsScreen, []],
  ['/settings?property1=', SettingsScreen, []],
  ['/settings?salestax=', SettingsScreen, []],
];
const ADDRESSES = PLACES.flatMap(([address, Screen, zero], at) =>
  [...TYPED, ...zero, ...(at === 0 ? ODD : [])].map((id): [string, () => ReactElement] => [address + id, Screen]),
);

describe('a missing record shows a message in place of the record', () => {
  it.each(ADDRESSES)('a message is shown in place of a missing record: %s', async (address, Screen) => {
    await act(async () => void showWithData(<Screen />, address));
    await waitFor(() => {
      const told = document.body.textContent.match(/(\/\d+|Account) not found|This record no longer exists/);
      expect(told).not.toBeNull();
      expect(screen.queryByText('Loading...')).toBeNull();
    });
  });
});

it.each([
  ['/billing?invoice=7', BillingScreen],
  ['/billing?payment=7', BillingScreen],
  ['/expenses?invoice=7', ExpensesScreen],
] as const)('the panel for a missing record offers no actions: %s', async (address, Screen) => {
  showWithData(<Screen />, address);
  await waitFor(() => expect(document.body.textContent).toMatch(/\/7 not found/));
  expect(screen.queryByRole('button', { name: /^(Delete|Preview|Open) ?/ })).toBeNull();
});
