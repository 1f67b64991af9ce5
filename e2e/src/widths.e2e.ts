import { billingCalls } from '@evenkeel/contract/billing';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addBigBooks, BIG_CUSTOMER } from './bigBooks.ts';
import { addCustomer, addInvoice } from './books.ts';
import { everyScreen } from './everyScreen.ts';
import { journey } from './journey.ts';
import { seen } from './look.ts';
import { button } from './pages/fields.ts';
import { SCREENS } from './places.ts';
import { fitted } from './settled.ts';
import { unreadable } from './values.ts';

/** Widths at which everything is looked at: a desk, the one below which parts stand otherwise, a tablet, a phone. */
const ALWAYS = [1440, 1224, 768, 390];
/** Widths at the ends and between: each state is looked at in one of them, by turns. */
const IN_TURN = [1920, 1400, 1366, 1280, 1024, 834];
const NARROWEST = 320;

/** From this width on the parts of a page stand as they do at any greater width. */
const WIDE = 1224;

/** Parts of the page at its present width that have no room. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) found.push(`the page is ${over} px wider than the window`);
    const scope = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document;
    const places = '.mantine-Modal-body, .ek-pl-body, .ek-panel-body, .ek-page-body, .ek-tw, .ek-foot';
    for (const place of scope.querySelectorAll<HTMLElement>(places)) {
      const wider = place.scrollWidth - place.clientWidth;
      if (wider > 1) found.push(`${place.className} scrolls sideways by ${wider} px`);
    }
    for (const body of scope.querySelectorAll<HTMLElement>('.mantine-Modal-body')) {
      const edge = body.getBoundingClientRect().right - Number.parseInt(getComputedStyle(body).paddingRight, 10);
      for (const field of body.querySelectorAll('.mantine-Input-wrapper, .mantine-SegmentedControl-root')) {
        if (field.getBoundingClientRect().right > edge + 1) found.push('a field stands in the margin of its dialog');
      }
    }
    for (const label of scope.querySelectorAll<HTMLElement>('.mantine-Button-label')) {
      if (label.scrollWidth > label.clientWidth + 1) found.push(`the button ${label.textContent} is cut`);
    }
    return found;
  });
}

/** Widths for the n-th state: no dialog is looked at wider than its full width, a screen also at the narrowest. */
async function widthsOf(page: Page, at: number, isScreen: boolean): Promise<readonly number[]> {
  const widths = [...ALWAYS, IN_TURN[at % IN_TURN.length] ?? 0];
  const dialog = page.getByRole('dialog').last();
  if ((await dialog.count()) === 0) return isScreen ? [...widths, NARROWEST] : widths;
  const width = await dialog.evaluate((element) => element.clientWidth);
  return width < WIDE - 100 ? widths.filter((one) => one <= WIDE) : widths;
}

// Promise (browser): No value on any screen is cut, covered, or wrapped within a number, and no page scrolls sideways,
// at any width. [85 states, 11 widths by turns, 9,999,999.99]
journey(
  'with profit centers and locations and amounts of 9,999,999.99 every value on every screen is read whole',
  async (stage) => {
    const { administrator, addCard } = await stage.company('Big Books');
    await addCard();
    const books = await addBigBooks(administrator.api);
    const page = await stage.open('/customers', { as: administrator });
    await seen(page.getByRole('row').filter({ hasText: BIG_CUSTOMER }));
    const screens = new Set(SCREENS.map(([, heading]) => heading));
    const found: string[] = [];
    let states = 0;
    await everyScreen(page, books, async (what) => {
      for (const width of await widthsOf(page, states, screens.has(what))) {
        await page.setViewportSize({ width, height: 900 });
        await fitted(page);
        const all = [...(await cut(page)), ...(await unreadable(page))];
        for (const each of all) found.push(`${what} at ${width}: ${each}`);
      }
      states += 1;
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
