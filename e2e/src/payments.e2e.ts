import { billingCalls } from '@evenkeel/contract/billing';
import { expect } from 'vitest';
import { bankingCalls } from '@evenkeel/contract/banking';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { Page } from 'playwright-core';
import { addCustomer, addInvoice, daysAgo, invoicesOf, money, paymentsOf } from './books.ts';
import type { Person } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, gone, holds, says, seen } from './look.ts';
import { Billing, BillingEntry, PaymentDialog } from './pages/Billing.ts';
import { button, pick, picker, fromMenu } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { pressOften } from './pressOften.ts';

/** Bills a customer and records a payment on a phone with a width of 390 px. */
async function onPhone(stage: Stage, person: Person): Promise<void> {
  const { api } = person;
  const customerId = await addCustomer(api, 'Lock Keeper');
  const page = await stage.open('/billing', { as: person, size: 'phone' });
  const billing = new Billing(page);
  const entry = await billing.add();
  await entry.customer('Lock Keeper');
  const sheet = page.getByRole('dialog', { name: 'Add Billing Line Item' });
  if (!(await sheet.isVisible())) await entry.addLine();
  await entry.type(sheet, { description: 'Hedge', account: 'Service Income', price: '85' });
  await button(sheet, 'Commit').click();
  await gone(sheet);
  await says(entry.total('Total'), '$85.00');
  await entry.save();
  await gone(entry.dialog);
  await button(page, 'Close').first().click();
  await page.getByRole('button', { name: /^Post a payment for invoice/ }).click();
  const payment = new PaymentDialog(page);
  await pick(payment.dialog, 'Payment Type', 'Cash');
  await pick(payment.dialog, 'Deposit Account', 'Undeposited Funds');
  await payment.post();
  await gone(payment.dialog);
  await seen(page.getByText('No open invoices'));
  const [paid] = await paymentsOf(api, customerId);
  expect(paid?.paymentAmount).toBe(8500);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
}

/**
 * Checks the page for the customer Canal Stores: its rows, a new invoice, and a deleted payment. The customer has paid
 * 200.00 on invoices for 190.00.
 */
async function homeOf(
  stage: Stage,
  page: Page,
  { api, paymentId, invoices }: { api: Person['api']; paymentId: number; invoices: readonly string[] },
): Promise<void> {
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/customers');
  await page.getByRole('link', { name: 'Canal Stores' }).click();
  const home = page.getByRole('complementary').filter({ hasText: 'Canal Stores' });
  const activity = home.getByRole('table', { name: 'Activity' });
  await seen(activity.getByText(/^Applied to invoices/));
  const { paymentNumber } = await api.call(billingCalls.getPayment, { params: { id: paymentId } });
  expect(await activity.getByRole('link').allInnerTexts()).toEqual([
    `Payment ${paymentNumber} · Cash`,
    ...invoices.toReversed().map((number) => `Invoice ${number}`),
  ]);
  await says(home.getByRole('group', { name: 'Balance' }), 'Balance ($10.00) Nothing openStatement');
  await says(home.getByRole('group', { name: 'Credit' }), 'Credit $10.00 Unapplied');

  await button(home, 'New Invoice').click();
  const entry = new BillingEntry(page);
  await holds(picker(entry.dialog, 'Customer'), 'Canal Stores');
  await entry.line({ description: 'Weeding', account: 'Service Income', price: '25' });
  await entry.save();
  await gone(entry.dialog);
  await seen(activity.getByText(/^Due .* Weeding$/));
  await says(home.getByRole('group', { name: 'Balance' }), 'Balance $15.00 1 open invoiceStatement');

  // Another user deletes a payment while its row is shown.
  const customerId = Number(new URL(page.url()).searchParams.get('customer'));
  const [account] = await api.call(ledgerCalls.listPaymentAccounts, { query: {} });
  const [type] = await api.call(bankingCalls.listPaymentTypes, { query: {} });
  const paid = { paymentDate: daysAgo(0), paymentAmount: money('3.00'), paymentApplications: [] };
  const from = { paymentAccountId: account?.customerAccountID, paymentTypeId: type?.id, paymentCheckNo: '77' };
  const short = await api.call(billingCalls.createPayment, { body: { ...paid, ...from, customerId } });
  await page.reload();
  await seen(activity.getByRole('link', { name: /check 77$/ }));
  await api.call(billingCalls.deletePayment, { params: { id: short.id }, query: {} });
  stage.health.allow(/api\/billingpayment\/\d+/);
  await activity.getByRole('link', { name: /check 77$/ }).click();
  await seen(page.getByRole('complementary').getByText('Error! Payment not found'));
  await page.goBack();
  await page.reload();
  await seen(activity);
  await gone(activity.getByRole('link', { name: /check 77$/ }));
  const [weeding] = await invoicesOf(api, customerId);
  await api.call(billingCalls.deleteInvoice, { params: { id: weeding?.id ?? 0 }, query: {} });
}

