import { billingCalls } from '@evenkeel/contract/billing';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice } from './books.ts';
import { journey } from './journey.ts';
import { button } from './pages/fields.ts';

journey('in a billing entry with 40 lines, the column headings and the total stay visible', async (stage) => {
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

/** Returns whether the element is drawn and its middle is not covered. */
function inSight(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && (element.contains(there) || there.contains(element));
  });
}
