import { expenseCalls } from '@evenkeel/contract/expenses';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../../scripts/checkout.mjs';
import { addBill, addVendor } from './books.ts';
import type { Person } from './company.ts';
import { journey, sizes, type Stage } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { checkLook, focused, gone, holds, says, seen } from './look.ts';
import { Billing, BillingEntry, PaymentDialog } from './pages/Billing.ts';
import { button, field, pick, picker } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { shifts } from './shifts.ts';

/** Drops the privacy policy, renamed to receipt.pdf, on the list of bills. */
async function dropReceipt(page: Page): Promise<void> {
  const paper = await readFile(join(root, 'apps/server/assets/privacy.pdf'), 'base64');
  const dataTransfer = await page.evaluateHandle((text) => {
    const files = new DataTransfer();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    files.items.add(new File([bytes], 'receipt.pdf'));
    return files;
  }, paper);
  const place = page.getByRole('heading', { name: 'Expenses' });
  await place.dispatchEvent('dragenter', { dataTransfer });
  await seen(page.getByText('Drop Files Here'));
  await place.dispatchEvent('drop', { dataTransfer });
}

/** Checks that the dialog, its fields, and its buttons don't move when the receipt appears next to them. */
async function receiptBeside(page: Page, dialog: Locator): Promise<void> {
  // After the code for the fields has loaded, the dialog is drawn again with its fields.
  await seen(field(dialog, 'Invoice Number'));
  const boxes = () => Promise.all([dialog, field(dialog, 'Invoice Number'), button(dialog, 'Save/Send')].map(boxOf));
  const before = await boxes();
  const since = await page.evaluate(() => performance.now());
  await seen(dialog.getByRole('region', { name: 'Receipt' }).getByText('Privacy Policy'));
  expect(await boxes()).toEqual(before);
  const { sum, moved } = await shifts(page, since);
  expect(sum < 0.02 ? [] : moved).toEqual([]);
  await checkLook(page, 'a bill typed from its receipt');
  await seen(dialog.getByRole('region', { name: 'Receipt' }).getByText('Privacy Policy'));
}

const boxOf = (locator: Locator) => locator.boundingBox();

journey(
  'a bill with a credit line is entered from a dropped receipt, partially paid, edited, and paid',
  async (stage) => {
    const { administrator } = await stage.company('Bills Due');
    const { api } = administrator;
    const vendorId = await addVendor(api, 'Quarry Supply');
    const page = await stage.open('/expenses', { as: administrator });
    const expenses = new Billing(page);
    const entry = new BillingEntry(page, 'Expense Entry');
    const payment = new PaymentDialog(page);

    await seen(page.getByText('No bills'));
    await dropReceipt(page);
    await receiptBeside(page, entry.dialog);
    await pick(entry.dialog, 'Vendor', 'Quarry Supply');
    await field(entry.dialog, 'Invoice Number').fill('QS-77');
    await entry.line({ account: 'Office Supplies', description: 'Gravel', amount: '1,200' });
    await entry.addLine();
    await entry.line({ account: 'Office Supplies', description: 'Pallets returned', amount: '200', credit: true });
    await says(entry.total('Total'), '$1,000.00');
    await button(entry.dialog, 'Save/Send').click();
    await gone(entry.dialog);
    const panel = expenses.panel('Bill QS-77');
    await seen(panel.getByText('receipt.pdf'));

    // Below 1224 px, the form takes the whole tab, and the file can be opened from the form.
    await page.setViewportSize(sizes.tablet);
    await button(panel, 'Open Expense Invoice').click();
    await entry.dialog.getByRole('tab', { name: 'Attachments' }).click();
    expect(await entry.dialog.getByRole('region', { name: 'Receipt' }).count()).toBe(0);
    await button(entry.dialog, 'receipt.pdf').click();
    const looked = page.getByRole('dialog', { name: 'receipt.pdf' });
    await seen(looked.getByText('Privacy Policy'));
    await button(looked, 'Close').click();
    await button(entry.dialog, 'Close').click();
    await page.setViewportSize(sizes.desk);

    // Pays 400.00 by check.
    await button(page, 'Pay Bill').click();
    await holds(payment.apply('QS-77'), '1,000.00');
    await payment.amount('400');
    await field(payment.dialog, 'Check Number').fill('5108');
    await payment.post();
    await gone(payment.dialog);
    await says(expenses.row('QS-77').getByRole('cell').last(), '600.00');

    // Increases the bill by 50.00. Without a change, there is nothing to save.
    await button(panel, 'Open Expense Invoice').click();
    const save = button(entry.dialog, 'Save/Send');
    await expect.poll(() => save.isDisabled()).toBe(true);
    await entry.dialog.getByRole('row').filter({ hasText: 'Gravel' }).click();
    await field(entry.work, 'Amount').fill('1,250');
    await button(entry.dialog, 'Commit').click();
    await save.click();
    await gone(entry.dialog);
    await says(expenses.row('QS-77').getByRole('cell').last(), '650.00');

    // Pays the remaining balance from the form. A credit of 10.00 remains.
    await button(panel, 'Open Expense Invoice').click();
    await button(entry.dialog, 'Pay Invoice').click();
    await holds(payment.apply('QS-77'), '650.00');
    await payment.amount('660');
    await says(payment.unapplied, '10.00');
    await payment.post();
    await gone(payment.dialog);
    await seen(page.getByText('No bills'));
    const history = await api.call(expenseCalls.vendorHistory, { params: { vendorId } });
    const paid = history.filter((row) => row.kind === 'payment').map((row) => [row.amount, row.balance]);
    const sums = paid.map(([amount, balance]) => [Math.abs(amount ?? 0), Math.abs(balance ?? 0)]);
    expect(sums.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
      [40_000, 0],
      [66_000, 1000],
    ]);

    // Opens the payment and its entries, and then the bill again from the vendor's tab.
    await page
      .getByRole('link', { name: /^Payment / })
      .first()
      .click();
    const paymentPanel = expenses.panel(/^Bill payment/);
    await paymentPanel.getByRole('tab', { name: 'Ledger' }).click();
    await seen(paymentPanel.getByText('Accounts Payable'));
    await new Frame(page).go('Vendors');
    await page.getByRole('row').filter({ hasText: 'Quarry Supply' }).click();
    await page.getByRole('tab', { name: 'Bills' }).click();
    await page.getByRole('link', { name: 'QS-77', exact: true }).click();
    await seen(panel.getByText('paid in full'));
  },
  { keepsFocus: true },
);

