import { addCustomer } from './books.ts';
import { journey } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { button, fromMenu } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Search } from './pages/Search.ts';
import type { Page } from 'playwright-core';

/** Checks every tab on the form, and the confirmation dialog before a customer is deleted. */
async function customersLook(page: Page, frame: Frame): Promise<void> {
  await frame.go('Customers');
  await page.getByRole('row').filter({ hasText: 'Orchard Row' }).click();
  await seen(page.getByRole('complementary'));
  await button(page, 'Open Customer').click();
  const customer = page.getByRole('dialog', { name: 'Orchard Row' });
  await button(customer, 'Edit').click();
  for (const tab of ['Addresses', 'Contacts', 'Account', 'Details']) {
    await customer.getByRole('tab', { name: tab }).click();
    await checkLook(page, `customer, ${tab}`);
  }
  await fromMenu(customer, 'Delete');
  await checkLook(page, 'customer, delete asked');
  await button(customer, 'Cancel Delete').click();
  await page.keyboard.press('Escape');
  await gone(customer);
}

/** Checks an empty list, the account menu, and the page for an unknown URL. */
async function otherLooks(page: Page, frame: Frame): Promise<void> {
  await frame.go('Products');
  await checkLook(page, 'no products');
  await page.getByRole('button', { name: /^Account Settings/ }).click();
  await seen(button(page, 'Logout'));
  await checkLook(page, 'account settings');
  await page.keyboard.press('Escape');
  await page.goto('/nowhere');
  await seen(page.getByText('This page does not exist'));
  await checkLook(page, 'a page that does not exist');
}

/** Checks the search without text, the search without results, and the list of keyboard shortcuts. */
async function searchLook(page: Page): Promise<void> {
  const search = new Search(page);
  await search.open();
  await checkLook(page, 'search');
  await search.text.fill('qzqz');
  await seen(search.dialog.getByText('No results for “qzqz”'));
  await checkLook(page, 'search, nothing found');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await gone(search.dialog);
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await seen(sheet);
  await checkLook(page, 'keys');
  await page.keyboard.press('Escape');
  await gone(sheet);
}

journey('tabs, menus, an empty list, and the search are accessible in both themes and at each width', async (stage) => {
  const { administrator } = await stage.company('Every Look');
  await addCustomer(administrator.api, 'Orchard Row');
  const page = await stage.open('/', { as: administrator });
  const frame = new Frame(page);
  await customersLook(page, frame);
  await searchLook(page);
  await otherLooks(page, frame);
});