journey(
  'a customer is billed and pays on a phone, and payments are applied, edited, and deleted on a desktop',
  async (stage) => {
    const { administrator } = await stage.company('Payment Works');
    const { api } = administrator;
    await onPhone(stage, administrator);
    const customerId = await addCustomer(api, 'Canal Stores');
    const numbers: string[] = [];
    for (const [amount, days] of [
      ['100.00', 40],
      ['60.00', 20],
      ['30.00', 1],
    ] as const) {
      numbers.push((await addInvoice(api, { customerId, amount, date: daysAgo(days) })).invoiceNumber);
    }
    const [first = '', second = '', third = ''] = numbers;
    const page = await stage.open('/customers', { as: administrator });
    await button(page, 'Post Payment for Canal Stores').click();
    const payment = new PaymentDialog(page);

    // In list order, the oldest invoice is paid first, and the second one is paid partially.
    await payment.amount('130');
    await holds(payment.apply(first), '100.00');
    await holds(payment.apply(second), '30.00');
    await holds(payment.apply(third), '');

    // An application cannot exceed the invoice's open balance.
    await payment.apply(third).fill('45');
    await payment.apply(third).blur();
    await holds(payment.apply(third), '30.00');
    await payment.post();
    await seen(payment.dialog.getByText('Must be at least $160.00, the amount already applied'));
    await checkLook(page, 'payment with a complaint');

    // The rest remains as a credit.
    await payment.amount('200');
    await pick(payment.dialog, 'Payment Type', 'Cash');
    await pick(payment.dialog, 'Deposit Account', 'Undeposited Funds');
    await says(payment.unapplied, '10.00');
    await payment.postButton.evaluate(pressOften, { times: 8, pause: 60 });
    await gone(payment.dialog);
    const [posted, ...others] = await paymentsOf(api, customerId);
    expect(others).toEqual([]);
    expect(posted?.paymentApplications.map((one) => one.amount).toSorted((a, b) => b - a)).toEqual([10000, 6000, 3000]);
    expect(posted?.unappliedAmount).toBe(1000);

    // One invoice is still in the list. The customer's page shows the activity, and each row opens its document.
    await homeOf(stage, page, { api, paymentId: posted?.id ?? 0, invoices: numbers });

    // Changes the payment to 150.00 on the first and second invoices, and then removes the application to the second.
    const frame = new Frame(page);
    const billing = new Billing(page);
    await frame.go('Billing');
    await page.getByRole('tab', { name: 'Invoice History' }).click();
    await page.getByRole('link', { name: second, exact: true }).click();
    const invoice = billing.panel(`Invoice ${second}`);
    stage.health.allow(/api\/billinginvoice\/\d+/);
    await fromMenu(invoice, 'Delete');
    await button(invoice, 'Confirm Delete').click();
    await seen(invoice.getByText('Delete its payments first'));
    await page.getByRole('link', { name: /^Payment / }).click();
    await button(page, 'Open Billing Payment').click();
    await payment.amount('150');
    await holds(payment.apply(second), '50.00');
    await payment.apply(second).fill('0');
    await payment.apply(second).blur();
    await says(payment.unapplied, '50.00');
    await payment.post();
    await gone(payment.dialog);
    const reopened = await api.call(billingCalls.openInvoices, { params: { customerId } });
    expect(reopened.map((invoice) => [invoice.invoiceNumber, invoice.openAmount])).toEqual([
      [second, 6000],
      [third, 3000],
    ]);

    // Deletes the payment in two steps, which reopens all of its invoices.
    const panel = billing.panel(/^Payment/);
    await fromMenu(panel, 'Delete');
    await button(panel, 'Cancel Delete').click();
    await fromMenu(panel, 'Delete');
    await button(panel, 'Confirm Delete').click();
    await gone(panel);
    const open = await api.call(billingCalls.openInvoices, { params: { customerId } });
    expect(open.map((invoice) => invoice.openAmount)).toEqual([10000, 6000, 3000]);
    expect(await paymentsOf(api, customerId)).toEqual([]);
    await page.getByRole('tab', { name: 'Open Invoices' }).click();
    await seen(billing.row(first));

    // The invoice can then be deleted, too.
    await page.getByRole('link', { name: third, exact: true }).click();
    await fromMenu(billing.panel(`Invoice ${third}`), 'Delete');
    await button(billing.panel(`Invoice ${third}`), 'Confirm Delete').click();
    await gone(billing.row(third));
  },
);