/** The fields in a payment's dialog appear after its default account has loaded. The bill QS-2 is open. */
async function slowAccounts(page: Page): Promise<void> {
  const payment = new PaymentDialog(page);
  const answers: (() => Promise<void>)[] = [];
  await page.route(/\/api\/bankingaccount$/, async (route) => void answers.push(() => route.continue()));
  await page.goto('/expenses');
  await button(page, 'Post a payment for bill QS-2').click();
  await seen(payment.dialog);
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  // At this point, all other requests have finished.
  await page.waitForTimeout(500);
  expect(await field(payment.dialog, 'Amount').count()).toBe(0);
  for (const answer of answers) await answer();
  await holds(picker(payment.dialog, 'Cash Account'), 'Checking');
  await focused(new Keyboard(page), 'Amount');
  await page.keyboard.press('Control+Enter');
  await gone(payment.dialog);
  await seen(page.getByText('No bills'));
}

/**
 * Each vendor is owed 80.00. Pays B-1 to B-3 together with the mouse (the second one partially), and then C-1 to C-3
 * with the keyboard.
 */
async function threeVendors(stage: Stage, person: Person): Promise<void> {
  const { api } = person;
  const vendors = [
    await addVendor(api, 'Clay & Sons'),
    await addVendor(api, 'Oak Yard'),
    await addVendor(api, 'Zinc Works'),
  ];
  const bill = async (letter: string) => {
    for (const [at, vendorId] of vendors.entries())
      await addBill(api, { vendorId, number: `${letter}-${at + 1}`, amount: '80.00' });
  };
  await bill('B');
  const page = await stage.open('/expenses', { as: person });
  const expenses = new Billing(page);
  const dialog = page.getByRole('dialog', { name: 'Add Expense Payments' });
  for (const number of ['B-1', 'B-2', 'B-3']) await page.getByRole('checkbox', { name: `Select ${number}` }).click();
  await checkLook(page, 'bills selected');
  await button(page, 'Pay 3 Bills').click();
  const second = field(dialog, 'Apply amount for bill B-2');
  await holds(second, '80.00');
  await second.fill('30');
  await second.blur();
  await button(dialog, /^Post 3 Payments/).click();
  await gone(dialog);
  await seen(page.getByText('3 payments posted, $190.00'));
  await says(expenses.row('B-2').getByRole('cell').last(), '50.00');
  await gone(expenses.row('B-1'));
  await gone(page.getByText(/ selected/));

  await bill('C');
  await page.reload();
  await seen(expenses.row('C-3'));
  const keys = new Keyboard(page);
  await keys.to(/^B-2/);
  await keys.press('ArrowDown', 'Space', 'ArrowDown', 'ArrowDown', 'Shift+Space');
  await keys.to('Pay 3 Bills');
  await keys.press('Enter');
  await focused(keys, 'Payment Date');
  await keys.press('Control+Enter');
  await gone(dialog);
  await seen(page.getByText('3 payments posted, $240.00'));
  await gone(expenses.row('C-1'));
  const [left, ...others] = await Promise.all(
    vendors.map(async (vendorId) => {
      const rows = await api.call(expenseCalls.vendorHistory, { params: { vendorId } });
      return rows.filter((row) => row.kind === 'payment').map((row) => Math.abs(row.amount ?? 0));
    }),
  );
  expect([left, ...others]).toEqual([
    [8000, 8000],
    [8000, 3000],
    [8000, 8000],
  ]);
}

journey(
  "three vendors' bills are paid together, and one bill is entered, saved, and paid with only the keyboard",
  async (stage) => {
    const { administrator } = await stage.company('Bills by Keys');
    const vendorId = await addVendor(administrator.api, 'Quarry Supply');
    const page = await stage.open('/expenses', { as: administrator });
    const keys = new Keyboard(page);
    const entry = new BillingEntry(page, 'Expense Entry');
    const payment = new PaymentDialog(page);
    // A real user sees the page before pressing Tab.
    await seen(button(page, 'Add Expense'));
    await keys.to('Add Expense');
    await keys.press('Enter');
    await seen(entry.dialog);
    await keys.choose('Vendor', 'Quarry Supply');
    await keys.fill('Invoice Number', 'QS-1');
    await keys.choose('Account', 'Office Supplies');
    await keys.fill('Description', 'Gravel');
    await keys.fill('Amount', '80');
    await says(entry.total('Total'), '$80.00');
    await keys.press('Control+Enter');
    await gone(entry.dialog);
    await keys.to('Pay Bill', 'Shift+Tab');
    await keys.press('Enter');
    await seen(payment.dialog);
    await holds(payment.apply('QS-1'), '80.00');
    await focused(keys, 'Amount');
    await keys.press('Control+Enter');
    await gone(payment.dialog);
    await seen(page.getByText('No bills'));

    await addBill(administrator.api, { vendorId, number: 'QS-2', amount: '80.00' });
    await slowAccounts(page);
    await threeVendors(stage, administrator);
  },
  { keepsFocus: true },
);
