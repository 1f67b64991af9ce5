import type { Page } from 'playwright-core';
import { JournalDialog } from './pages/Accounting.ts';
import { BillingEntry } from './pages/Billing.ts';
import type { Saved } from './oneOfEach.ts';
import { visit } from './visit.ts';
import { seen } from './look.ts';

/** The function that is called for each state while the state is shown. */
type Look = (what: string) => Promise<void>;

const BIG = '9,999,999.99';

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
  // If there is little space, a line has one amount and a side.
  await dialog.getByRole('textbox', { name: /^(Amount|Debit, line 1)$/ }).fill(BIG);
  await look('journal entry, an amount');
}

/** In books with large amounts, opens the forms one after another, each with a line that is being edited. */
export async function linesInWork(page: Page, books: Saved, look: Look): Promise<void> {
  await invoiceLines(page, books, look);
  await billLines(page, books, look);
  await journalLines(page, look);
}
