import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { onDatabase } from './database.ts';
import { journey, sizes } from './journey.ts';
import { seen } from './look.ts';
import { button, field } from './pages/fields.ts';

const CUSTOMERS = 50_000;

/** Writes the customers directly to the running Evenkeel's database, because the API would take minutes. */
async function writeCustomers(dataDir: string, companyId: number): Promise<void> {
  await onDatabase(
    dataDir,
    `insert into entity (company_id, kind, displayname, name, email_address)
     select $1, 0, name, name, 'c' || n || '@customer.example'
     from (select n, 'Customer ' || to_char(n, 'FM00000') as name from generate_series(1, $2::int) n) as made`,
    { values: [companyId, CUSTOMERS], companyId },
  );
  await onDatabase(dataDir, 'analyze entity');
}

/** Scrolls the table by 40 rows per frame for 120 frames. Returns the duration of each frame in milliseconds. */
async function scrollFrames(page: Page): Promise<number[]> {
  return page.locator('.ek-tw').evaluate(async (table) => {
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    const times: number[] = [];
    let before = await frame();
    for (let step = 0; step < 120; step += 1) {
      table.scrollTop += 1440;
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    return times;
  });
}

journey('a list of 50,000 customers opens, scrolls, and filters like any other list', async (stage) => {
  const { administrator } = await stage.company('Fifty Thousand');
  await writeCustomers(stage.dataDir, administrator.session.companyId);
  const page = await stage.open('/', { as: administrator });
  await seen(page.getByRole('heading', { name: 'Dashboard' }));
  const began = performance.now();
  await page.goto('/customers');
  await seen(page.getByText('Customer 00001'));
  const opened = performance.now() - began;
  const times = (await scrollFrames(page)).toSorted((a, b) => a - b);
  await seen(page.locator('tbody tr[data-item]'));
  expect(await page.locator('tbody tr[data-item]').count()).toBeLessThan(200);
  const at = (share: number): string => `${Math.round(times[Math.floor(times.length * share)] ?? 0)} ms`;
  console.log(`50,000 customers: opened in ${Math.round(opened)} ms, frames ${at(0.5)} (median), ${at(0.95)} (95 %)`);

  await page.locator('.ek-tw').evaluate((table) => (table.scrollTop = table.scrollHeight));
  await seen(page.getByText('Customer 50000'));
  await field(page, 'Search Customers...').fill('customer 31415');
  await seen(page.getByText('Customer 31415'));
  await expect.poll(() => page.locator('tbody tr[data-item]').count()).toBe(1);

  await page.setViewportSize(sizes.phone);
  await button(page, 'Clear filter').click();
  await seen(page.getByText('Customer 00001'));
  await page.locator('.ek-tw').evaluate((list) => (list.scrollTop = 64 * 25_000));
  await seen(page.getByText('Customer 25003'));
});
