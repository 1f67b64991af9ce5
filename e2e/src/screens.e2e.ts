import { billingCalls } from '@evenkeel/contract/billing';
import { bankingCalls } from '@evenkeel/contract/banking';
import { cents } from '@evenkeel/core/money';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { Page } from 'playwright-core';
import type { Api } from './api.ts';
import { addBill, addCustomer, addInvoice, addSalesTax, addVendor, daysAgo, today } from './books.ts';
import { journey } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { Billing } from './pages/Billing.ts';
import { button } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Products } from './pages/Products.ts';
import { Search } from './pages/Search.ts';

/** An invoice paid in part and one overdue, for the screens to show. */
async function someBooks(api: Api): Promise<string> {
  await addSalesTax(api, 'State', '8.25');
  const customerId = await addCustomer(api, 'Orchard Row');
  const { id, invoiceNumber } = await addInvoice(api, { customerId, amount: '360.00', taxable: true });
  await addInvoice(api, { customerId, amount: '99.99', date: daysAgo(60) });
  const [accounts, [type]] = await Promise.all([
    api.call(ledgerCalls.listPaymentAccounts, { query: {} }),
    api.call(bankingCalls.listPaymentTypes, { query: {} }),
  ]);
  await api.call(billingCalls.createPayment, {
    body: {
      customerId,
      paymentDate: today(),
      paymentAmount: cents(20000),
      paymentTypeId: type?.id,
      paymentAccountId: accounts[0]?.customerAccountID,
      paymentApplications: [{ invoiceId: id, amount: cents(20000) }],
    },
  });
  const vendorId = await addVendor(api, 'Quarry Supply');
  await addBill(api, { vendorId, number: 'QS-1', amount: '75.00', date: daysAgo(60) });
  return invoiceNumber;
}

/** Looks at the dialog that `open` brings up, and closes it by Escape. */
async function dialog(page: Page, what: string, open: () => Promise<void>): Promise<void> {
  await open();
  const shown = page.getByRole('dialog');
  await seen(shown);
  await checkLook(page, what);
  await page.keyboard.press('Escape');
  await gone(shown);
}

/** The list, the panel and every tab of the form. */
async function customersLook(page: Page, frame: Frame): Promise<void> {
  await frame.go('Customers');
  await checkLook(page, 'customers');
  await dialog(page, 'new customer', () => button(page, 'Add Customer').first().click());
  await page.getByRole('row').filter({ hasText: 'Orchard Row' }).click();
  await seen(page.getByRole('complementary'));
  await checkLook(page, 'customer panel');
  await page.getByRole('tab', { name: 'Invoices' }).click();
  await checkLook(page, 'customer invoices');
  await button(page, 'Open Customer').click();
  const customer = page.getByRole('dialog', { name: 'Orchard Row' });
  await button(customer, 'Edit').click();
  for (const tab of ['Addresses', 'Contacts', 'Account', 'Details']) {
    await customer.getByRole('tab', { name: tab }).click();
    await checkLook(page, `customer, ${tab}`);
  }
  await button(customer, 'Delete').click();
  await checkLook(page, 'customer, delete asked');
  await button(customer, 'Cancel Delete').click();
  await page.keyboard.press('Escape');
  await gone(customer);
}

/** Lists and panels of invoices and payments. */
async function billingLook(page: Page, frame: Frame, invoiceNumber: string): Promise<void> {
  await frame.go('Billing');
  await checkLook(page, 'open invoices');
  await page.getByRole('link', { name: invoiceNumber, exact: true }).click();
  await seen(page.getByRole('table', { name: 'Payments' }));
  await checkLook(page, 'invoice panel');
  await page.getByRole('link', { name: /^Payment / }).click();
  await seen(page.getByText('Paid invoices'));
  await checkLook(page, 'payment panel');
  await page.getByRole('tab', { name: 'Invoice History' }).click();
  await seen(new Billing(page).row(invoiceNumber));
  await checkLook(page, 'invoice history');
}

/** The list, the panel and the form of a bill. */
async function expensesLook(page: Page, frame: Frame): Promise<void> {
  await frame.go('Expenses');
  await seen(new Billing(page).row('QS-1'));
  await checkLook(page, 'expenses');
  await page.getByRole('link', { name: 'QS-1', exact: true }).click();
  await seen(page.getByRole('complementary').getByText('Gravel'));
  await checkLook(page, 'bill panel');
  await dialog(page, 'expense entry', () => button(page, 'Open Expense Invoice').click());
}

/** The empty list, the list and a form. */
async function productsLook(page: Page, frame: Frame): Promise<void> {
  await frame.go('Products');
  await checkLook(page, 'no products');
  const product = { name: 'Mulch', account: 'Sales', price: '38', taxable: true, category: 'Materials' };
  await new Products(page).add(product);
  await checkLook(page, 'products');
  await dialog(page, 'product', () => new Products(page).row('Mulch').click());
}

/** The cards and their forms, the account menu, and the page for what does not exist. */
async function settingsLook(page: Page, frame: Frame): Promise<void> {
  await frame.go('Settings');
  await checkLook(page, 'settings');
  for (const card of ['Company Info', 'Financial Info', 'Sales Tax']) {
    await dialog(page, card, () => button(page, `Edit ${card}`).click());
  }
  await page.getByRole('button', { name: /^Account Settings/ }).click();
  await seen(button(page, 'Logout'));
  await checkLook(page, 'account settings');
  await page.keyboard.press('Escape');
  await page.goto('/nowhere');
  await seen(page.getByText("The selected page doesn't exist"));
  await checkLook(page, 'a page that does not exist');
}

/** Search without a text, with results, with none, and the sheet of keys. */
async function searchLook(page: Page): Promise<void> {
  const search = new Search(page);
  await search.open();
  await checkLook(page, 'search');
  await search.text.fill('orchard');
  await seen(search.rows('New Invoice for Orchard Row'));
  await checkLook(page, 'search, found');
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

// Promise (browser): axe finds nothing on any screen or dialog, in both themes and at three widths. [0 violations]
journey('lists, panels, dialogs and menus are accessible in both themes and at each width', async (stage) => {
  const { administrator } = await stage.company('Every Look');
  const invoiceNumber = await someBooks(administrator.api);
  const page = await stage.open('/', { as: administrator });
  const frame = new Frame(page);
  await customersLook(page, frame);
  await searchLook(page);
  await billingLook(page, frame, invoiceNumber);
  await expensesLook(page, frame);
  await productsLook(page, frame);
  await settingsLook(page, frame);
});
