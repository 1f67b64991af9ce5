import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import { focused, gone, holds, says, seen } from './look.ts';
import { Keyboard } from './keyboard.ts';
import { Billing, PaymentDialog } from './pages/Billing.ts';
import { field, picker } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Reports } from './pages/Reports.ts';
import { Search } from './pages/Search.ts';
import { PASSWORD } from './company.ts';

journey(
  'sign-in, tax, customer, product, invoice, payment, and the trial balance work with only the keyboard',
  async (stage) => {
    const { administrator } = await stage.company('Keys Only');
    const page = await stage.open('/login');
    const keys = new Keyboard(page);
    const frame = new Frame(page);
    const dialog = page.getByRole('dialog');
    await seen(page.getByLabel('Email'));
    await keys.fill('Email', administrator.email);
    await keys.fill('Password', PASSWORD);
    await keys.press('Enter');
    await seen(frame.title('Dashboard'));

    // The menu comes before the page, which has the focus after sign-in.
    await keys.to('Settings', 'Shift+Tab');
    await keys.press('Enter');
    await seen(frame.title('Settings'));
    // The main menu also contains Taxes, so the settings sections must be loaded before Tab is pressed.
    await seen(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Taxes' }));
    await keys.to('Taxes');
    await keys.press('Enter');
    await keys.to('Edit Sales Tax');
    await keys.press('Enter');
    await seen(dialog);
    await keys.choose('GL Account', 'Sales Tax');
    await keys.choose('Filing Frequency', 'Quarterly');
    await keys.to('Add Sales Tax Item');
    await keys.press('Enter');
    await keys.to('Percentage', 'Shift+Tab');
    await keys.fill('Percentage', '8.25');
    await keys.press('Control+Enter');
    await gone(dialog);

    await keys.to('Customers', 'Shift+Tab');
    await keys.press('Enter');
    await seen(frame.title('Customers'));
    await keys.to('Add Customer');
    await keys.press('Enter');
    await seen(dialog);
    await keys.fill('Customer Name', 'Ridge Apartments');
    await keys.fill('Email', 'office@ridge.example');
    await keys.press('Control+Enter');
    await seen(dialog.getByRole('button', { name: 'Edit' }));
    await keys.press('Escape');
    await gone(dialog);

    await keys.to('Products', 'Shift+Tab');
    await keys.press('Enter');
    await seen(frame.title('Products'));
    await keys.to('Add Product / Service');
    await keys.press('Enter');
    await seen(dialog);
    await keys.fill('Name', 'Mowing');
    await keys.choose('Category', 'Grounds');
    await keys.to('New Category');
    await keys.press('Enter');
    await holds(picker(dialog, 'Category'), 'Grounds');
    // The box for a new category has closed, and the dialog receives keys again.
    await focused(keys, 'Category');
    await keys.fill('Description', 'Mowing');
    await keys.choose('Revenue Account', 'Service Income');
    await keys.fill('Price', '120');
    await keys.to('Taxable');
    if (!(await dialog.getByRole('checkbox', { name: 'Taxable' }).isChecked())) await keys.press('Space');
    await keys.press('Control+Enter');
    await gone(dialog);

    await keys.to('Billing', 'Shift+Tab');
    await keys.press('Enter');
    await seen(frame.title('Billing'));
    await keys.to('Add Billing');
    await keys.press('Enter');
    const entry = new Billing(page).entry();
    await seen(entry.dialog);
    await keys.choose('Customer', 'Ridge Apartments');
    await keys.choose('Product/Package/Discount', 'Mowing');
    await keys.fill('Quantity', '3');
    // Tab in the last field adds a line.
    await keys.to('Taxable');
    await keys.press('Tab');
    await keys.fill('Description', 'Dump fee');
    await keys.choose('Account', 'Service Income');
    await keys.fill('Price', '40');
    await says(entry.total('Total'), '$429.70');
    await keys.press('Control+Enter');
    await gone(entry.dialog);

    await keys.to('Take Payment', 'Shift+Tab');
    await keys.press('Enter');
    const payment = new PaymentDialog(page);
    // While the dialog loads, it contains only Close.
    await seen(field(payment.dialog, 'Amount'));
    await keys.fill('Amount', '200');
    await keys.choose('Deposit Account', 'Undeposited Funds');
    await keys.to('Payment Type', 'Shift+Tab');
    await keys.choose('Payment Type', 'Check');
    await keys.press('Control+Enter');
    await gone(payment.dialog);

    await keys.to('Reports', 'Shift+Tab');
    await keys.press('Enter');
    await seen(frame.title('Reports'));
    await keys.to('Trial Balance');
    await keys.press('Enter');
    const reports = new Reports(page);
    await says(reports.figure('Accounts Receivable'), '229.70');
    await says(reports.figure('Sales Tax Payable', 1), '29.70');
    await keys.to(/^\$?229\.70$/);
    await keys.press('Enter');
    await seen(page.getByText('Entries in this amount'));
    await keys.to('Close');
    await keys.press('Enter');
    await gone(page.getByText('Entries in this amount'));
    await findByKeys(page, keys);
  },
);

/** Finds the journey's records by an amount, a name, and words, opens one record, and returns to the previous page. */
async function findByKeys(page: Page, keys: Keyboard): Promise<void> {
  const search = new Search(page);
  const panel = page.getByRole('complementary');
  await keys.press('Control+k');
  await keys.type('429.70');
  await says(search.chosen, /Ridge Apartments .* 429\.70$/);
  await keys.press('Enter');
  await seen(panel.getByRole('table', { name: 'Payments' }));
  // The focus is in the panel, so Escape closes it.
  await expect.poll(() => panel.locator(':focus').count()).toBe(1);
  await keys.press('Escape');
  await gone(panel);

  await keys.press('/');
  await keys.type('new invoice for rigde');
  await says(search.chosen, 'New Invoice for Ridge Apartments');
  await keys.press('Enter');
  const entry = new Billing(page).entry();
  await holds(picker(entry.dialog, 'Customer'), 'Ridge Apartments');
  await keys.to('Close', 'Shift+Tab');
  await keys.press('Enter');
  await gone(entry.dialog);

  // An empty search selects no row. The first arrow key selects the last opened record.
  await keys.press('Control+k');
  await keys.press('ArrowDown');
  await says(search.chosen, /^Invoice \d+ · Ridge Apartments$/);
  await keys.type('trial');
  await keys.press('Enter');
  await says(new Reports(page).figure('Accounts Receivable'), '229.70');

  await keys.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await seen(sheet.getByText('Search, open, and run commands'));
  await keys.press('Escape');
  await gone(sheet);
}
