import type { Page } from 'playwright-core';
import type { BigBooks } from './bigBooks.ts';
import { daysAgo, today } from './books.ts';
import { seen } from './look.ts';
import { JournalDialog } from './pages/Accounting.ts';
import { BillingEntry } from './pages/Billing.ts';
import { field } from './pages/fields.ts';
import { visit } from './visit.ts';

/** Hears each screen, panel and dialog while it is shown. */
export type Look = (what: string) => Promise<void>;

const BIG = '9,999,999.99';

/** Screens that an address opens whole: its words, the address, and text or a dialog that tells when it is there. */
function addressed(books: BigBooks): [what: string, address: string][] {
  const { customerId, vendorId, invoiceId, billId, paymentId, productId, packageId, discountId } = books;
  const range = `${daysAgo(365)}_${today()}`;
  const reports = [1, 2, 3, 101, 103, 111, 118].map((id): [string, string] => [
    `report ${id}`,
    `/reports?report=${id}_1_${range}_1_0_0_0&active=0`,
  ]);
  return [
    ['dashboard', '/'],
    ['customers', '/customers'],
    ['customer panel', `/customers/${customerId}`],
    ['customer invoices', `/customers/${customerId}?tab=invoices`],
    ['vendors', '/vendors'],
    ['vendor panel', `/vendors/${vendorId}`],
    ['open invoices', '/billing?tab=open'],
    ['invoice panel', `/billing?tab=open&invoice=${invoiceId}`],
    ['invoice history', '/billing?tab=history'],
    ['payment panel', `/billing?tab=history&payment=${paymentId}`],
    ['billing payment', `/billing?pay=i${invoiceId}`],
    ['posted billing payment', `/billing?pay=p${paymentId}`],
    ['expenses', '/expenses'],
    ['bill panel', `/expenses?invoice=${billId}`],
    ['expense payment', `/expenses?pay=i${billId}`],
    ['products', '/products?tab=products'],
    ['product', `/products?tab=products&product=${productId}`],
    ['discounts', '/products?tab=discounts'],
    ['discount', `/products?tab=discounts&discount=${discountId}`],
    ['packages', '/products?tab=packages'],
    ['package', `/products?tab=packages&package=${packageId}`],
    ['chart', '/accounting'],
    ['saved entry', '/accounting?entry=1'],
    ['GL accounts', '/glaccounts'],
    ['profit centers', '/profitcenters'],
    ['locations', '/locations'],
    ['new invoice', '/billing?edit=0'],
    ['new bill', '/expenses?edit=0'],
    ['settings', '/settings'],
    ['financial settings', '/settings?financial=1'],
    ...reports,
  ];
}

async function invoiceLines(page: Page, { invoiceId }: BigBooks, look: Look): Promise<void> {
  await visit(page, `/billing?edit=${invoiceId}`);
  const entry = new BillingEntry(page);
  await seen(entry.dialog.getByText('Course renovation, phase 1'));
  await look('billing entry');
  await entry.addLine();
  await entry.type(entry.work, { product: 'Irrigation Repair', quantity: '1' });
  await look('billing entry, a product in work');
  await entry.work.getByRole('combobox', { name: 'Product/Package/Discount' }).click();
  await page.getByRole('option', { name: 'None, free line' }).click();
  await entry.type(entry.work, { description: 'Extra', price: BIG });
  await look('billing entry, a free line in work');
}

async function billLines(page: Page, { billId }: BigBooks, look: Look): Promise<void> {
  await visit(page, `/expenses?edit=${billId}`);
  const entry = new BillingEntry(page, 'Expense Entry');
  await seen(entry.dialog.getByText('Gravel, four loads'));
  await look('expense entry');
  await entry.dialog.getByText('Gravel, four loads').click();
  await look('expense entry, a line in work');
}

async function journalLines(page: Page, look: Look): Promise<void> {
  await visit(page, '/accounting?journal=n0');
  const { dialog } = new JournalDialog(page);
  await seen(dialog);
  await look('journal entry');
  await field(dialog, 'Amount').fill(BIG);
  await look('journal entry, an amount');
}

/** Opens every screen, list, panel and dialog of big books in turn; begins on any page of them. */
export async function everyScreen(page: Page, books: BigBooks, look: Look): Promise<void> {
  for (const [what, address] of addressed(books)) {
    await visit(page, address);
    await look(what);
  }
  await invoiceLines(page, books, look);
  await billLines(page, books, look);
  await journalLines(page, look);
}
