import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { drawn, settled } from './settled.ts';

/**
 * Opens a URL in the running page, as a link does, and waits until all requests have finished. Loading the page again
 * takes four times as long.
 */
export async function visit(page: Page, address: string): Promise<void> {
  // The app can't open a URL until it has started.
  await page.locator('main').first().waitFor({ state: 'attached' });
  const asked = new Set<Request>();
  const begin = (request: Request) => asked.add(request);
  const end = (request: Request) => asked.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.evaluate((next) => {
    window.history.pushState(null, '', next);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  // New data may cause more requests.
  let isAsking = true;
  while (isAsking) {
    await drawn(page);
    await expect.poll(() => asked.size).toBe(0);
    // Loaded code is rendered a moment later.
    await drawn(page);
    await settled(page);
    isAsking = asked.size > 0;
  }
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}
