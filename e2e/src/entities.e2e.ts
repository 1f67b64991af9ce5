import { addCustomer, addInvoice, daysAgo } from './books.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { button, field, pick } from './pages/fields.ts';

/** Checks that a save does not change an individual's data, and adds a vendor. */
async function twoPhones(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const tab = (name: string) => dialog.getByRole('tab', { name }).click();
  await dialog.getByText('Individual', { exact: true }).click();
  await button(dialog, 'Save').click();
  await seen(dialog.getByText('Please enter a First name'));
  await seen(dialog.getByText('Please enter a valid email address'));
  await field(dialog, 'First Name').fill('Inès');
  await field(dialog, 'Last Name').fill('O’Brien');
  await field(dialog, 'Email').fill('ines@obrien.example');
  for (const [at, number, label] of [
    [0, '(902) 555-0101', 'Mobile'],
    [1, '(902) 555-0102', 'Office'],
  ] as const) {
    await button(dialog, 'Add Phone').click();
    await field(dialog, 'Phone').nth(at).fill(number);
    await field(dialog, 'Label').nth(at).fill(label);
  }
  await dialog.getByRole('radio', { name: 'Primary' }).nth(1).check();
  await tab('Addresses');
  const mailing = dialog.getByRole('region', { name: 'Mailing Address' });
  await pick(mailing, 'Country', 'Canada');
  await pick(mailing, 'Province', 'Nova Scotia');
  await field(mailing, 'City').fill('Halifax');
  await field(mailing, 'Postal Code').fill('B3H 1A1');
  await checkLook(page, 'address in Canada');
  await button(dialog, 'Save').click();
  await seen(button(dialog, 'Edit'));

  await page.reload();
  await seen(dialog.getByText('(902) 555-0101 (Mobile)'));
  await seen(dialog.getByText('(902) 555-0102 (Office, primary)'));
  await tab('Addresses');
  await seen(dialog.getByText('Halifax, NS B3H 1A1'));
  await seen(dialog.getByText('Canada'));
  await button(dialog, 'Close').click();
  await gone(dialog);
  await seen(page.getByRole('link', { name: 'Inès O’Brien' }));

  await page.goto('/vendors?edit=0');
  await field(dialog, 'Vendor Name').fill('Quarry Supply');
  await field(dialog, 'Email').fill('orders@quarry.example');
  await field(dialog, 'DBA').fill('The Quarry');
  await button(dialog, 'Save').click();
  // If the dialog were closed before the save was complete, the dialog would ask whether to save.
  await seen(button(dialog, 'Edit'));
  await button(dialog, 'Close').click();
  await gone(dialog);
  // The vendor's page is next to the list, which then has space only for the name.
  await seen(page.getByRole('row').filter({ hasText: 'Quarry Supply' }));
  await page.goto('/vendors');
  await seen(page.getByRole('row').filter({ hasText: 'Quarry Supply' }).getByText('The Quarry'));
}

/** Opens the total of all balances, which lists each customer's balance, and then each customer's open items. */
async function allBalances(page: Page): Promise<void> {
  const total = page.locator('tfoot').getByRole('button', { name: '320.50' });
  await total.click();
  const drawer = page.getByRole('dialog', { name: 'Balance of all customers' });
  await seen(drawer.getByText('$320.50'));
  await seen(drawer.getByText('Quarry Lane'));
  await drawer.getByRole('button', { name: '300.00', exact: true }).click();
  await seen(page.getByRole('dialog', { name: 'Balance of Orchard Row' }).getByText('$300.00'));
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));

  // The total of a filtered list is plain text and cannot be opened.
  await page.getByPlaceholder('Search Customers...').fill('Quarry');
  await seen(page.locator('tfoot').getByText('20.50', { exact: true }));
  expect(await page.locator('tfoot').getByRole('button', { name: '20.50' }).count()).toBe(0);
}

journey(
  'an individual in Canada is saved unchanged, a vendor is added, and the total of all balances opens',
  async (stage) => {
    const { administrator } = await stage.company('Two Phones');
    const { api } = administrator;
    const page = await stage.open('/customers?edit=0', { as: administrator });
    await twoPhones(page);
    for (const [name, amount] of [
      ['Orchard Row', '300.00'],
      ['Quarry Lane', '20.50'],
    ] as const) {
      await addInvoice(api, { customerId: await addCustomer(api, name), amount, date: daysAgo(40) });
    }
    await page.goto('/customers');
    await allBalances(page);
  },
);
