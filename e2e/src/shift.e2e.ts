import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import { addBill, addCustomer, addInvoice, addVendor, daysAgo } from './books.ts';
import type { Person } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { seen } from './look.ts';
import { settled } from './settled.ts';
import { shifts } from './shifts.ts';

/** Long enough for a page to be drawn before its answers come, as it is over a slow network. */
const ANSWERS_AFTER_MS = 300;

/** Path and heading of each screen, as a company with a few books sees it. */
const SCREENS: [string, string][] = [
  ['/', 'Dashboard'],
  ['/billing', 'Billing'],
  ['/customers', 'Customers'],
  ['/products', 'Products'],
  ['/accounting', 'Accounting'],
  ['/profitcenters', 'Profit Centers'],
  ['/locations', 'Locations'],
  ['/glaccounts', 'GL Accounts'],
  ['/accountcategories', 'Account Categories'],
  ['/reports', 'Reports'],
  ['/settings', 'Settings'],
  // Again, as this device knows it: the cards stand there before their figures.
  ['/', 'Dashboard'],
];

/** At 1440 and 390 px each page in turn, with answers that take their time; says what shifts by more than 0.02. */
async function shiftsOf(
  stage: Stage,
  as: Person,
  places: readonly (readonly [string, (page: Page) => Promise<void>])[],
) {
  const found: string[] = [];
  const look = async (size: 'desk' | 'phone'): Promise<void> => {
    const page = await stage.open('about:blank', { as, size });
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER_MS));
      await route.continue();
    });
    for (const [path, arrived] of places) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await arrived(page);
      await settled(page);
      const { sum, moved } = await shifts(page);
      console.log(`layout shift: ${path} ${size}: ${sum.toFixed(4)}`);
      if (sum > 0.02) found.push(`${path} ${size}: ${moved.join('; ')}`);
    }
  };
  // Side by side, since both mostly wait; each in a browser profile of its own.
  await Promise.all([look('desk'), look('phone')]);
  return found;
}

journey('no screen shifts by more than 0.02 while it loads, at 1440 and 390 px', async (stage) => {
  const { administrator } = await stage.company('Steady Ground');
  const customerId = await addCustomer(administrator.api, 'Oak Hollow');
  await addInvoice(administrator.api, { customerId, amount: '360.00' });
  await addInvoice(administrator.api, { customerId, amount: '99.99', date: daysAgo(60) });
  const heading = (name: string) => (page: Page) => seen(page.getByRole('heading', { level: 1, name, exact: true }));
  const places = SCREENS.map(([path, name]) => [path, heading(name)] as const);
  expect(await shiftsOf(stage, administrator, places)).toEqual([]);
});

/** Panels and dialogs by their addresses, each over books that fill it. */
async function openPlaces(api: Api): Promise<{ panels: string[]; dialogs: string[] }> {
  const customerId = await addCustomer(api, 'Oak Hollow');
  const { id } = await addInvoice(api, { customerId, amount: '360.00' });
  for (const days of [30, 60, 90]) await addInvoice(api, { customerId, amount: '99.99', date: daysAgo(days) });
  const vendorId = await addVendor(api, 'Quarry Supply');
  const bill = await addBill(api, { vendorId, number: 'QS-1', amount: '75.00', date: daysAgo(60) });
  const [account] = await api.call(ledgerCalls.chartOfAccounts, { query: {} });
  return {
    panels: [
      `/billing?invoice=${id}`,
      `/customers?customer=${customerId}`,
      `/customers?customer=${customerId}&tab=invoices`,
      `/expenses?invoice=${bill.id}`,
      `/vendors?vendor=${vendorId}`,
      `/accounting?account=${account?.customerAccountID ?? 0}`,
    ],
    dialogs: [
      '/billing?edit=0',
      `/billing?edit=${id}`,
      `/billing?pay=i${id}`,
      `/billing?pay=e${customerId}`,
      '/customers?edit=0',
      `/customers?edit=${customerId}`,
      '/vendors?edit=0',
      `/vendors?edit=${vendorId}`,
      '/expenses?edit=0',
      `/expenses?edit=${bill.id}`,
      `/expenses?pay=i${bill.id}`,
      '/products?tab=products&product=0',
      '/products?tab=discounts&discount=0',
      '/products?tab=packages&package=0',
      '/products?tab=categories&category=0',
      '/accounting?journal=n0',
      '/accounting?saved=1',
      '/glaccounts?edit=0',
      '/profitcenters?edit=0',
      '/locations?edit=0',
      '/accountcategories?edit=0',
      '/settings?company=1',
      '/settings?financial=1',
    ],
  };
}

journey('no panel and no dialog shifts by more than 0.02 while its data comes, at 1440 and 390 px', async (stage) => {
  const { administrator } = await stage.company('Steady Dialogs');
  const { panels, dialogs } = await openPlaces(administrator.api);
  const panel = (page: Page) => seen(page.getByRole('complementary'));
  const dialog = (page: Page) => seen(page.getByRole('dialog'));
  const places = [...panels.map((path) => [path, panel] as const), ...dialogs.map((path) => [path, dialog] as const)];
  expect(await shiftsOf(stage, administrator, places)).toEqual([]);
});
