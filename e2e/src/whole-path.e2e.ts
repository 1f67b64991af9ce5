import type { Page } from 'playwright-core';
import { mailedLink } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, gone, holds, says, seen } from './look.ts';
import { Billing, BillingEntry, PaymentDialog } from './pages/Billing.ts';
import { Customers } from './pages/Customers.ts';
import { button, field, pick, fromMenu } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Products } from './pages/Products.ts';
import { Reports } from './pages/Reports.ts';
import { Settings } from './pages/Settings.ts';

/**
 * The invoice total is 429.70: 3 × 120.00 taxed at 8.25%, plus 40.00 untaxed. The payment is 200.00. On the cash basis,
 * each part is recognized in proportion: 400.00 × 200 / 429.70 = 186.18 in income, and 13.82 in tax.
 */
async function checkBooks(page: Page): Promise<void> {
  const reports = new Reports(page);
  await reports.run('Trial Balance');
  await says(reports.figure('Accounts Receivable'), '229.70');
  await says(reports.figure('Undeposited Funds'), '200.00');
  await says(reports.figure('Sales Tax Payable', 1), '29.70');
  await says(reports.figure('Service Income', 1), '400.00');
  await reports.basis('Cash');
  await says(reports.figure('Undeposited Funds'), '200.00');
  await says(reports.figure('Sales Tax Payable', 1), '13.82');
  await says(reports.figure('Service Income', 1), '186.18');

  await reports.run('Profit & Loss Statement');
  await says(reports.figure(/^Net Income/), '$186.18');
  await reports.basis('Accrual');
  await says(reports.figure(/^Net Income/), '$400.00');
  await reports.run('Balance Sheet');
  await says(reports.figure(/^Total Assets/), '$429.70');
  await says(reports.figure(/^Total Liabilities (and|&) Equity/), '$429.70');
  await reports.basis('Cash');
  await says(reports.figure(/^Total Assets/), '$200.00');
  await says(reports.figure(/^Total Liabilities (and|&) Equity/), '$200.00');
}

/** Sends the open invoice. The customer opens the link in the email on a phone. */
async function sendInvoice(stage: Stage, page: Page): Promise<void> {
  await button(new Billing(page).panel(/^Invoice/), 'Send').click();
  const dialog = page.getByRole('dialog', { name: /^Send Invoice/ });
  await holds(field(dialog, 'To'), 'office@ridge.example');
  await button(dialog, 'Send').click();
  await gone(dialog);
  const link = await mailedLink(stage, 'office@ridge.example');
  const customer = await stage.open(new URL(link).pathname, { size: 'phone' });
  await seen(customer.getByText('$429.70').first());
  await checkLook(customer, 'page of a private link');
  await page.getByRole('tab', { name: 'Sending' }).click();
  await seen(page.getByText('Delivered'));
  await seen(page.getByText('Viewed'));
  await checkLook(page, 'sent invoice');
  await page.getByRole('tab', { name: 'Details' }).click();
}

/**
 * Credits one of the three mowings, including its tax (129.90). 100.00 of the credit is applied immediately, so 129.70
 * of 229.70 remains unpaid. The other 29.90 is refunded to the customer.
 */
async function creditOne(page: Page, billing: Billing): Promise<void> {
  await new Frame(page).go('Billing');
  await billing.row('Ridge Apartments').getByRole('link').first().click();
  await fromMenu(billing.panel(/^Invoice/), 'Credit This Invoice');
  const dialog = page.getByRole('dialog', { name: 'Credit Memo' });
  await dialog.getByRole('checkbox', { name: /^Dump fee/ }).click();
  await field(dialog, 'Quantity of Mowing').fill('1');
  await checkLook(page, 'credit of an invoice');
  await field(dialog, 'Amount to apply').fill('100');
  await button(dialog, 'Save and Apply 100.00').click();
  await gone(dialog);
  const panel = billing.panel(/^Credit Memo/);
  await seen(panel.getByText('remaining to apply'));
  await button(panel, 'Refund').click();
  const refund = page.getByRole('dialog', { name: /^Refund/ });
  await pick(refund, 'Payment Type', 'Check');
  await button(refund, 'Refund 29.90').click();
  await gone(refund);
  await seen(panel.getByText('applied in full'));
  await says(billing.row('Ridge Apartments').getByRole('cell').last(), '129.70');
}

/**
 * Sends an estimate for two mowings. The customer accepts it with the link in the email, without JavaScript, and one of
 * the mowings is invoiced.
 */
