import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawn, settled } from './settled.ts';

declare global {
  interface Window {
    /** The number of calls that are pending on a page with delayed responses. */
    callsUnderWay?: number;
  }
}

/**
 * Delays every API response by this time, starting with the next load. The page itself delays the responses, because a
 * browser with intercepted requests would load all code again for each page.
 */
export async function answersAfter(page: Page, ms: number): Promise<void> {
  await page.addInitScript((late) => {
    const plain = window.fetch;
    window.callsUnderWay = 0;
    window.fetch = async (...call) => {
      window.callsUnderWay = (window.callsUnderWay ?? 0) + 1;
      await new Promise((go) => setTimeout(go, late));
      try {
        return await plain(...call);
      } finally {
        window.callsUnderWay -= 1;
      }
    };
  }, ms);
}

const underWay = (page: Page): Promise<number> => page.evaluate(() => window.callsUnderWay ?? 0);

/**
 * Waits until a page with delayed responses has received all of them, including the responses to follow-up requests.
 */
export async function answered(page: Page): Promise<void> {
  do {
    await drawn(page);
    await expect.poll(() => underWay(page)).toBe(0);
    await settled(page);
    await drawn(page);
  } while ((await underWay(page)) > 0);
}

/** Loads a page with delayed responses and waits until the page has received all of them. */
export async function load(page: Page, address: string, arrived: () => Promise<void>): Promise<void> {
  await page.goto(address);
  await arrived();
  await answered(page);
}
