import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer } from './books.ts';
import { journey } from './journey.ts';
import { checkLook, gone, says, seen } from './look.ts';
import { Billing, BillingEntry } from './pages/Billing.ts';
import { button, field, pick } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Products } from './pages/Products.ts';

/**
 * Adds work items for a package at 225.00 and for two hours at 68.00, and bills them together for 361.00. After the
 * invoice is voided, the work items are unbilled again.
 */
async function billWork(page: Page): Promise<void> {
  const tab = page.getByRole('tab', { name: /^Work Items/ });
  await tab.click();
  const entry = new BillingEntry(page, 'Work Item Entry');
  const lines = [
    { product: 'Spring deal', quantity: '1' },
    { description: 'Crew hour', account: 'Service Income', price: '68', quantity: '2' },
  ];
  for (const line of lines) {
    await button(page, 'Add Work Item').first().click();
    await entry.customer('Canal Stores');
    await entry.type(entry.dialog, line);
    await entry.save();
    await gone(entry.dialog);
  }
  await says(tab, 'Work Items (2)');
  await button(page, 'Process Work Items').click();
  const dialog = page.getByRole('dialog', { name: 'Process Work Items' });
  await seen(dialog.getByText('1 of 1 customer, 2 work items, tax included'));
  await seen(dialog.getByText('$361.00'));
  await page.keyboard.press('ControlOrMeta+Enter');
  const created = page.getByRole('dialog', { name: '1 Invoice Created' });
  await seen(created.getByText('1 of 1 customer'));
  await seen(created.getByText('1 billed'));
  await checkLook(page, 'processed work items');
  const link = created.getByRole('link').last();
  const number = await link.innerText();
  await link.click();
  await gone(created);
  const billing = new Billing(page);
  await seen(billing.panel(/^Invoice/).getByText('Crew hour'));
  await says(tab, 'Work Items');
  // The result offers to send the invoice until the user has responded.
  await button(page, 'Process Work Items').click();
  await seen(button(created, 'Send These 1'));
  await button(created, 'Not Now').click();
  await gone(created);
  await page.getByRole('tab', { name: 'Open Invoices' }).click();
  await says(billing.row(number).getByRole('cell').last(), '361.00');
  await billing.row(number).getByRole('link', { name: number, exact: true }).click();
  const panel = billing.panel(/^Invoice/);
  await button(panel, /^More: .*Void/).click();
  await page.getByRole('menuitem', { name: 'Void' }).click();
  await button(panel, 'Void').click();
  await seen(panel.getByText('void, nothing owed'));
  await says(tab, 'Work Items (2)');
}

/**
 * Schedules a monthly invoice for a package. The first invoice is created immediately, and no more are created while
 * the schedule is paused.
 */
async function schedule(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Scheduled' }).click();
  await button(page, 'Add Schedule').first().click();
  const entry = new BillingEntry(page, 'Scheduled Invoice');
  await entry.customer('Canal Stores');
  await entry.line({ product: 'Spring deal', quantity: '1' });
  await entry.save();
  await gone(entry.dialog);
  await page.getByRole('row', { name: /Canal Stores/ }).click();
  const panel = new Billing(page).panel('Canal Stores');
  const created = panel.getByRole('table', { name: 'Created documents' }).getByRole('link');
  // The server creates the invoice that is due today shortly after the schedule is saved.
  await expect
    .poll(async () => {
      await page.reload();
      await seen(button(panel, 'Run Now'));
      return created.count();
    })
    .toBe(1);
  await button(panel, 'Run Now').click();
  await expect.poll(() => created.count()).toBe(2);
  await button(panel, 'Pause').click();
  await seen(button(panel, 'Resume'));
  await checkLook(page, 'template');
}

/**
 * A package price of 225.00 for 2 × 100.00 and 49.99 gives a smart discount of 24.99. The package is billed twice, for
 * a total of 450.00.
 */
journey(
  'a package deal with a goal price is created and billed manually, as a work item, and by a schedule',
  async (stage) => {
    const { administrator } = await stage.company('Package Gardens');
    await addCustomer(administrator.api, 'Canal Stores');
    const page = await stage.open('/products', { as: administrator });
    const products = new Products(page);
    const sold = { account: 'Service Income', taxable: false };
    await products.add({ ...sold, name: 'Mowing', price: '100', category: 'Grounds' });
    await products.add({ ...sold, name: 'Hedge', price: '49.99', category: 'Plants' });

    await page.getByRole('tab', { name: 'Package Deals' }).click();
    await button(page, 'Add Package Deal').first().click();
    const dialog = page.getByRole('dialog', { name: 'Add Package Deal' });
    await field(dialog, 'Name').fill('Spring deal');
    await field(dialog, 'Description').fill('Lawn and hedge');
    await dialog.getByText('Smart Discount').click();
    for (const [product, quantity] of [
      ['Mowing', '2'],
      ['Hedge', '1'],
    ] as const) {
      await button(dialog, 'Add Product').click();
      const adding = page.getByRole('dialog', { name: 'Add Product', exact: true });
      await pick(adding, 'Product', product);
      await field(adding, 'Quantity').fill(quantity);
      await button(adding, 'Add').click();
      await gone(adding);
    }
    await field(dialog, 'Goal Price').fill('225');
    const items = dialog.getByRole('table', { name: 'Package items' });
    await says(items.locator('tfoot td').nth(1), '225.00');
    await seen(items.getByRole('row').filter({ hasText: /Smart Discount\s*-10\.00%.*24\.99/ }));
    await button(dialog, 'Save').click();
    await gone(dialog);
    await seen(products.row('Spring deal'));

    // The selected tab is remembered.
    await page.goto('/products');
    await seen(products.row('Spring deal'));

    await new Frame(page).go('Billing');
    const billing = new Billing(page);
    const entry = await billing.add();
    await entry.customer('Canal Stores');
    await entry.line({ product: 'Spring deal', quantity: '2' });
    await seen(entry.dialog.getByText('2 × Mowing, 1 × Hedge'));
    await says(entry.total('Total'), '$450.00');
    await entry.save();
    await gone(entry.dialog);
    await says(billing.row('Canal Stores').getByRole('cell').last(), '450.00');
    await seen(billing.panel(/^Invoice/).getByText('4 × Mowing 360.01'));
    await billWork(page);
    await schedule(page);
  },
  { keepsFocus: true },
);
