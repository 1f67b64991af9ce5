import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice, daysAgo } from './books.ts';
import { journey } from './journey.ts';
import { seen } from './look.ts';
import { settled } from './settled.ts';

/** Long enough for a page to be drawn before its answers come, as it is over a slow network. */
const ANSWERS_AFTER_MS = 300;

/** Path and heading of each screen, as a company with a few books sees it. */
const SCREENS: [string, string][] = [
  ['/', 'Dashboard'],
  ['/billing', 'Billing'],
  ['/customers', 'Customers'],
  ['/products', 'Products'],
  ['/accounting', 'Accounting'],
  ['/profitcenters', 'Profit Centers'],
  ['/locations', 'Locations'],
  ['/glaccounts', 'GL Accounts'],
  ['/accountcategories', 'Account Categories'],
  ['/reports', 'Reports'],
  ['/settings', 'Settings'],
  // Again, as this device knows it: the cards stand there before their figures.
  ['/', 'Dashboard'],
];

/** What a browser tells of content that moved without anybody's doing; its types have no such entry. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** The sum of all shifts since the page was loaded, and what moved. */
function shifts(page: Page): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate(async () => {
    const entries = await new Promise<PerformanceEntryList>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(observer.takeRecords()), 300);
    });
    const own = (entries as LayoutShift[]).filter((entry) => !entry.hadRecentInput);
    const name = (node: Node | null) =>
      node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName;
    const moved = own.map(({ value, sources }) => {
      const nodes = sources.map((source) => name(source.node) ?? 'what is gone');
      return `${value.toFixed(4)} ${nodes.join(', ')}`;
    });
    return { sum: own.reduce((sum, entry) => sum + entry.value, 0), moved };
  });
}

journey('no screen shifts by more than 0.02 while it loads, at 1440 and 390 px', async (stage) => {
  const { administrator } = await stage.company('Steady Ground');
  const customerId = await addCustomer(administrator.api, 'Oak Hollow');
  await addInvoice(administrator.api, { customerId, amount: '360.00' });
  await addInvoice(administrator.api, { customerId, amount: '99.99', date: daysAgo(60) });
  const found: string[] = [];
  const look = async (size: 'desk' | 'phone'): Promise<void> => {
    const page = await stage.open('about:blank', { as: administrator, size });
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER_MS));
      await route.continue();
    });
    for (const [path, heading] of SCREENS) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await seen(page.getByRole('heading', { level: 1, name: heading, exact: true }));
      await settled(page);
      const { sum, moved } = await shifts(page);
      console.log(`layout shift: ${path} ${size}: ${sum.toFixed(4)}`);
      if (sum > 0.02) found.push(`${path} ${size}: ${moved.join('; ')}`);
    }
  };
  // Side by side, since both mostly wait; each in a browser profile of its own.
  await Promise.all([look('desk'), look('phone')]);
  expect(found).toEqual([]);
});
