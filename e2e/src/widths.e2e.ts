import { billingCalls } from '@evenkeel/contract/billing';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addBigBooks } from './bigBooks.ts';
import { addBill, addCustomer, addInvoice, addVendor, daysAgo } from './books.ts';
import { everyScreen } from './everyScreen.ts';
import { journey } from './journey.ts';
import { gone, seen } from './look.ts';
import { button } from './pages/fields.ts';
import { fitted, settled } from './settled.ts';
import { unreadable } from './values.ts';

const WIDTHS = [320, 390, 768, 1024, 1224, 1280, 1366, 1400, 1440, 1920];

/** Figures cut at the page's present width: one that its own or a surrounding box hides in part. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) found.push(`the page is ${over} px wider than the window`);
    const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
    const places = '.mantine-Modal-body, .ek-panel-body, .ek-page-body, .ek-tw, .ek-foot';
    for (const place of (dialog ?? document).querySelectorAll<HTMLElement>(places)) {
      const wider = place.scrollWidth - place.clientWidth;
      if (wider > 1) found.push(`${place.className} scrolls sideways by ${wider} px`);
    }
    for (const body of (dialog ?? document).querySelectorAll<HTMLElement>('.mantine-Modal-body')) {
      const edge = body.getBoundingClientRect().right - Number.parseInt(getComputedStyle(body).paddingRight, 10);
      for (const field of body.querySelectorAll('.mantine-Input-wrapper, .mantine-SegmentedControl-root')) {
        if (field.getBoundingClientRect().right > edge + 1) found.push('a field stands in the margin of its dialog');
      }
    }
    for (const label of (dialog ?? document).querySelectorAll<HTMLElement>('.mantine-Button-label')) {
      if (label.scrollWidth > label.clientWidth + 1) found.push(`the button ${label.textContent} is cut`);
    }
    const figures = (dialog ?? document).querySelectorAll<HTMLElement>('.ek-amount, .ek-money input');
    for (const figure of figures) {
      const box = figure.getBoundingClientRect();
      // Text for screen readers alone has no room on purpose.
      if (box.width === 0 || figure.closest('[inert], .ek-vh') !== null) continue;
      const words = figure instanceof HTMLInputElement ? figure.value : figure.textContent;
      if (figure.scrollWidth > figure.clientWidth + 1 && figure.clientWidth > 0) found.push(`${words} in its own box`);
      for (let around = figure.parentElement; around !== null; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.overflowX === 'visible' && around.tagName !== 'TD') continue;
        const room = around.getBoundingClientRect();
        const lost = Math.max(box.right - room.right, room.left - box.left);
        if (lost > 1) found.push(`${words}: ${Math.round(lost)} px lost in ${around.className || around.tagName}`);
      }
    }
    return found;
  });
}

/** At every width, in the state the page has. */
async function check(page: Page, what: string, found: string[]): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await fitted(page);
    for (const each of await cut(page)) found.push(`${what} at ${width}: ${each}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await settled(page);
}

async function closeDialog(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  // A dialog with typed text asks first, the moment after the key.
  const discard = button(dialog, 'Discard changes');
  await expect.poll(async () => (await discard.isVisible()) || !(await dialog.first().isVisible())).toBe(true);
  if (await discard.isVisible()) await discard.click();
  await gone(dialog);
}

journey(
  'no amount is cut on any list, panel or dialog from 320 to 1920 px, and no page scrolls sideways',
  async (stage) => {
    const { administrator } = await stage.company('Every Width');
    const { api } = administrator;
    const name = 'Cedar, Stone & Timber Landscape Architects of the Upper Valley';
    const customerId = await addCustomer(api, name);
    const { invoiceNumber } = await addInvoice(api, { customerId, amount: '12,345,678.90', date: daysAgo(3) });
    for (const days of [5, 40, 400]) await addInvoice(api, { customerId, amount: '1,234,567.89', date: daysAgo(days) });
    const found: string[] = [];
    const page = await stage.open('/', { as: administrator });
    await seen(page.getByRole('heading', { name: 'Dashboard' }));
    await check(page, 'dashboard', found);

    await page.goto('/customers');
    await seen(page.getByRole('row').filter({ hasText: name }));
    await check(page, 'customers', found);
    await page.getByRole('row').filter({ hasText: name }).click();
    await seen(page.getByRole('complementary'));
    await check(page, 'customer panel', found);
    await page.getByRole('tab', { name: 'Invoices' }).click();
    await check(page, 'customer invoices', found);

    await page.goto('/billing');
    await seen(page.getByRole('row').filter({ hasText: invoiceNumber }));
    await check(page, 'open invoices', found);
    await page.getByRole('link', { name: invoiceNumber, exact: true }).click();
    await seen(page.getByRole('complementary'));
    await check(page, 'invoice panel', found);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Post Payment for/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByText(invoiceNumber));
    await check(page, 'payment dialog', found);
    await closeDialog(page, dialog);
    await page.getByRole('tab', { name: 'Invoice History' }).click();
    await seen(page.getByRole('row').filter({ hasText: invoiceNumber }));
    await check(page, 'invoice history', found);
    await button(page, 'Add Billing').click();
    await seen(dialog);
    await check(page, 'billing entry', found);
    await closeDialog(page, dialog);

    const vendorId = await addVendor(api, name);
    await addBill(api, { vendorId, number: 'QS-2026-11-0001', amount: '12,345,678.90', date: daysAgo(90) });
    await page.goto('/expenses');
    await seen(page.getByRole('row').filter({ hasText: 'QS-2026' }));
    await check(page, 'expenses', found);
    await page.getByRole('link', { name: 'QS-2026-11-0001' }).click();
    await seen(page.getByRole('complementary'));
    await check(page, 'bill panel', found);
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await seen(page.getByRole('table', { name: 'Entries' }));
    await check(page, 'entries behind a bill', found);
    await button(page, 'Open Expense Invoice').click();
    await seen(dialog);
    await check(page, 'expense entry', found);
    await button(dialog, 'Pay Invoice').click();
    await seen(dialog.getByText('Fill in list order'));
    await check(page, 'expense payment', found);
    await closeDialog(page, dialog);

    await page.goto('/accounting');
    const receivable = page.getByRole('row').filter({ hasText: 'Accounts Receivable' });
    await seen(receivable);
    await check(page, 'chart', found);
    await receivable.first().click();
    await seen(page.getByRole('table', { name: 'Account entries' }));
    await check(page, 'account', found);
    expect(found).toEqual([]);
  },
);

/** Widths that people work at; the journey above covers lists and dialogs at the others. */
const WORKED_AT = [1440, 1280, 1224, 1024, 768, 390];

// Promise (browser): No value on any screen is cut, covered or wrapped within a number, at any width. [83 states, 6
// widths, 9,999,999.99]
journey(
  'with profit centers and locations and amounts of 9,999,999.99 every value on every screen is read whole',
  async (stage) => {
    const { administrator } = await stage.company('Big Books');
    const books = await addBigBooks(administrator.api);
    const page = await stage.open('/customers', { as: administrator });
    await seen(page.getByRole('row').filter({ hasText: 'Blue Heron' }));
    const found: string[] = [];
    await everyScreen(page, books, async (what) => {
      for (const width of WORKED_AT) {
        await page.setViewportSize({ width, height: 900 });
        await fitted(page);
        for (const each of await unreadable(page)) found.push(`${what} at ${width}: ${each}`);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    expect(found).toEqual([]);
  },
);

journey('with 40 lines the heads of the columns and the total of a billing entry stay in sight', async (stage) => {
  const { administrator } = await stage.company('Forty Lines');
  const { api } = administrator;
  const customerId = await addCustomer(api, 'Oak Hollow');
  const { id, invoiceNumber, invoiceDate, lineItems, rowVersion } = await addInvoice(api, {
    customerId,
    amount: '10.00',
  });
  const [line] = lineItems;
  if (line === undefined) throw new Error('the invoice has no line');
  const more = Array.from({ length: 39 }, (_, index) => ({ ...line, id: -1 - index, description: `Work ${index}` }));
  const body = { id, customerId, invoiceDate, rowVersion, arBillingStatus: 2, lineItems: [line, ...more] };
  await api.call(billingCalls.updateInvoice, { body });
  for (const size of ['desk', 'phone'] as const) {
    const page = await stage.open(`/billing`, { as: administrator, size });
    await page.getByText(invoiceNumber).first().click();
    await button(page, 'Open Billing Invoice').click();
    const dialog = page.getByRole('dialog', { name: 'Billing Entry' });
    await dialog.getByText('Work 38').scrollIntoViewIfNeeded();
    const total = dialog.locator('.ek-foot').getByText('$400.00');
    expect({ size, total: await inSight(total) }).toEqual({ size, total: true });
    if (size === 'phone') continue;
    const heads = dialog.getByRole('columnheader', { name: 'Description' });
    expect(await inSight(heads)).toBe(true);
  }
});

/** Drawn, and nothing lies over its middle. */
function inSight(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });
}
