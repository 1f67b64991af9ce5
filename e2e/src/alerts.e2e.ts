import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer } from './books.ts';
import { journey } from './journey.ts';
import { gone } from './look.ts';
import { button, field } from './pages/fields.ts';

const WIDTHS = [320, 390, 768, 1024, 1224, 1440, 1920];

/** Returns the actions on a page or dialog that are covered by alerts. There should be none. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const box = (element: Element) => element.getBoundingClientRect();
    const alerts = [...document.querySelectorAll('.ek-alert')].map(box);
    const actions = document.querySelectorAll('.ek-page-actions button, .ek-fab, .ek-foot button');
    return [...actions]
      .filter((action) => {
        const one = box(action);
        return alerts.some(
          (alert) =>
            alert.left < one.right && one.left < alert.right && alert.top < one.bottom && one.top < alert.bottom,
        );
      })
      .map((action) => action.textContent ?? '');
  });
}

const alertsOf = (page: Page) => page.getByRole('region', { name: 'Alerts' });

/**
 * Keeps alerts open, as if the pointer were over them. On a busy machine, an alert may close before the pointer reaches
 * it.
 */
const keepAlerts = (page: Page): Promise<void> => alertsOf(page).dispatchEvent('mouseover');

/** Saves a new customer, which must show only one alert. */
async function toldOnce(page: Page): Promise<void> {
  await button(page, 'Add Customer').first().click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Customer Name').fill('Oak Hollow');
  await field(dialog, 'Email').fill('oak@hollow.example');
  await keepAlerts(page);
  await button(dialog, 'Save').click();
  await alertsOf(page).getByText('Oak Hollow saved').hover();
  expect(await alertsOf(page).locator('.ek-alert').count()).toBe(1);
  await page.mouse.move(0, 0);
  await gone(alertsOf(page).getByText('Oak Hollow saved'));
}

journey(
  'saving shows only one alert, which covers neither the page’s actions nor a footer, at any width',
  async (stage) => {
    const { administrator } = await stage.company('Never Covered');
    const page = await stage.open('/customers', { as: administrator });
    await toldOnce(page);
    const customerId = await addCustomer(administrator.api, 'Elm Hollow');
    let looked = 0;
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/customers?customer=${customerId}&edit=${customerId}`);
      const dialog = page.getByRole('dialog');
      await button(dialog, 'Edit').click();
      await field(dialog, 'Customer Name').fill(`Elm Hollow ${width}`);
      await keepAlerts(page);
      await button(dialog, 'Save').click();
      await alertsOf(page).getByText(`Elm Hollow ${width} saved`).hover();
      const under = await covered(page);
      await page.keyboard.press('Escape');
      await gone(dialog);
      if (await alertsOf(page).locator('.ek-alert').isVisible()) looked += 1;
      expect({ width, under, afterwards: await covered(page) }).toEqual({ width, under: [], afterwards: [] });
    }
    expect(looked).toBe(WIDTHS.length);
  },
);
