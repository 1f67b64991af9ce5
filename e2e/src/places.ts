import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { Api } from './api.ts';
import { addBill, addCustomer, addInvoice, addVendor, daysAgo } from './books.ts';

/** Path and heading of each screen. */
export const SCREENS: readonly [path: string, heading: string][] = [
  ['/', 'Dashboard'],
  ['/billing', 'Billing'],
  ['/expenses', 'Expenses'],
  ['/customers', 'Customers'],
  ['/vendors', 'Vendors'],
  ['/products', 'Products'],
  ['/accounting', 'Accounting'],
  ['/profitcenters', 'Profit Centers'],
  ['/locations', 'Locations'],
  ['/glaccounts', 'GL Accounts'],
  ['/accountcategories', 'Account Categories'],
  ['/reports', 'Reports'],
  ['/settings', 'Settings'],
];

/** Forms of a new record, and those that a company has from the start. */
export const NEW_FORMS: readonly string[] = [
  '/billing?edit=0',
  '/customers?edit=0',
  '/vendors?edit=0',
  '/expenses?edit=0',
  '/products?tab=products&product=0',
  '/products?tab=discounts&discount=0',
  '/products?tab=packages&package=0',
  '/products?tab=categories&category=0',
  '/accounting?journal=n0',
  '/glaccounts?edit=0',
  '/profitcenters?edit=0',
  '/locations?edit=0',
  '/accountcategories?edit=0',
  '/settings?company=1',
  '/settings?financial=1',
  '/settings?paymenttype=0',
  '/settings?property0=0',
];

/** Panels and dialogs by their addresses, each over books that fill it. */
export async function openPlaces(api: Api): Promise<{ panels: string[]; dialogs: string[] }> {
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
      ...NEW_FORMS,
      `/billing?edit=${id}`,
      `/billing?pay=i${id}`,
      `/billing?pay=e${customerId}`,
      `/customers?edit=${customerId}`,
      `/vendors?edit=${vendorId}`,
      `/expenses?edit=${bill.id}`,
      `/expenses?pay=i${bill.id}`,
      '/accounting?saved=1',
    ],
  };
}
