import { expect } from 'vitest';
import { journey } from './journey.ts';
import { seen } from './look.ts';

journey('the menu and frame stay without a network, and the screen opens when it returns', async (stage) => {
  const { administrator } = await stage.company('No Network');
  const page = await stage.open('/', { as: administrator });
  await seen(page.getByRole('heading', { name: 'Dashboard' }));
  stage.health.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|net::ERR|preload CSS/);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Customers' }).click();
  await seen(page.getByRole('alert').filter({ hasText: 'This content could not be loaded' }));
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Account Settings, AA' }).click();
  await seen(page.getByRole('region', { name: 'Alerts' }).getByText('This content could not be loaded'));
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await seen(page.getByRole('heading', { name: 'Dashboard' }));
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.context().setOffline(false);
  await seen(page.getByRole('heading', { name: 'Customers' }));
  // The styles are loaded as well, although the first attempt failed.
  const missing = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('link[rel="stylesheet"]')].filter(
          (link) => link instanceof HTMLLinkElement && !link.sheet,
        ).length,
    );
  await expect.poll(missing).toBe(0);
});