async function offerMore(stage: Stage, page: Page, billing: Billing): Promise<void> {
  await page.getByRole('tab', { name: 'Estimates' }).click();
  await button(page, 'Add Estimate').first().click();
  const entry = new BillingEntry(page, 'Estimate');
  await entry.customer('Ridge Apartments');
  await entry.line({ product: 'Mowing', quantity: '2' });
  await says(entry.total('Total'), '$259.80');
  await button(entry.dialog, 'Save and Send').click();
  await button(page.getByRole('dialog', { name: /^Send Estimate/ }), 'Send').click();
  const panel = billing.panel(/^Estimate/);
  await panel.getByRole('tab', { name: 'Sending' }).click();
  await seen(panel.getByText('Delivered'));
  const link = new URL(await mailedLink(stage, 'office@ridge.example')).pathname;
  const customer = await stage.open(link, { size: 'phone' });
  await checkLook(customer, 'page of an estimate');
  await customer.getByLabel('Your name').fill('Ruth Ridge');
  await button(customer, 'Accept Estimate').click();
  await seen(customer.getByText(/^Accepted by Ruth Ridge on/));
  await checkLook(customer, 'accepted estimate');
  await panel.getByRole('tab', { name: 'Details' }).click();
  await page.reload();
  await button(page, 'Create Invoice').click();
  const dialog = page.getByRole('dialog', { name: 'Create Invoice' });
  await field(dialog, 'Quantity of Mowing').fill('1');
  await button(dialog, 'Create Invoice').click();
  await gone(dialog);
  await seen(billing.panel(/^Invoice/).getByRole('link', { name: 'E-101' }));
  await billing
    .panel(/^Invoice/)
    .getByRole('link', { name: 'E-101' })
    .click();
  await seen(billing.panel(/^Estimate/).getByText('1 of 2 invoiced'));
}

// Promise (browser): The path from a customer to the balance sheet works with a mouse, with the keyboard, and on a
// phone. [to the cent]
journey(
  'tax, customer, product, an invoice for 429.70, its email, a payment, and the books work with only the mouse',
  async (stage) => {
    const { administrator } = await stage.company('Whole Path Gardens');
    const page = await stage.open('/', { as: administrator });
    const frame = new Frame(page);
    await seen(frame.title('Dashboard'));
    await checkLook(page, 'dashboard of a new company');
    await frame.go('Settings');
    await new Settings(page).salesTax('State', '8.25');

    await frame.go('Customers');
    await new Customers(page).add('Ridge Apartments', 'office@ridge.example');
    await seen(new Customers(page).row('Ridge Apartments'));
    await frame.go('Products');
    const mowing = { name: 'Mowing', account: 'Service Income', price: '120', taxable: true, category: 'Grounds' };
    await new Products(page).add(mowing);
    await seen(new Products(page).row('Mowing'));

    await frame.go('Billing');
    const billing = new Billing(page);
    const entry = await billing.add();
    await entry.customer('Ridge Apartments');
    await entry.line({ product: 'Mowing', quantity: '3' });
    await entry.addLine();
    await entry.line({ description: 'Dump fee', account: 'Service Income', price: '40' });
    await says(entry.total('Subtotal'), '400.00');
    await says(entry.dialog.locator('dt:has-text("State") + dd'), '29.70');
    await says(entry.total('Total'), '$429.70');
    await entry.save();
    await gone(entry.dialog);
    await says(billing.row('Ridge Apartments').getByRole('cell').last(), '429.70');

    const panel = billing.panel(/^Invoice/);
    await seen(panel.getByText('$429.70').first());
    await sendInvoice(stage, page);
    await button(page, 'Open Billing Invoice').click();
    await fromMenu(entry.dialog, 'Preview Invoice');
    await seen(page.locator('canvas'));
    await checkLook(page, 'invoice preview');
    await button(page.getByRole('dialog', { name: /^Invoice/ }), 'Close').click();

    // An edit is recorded in the invoice's history with the old and new value.
    await field(entry.dialog, 'Due Date').fill('12/31/2099');
    await entry.save();
    await gone(entry.dialog);
    await panel.getByRole('tab', { name: 'History' }).click();
    await seen(panel.getByText('Changed'));
    await seen(panel.getByText('12/31/2099'));
    await checkLook(page, 'history of an invoice');
    await button(page, 'Open Billing Invoice').click();
    await button(entry.dialog, 'Pay Invoice').click();

    const payment = new PaymentDialog(page);
    await payment.amount('200');
    await pick(payment.dialog, 'Payment Type', 'Check');
    await pick(payment.dialog, 'Deposit Account', 'Undeposited Funds');
    await payment.post();
    await gone(payment.dialog);
    await seen(panel.getByText('$229.70'));
    await frame.go('Audit Log');
    // The newest entry is the edit. Sending the invoice was also recorded as a change.
    await page
      .getByRole('row', { name: /Changed Invoice/ })
      .first()
      .click();
    await seen(page.getByRole('table', { name: 'Changes' }).getByText('Due Date'));
    await frame.go('Reports');
    await checkBooks(page);
    await frame.go('Dashboard');
    await seen(page.getByText('229.70').first());
    await creditOne(page, billing);
    await offerMore(stage, page, billing);
  },
);
