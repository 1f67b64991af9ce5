import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice, daysAgo } from './books.ts';
import { journey } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { checkLook, focused, gone, says, seen } from './look.ts';
import { button, field, pick } from './pages/fields.ts';
import { Reports } from './pages/Reports.ts';

/**
 * Waits until the page has received the response to a favorite. A favorite appears before it is saved, and a page that
 * is reloaded too early cancels the call.
 */
async function saved(page: Page): Promise<void> {
  const answer = await page.waitForResponse(
    (each) => each.request().method() === 'PUT' && each.url().includes('/api/reportstars/'),
  );
  await answer.finished();
}

journey(
  'a report becomes a favorite, gets dates, and runs by keyboard, and stays a favorite in every tab',
  async (stage) => {
    const { administrator } = await stage.company('Starred Board');
    const customerId = await addCustomer(administrator.api, 'Orchard Row');
    await addInvoice(administrator.api, { customerId, amount: '300.00', date: daysAgo(40) });
    const page = await stage.open('/reports', { as: administrator });
    const keys = new Keyboard(page);
    const reports = new Reports(page);
    const favorites = page.getByRole('region', { name: 'Favorites' });
    await seen(page.getByText('Assets, liabilities, and equity as of a date'));
    const second = await page.context().newPage();
    await second.goto('/reports');
    const inSecond = saved(second);
    await button(second, 'Favorite: Journal').click();
    await seen(second.getByRole('region', { name: 'Favorites' }).getByText('Journal'));
    await inSecond;

    await button(page, 'Favorite: Customer Aging Report').first().focus();
    const inFirst = saved(page);
    await keys.press('Space');
    await seen(favorites.getByText('Customer Aging Report'));
    await focused(keys, 'Favorite: Customer Aging Report');
    await inFirst;
    await page.reload();
    // The favorite that was set in the other tab is still there.
    await seen(favorites.getByText('Journal'));
    await seen(favorites.getByText('Customer Aging Report'));
    await checkLook(page, 'the board with favorites');

    await reports.period('Year to Date');
    expect(page.url()).toMatch(/\?when=9$/);
    await page.reload();
    expect(await button(page, /^Period /).getAttribute('title')).toBe('Year to Date');
    await button(favorites, 'Customer Aging Report').focus();
    await keys.press('Enter');
    await seen(page.getByRole('article', { name: 'Customer Aging Report' }));
    await reports.openPeriod();
    expect(await field(page, 'Start Date').count()).toBe(0);
    await keys.press('Escape');
    await says(reports.figure('Orchard Row', 1), '300.00');
    await page.getByRole('radiogroup', { name: 'Age From' }).getByText('Invoice date').click();
    await button(page, 'Run').click();
    await seen(reports.paper.getByText('Aged by invoice date'));
    await says(reports.figure('Orchard Row', 2), '300.00');
    await checkLook(page, 'aged by invoice date');

    await button(page, 'All Reports').click();
    await focused(keys, 'All Reports');
    await gone(page.getByRole('article'));
    await button(page, 'Profit & Loss Statement').click();
    await pick(page, 'Compare', 'By month and last year');
    await button(page, 'Run').click();
    await seen(reports.paper.getByText('Total last year'));
  },
);
