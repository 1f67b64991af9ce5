import type { Page } from 'playwright-core';
import { BIG_CUSTOMER } from './bigBooks.ts';
import { daysAgo, today } from './books.ts';
import { gone, seen } from './look.ts';
import { JournalDialog } from './pages/Accounting.ts';
import { BillingEntry } from './pages/Billing.ts';
import { Search } from './pages/Search.ts';
import type { Saved } from './oneOfEach.ts';
import { placesIn, SCREENS } from './places.ts';
import { visit } from './visit.ts';

/** Hears each screen, panel and dialog while it is shown. */
export type Look = (what: string) => Promise<void>;

const BIG = '9,999,999.99';

/** Screens, and all that opens on them over saved records: their names, and their addresses. */
function addressed(books: Saved): [what: string, address: string][] {
  const range = `${daysAgo(365)}_${today()}`;
  const reports = [1, 2, 3, 101, 103, 111, 118].map((id): [string, string] => [
    `report ${id}`,
    `/reports?report=${id}_1_${range}_1_0_0_0&active=0`,
  ]);
  return [
    ...SCREENS.map(([path, heading]): [string, string] => [heading, path]),
    ...placesIn(books, 'shows', 'edits').map(({ name, address }): [string, string] => [name, address]),
    // Forms of something new hold no values; these have columns for them.
    ['new invoice', '/billing?edit=0'],
    ['new bill', '/expenses?edit=0'],
    ['new work item', '/billing?workitem=0'],
    ['pasted work items', '/billing?paste=1'],
    ['billing payment', `/billing?pay=i${books['invoice']}`],
    ['expense payment', `/expenses?pay=i${books['bill']}`],
    ['billing payments', `/billing?pay=s${books['invoice']}`],
    ['expense payments', `/expenses?pay=s${books['bill']}.${books['otherBill']}`],
    ...reports,
  ];
}

async function invoiceLines(page: Page, { invoice }: Saved, look: Look): Promise<void> {
  await visit(page, `/billing?edit=${invoice}`);
  const entry = new BillingEntry(page);
  await seen(entry.dialog.getByText('Course renovation, phase 1'));
  await look('billing entry');
  await entry.addLine();
  await entry.type(entry.work, { product: 'Irrigation Repair', quantity: '1' });
  await look('billing entry, a product in work');
  await entry.work.getByRole('combobox', { name: 'Product/Package/Discount' }).click();
  await page.getByRole('option', { name: 'None (custom line)' }).click();
  await entry.type(entry.work, { description: 'Extra', price: BIG });
  await look('billing entry, a free line in work');
}

async function billLines(page: Page, { bill }: Saved, look: Look): Promise<void> {
  await visit(page, `/expenses?edit=${bill}`);
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
  // A line has one amount and a side where there is little room.
  await dialog.getByRole('textbox', { name: /^(Amount|Debit, line 1)$/ }).fill(BIG);
  await look('journal entry, an amount');
}

async function search(page: Page, look: Look): Promise<void> {
  await visit(page, '/customers');
  const palette = new Search(page);
  await palette.open(BIG_CUSTOMER);
  await seen(palette.rows(BIG_CUSTOMER));
  await palette.answered();
  await look('search');
  await palette.text.fill('');
  await page.keyboard.press('Escape');
  await gone(palette.dialog);
}

/** Opens every screen, list, panel and dialog of big books in turn; begins on any page of them. */
export async function everyScreen(page: Page, books: Saved, look: Look): Promise<void> {
  for (const [what, address] of addressed(books)) {
    await visit(page, address);
    await look(what);
  }
  await invoiceLines(page, books, look);
  await billLines(page, books, look);
  await journalLines(page, look);
  await search(page, look);
}
