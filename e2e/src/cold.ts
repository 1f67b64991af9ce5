import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawn, settled } from './settled.ts';

declare global {
  interface Window {
    /** Calls of a page with slow answers that have none yet. */
    callsUnderWay?: number;
  }
}

/**
 * From the next load on each answer of the API comes this late. The page does it by itself: a browser that lets its
 * requests be held back from outside fetches all of the code anew for each page.
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

/** Waits until a page whose answers are late has all of them; new data may ask for more. */
export async function answered(page: Page): Promise<void> {
  do {
    await drawn(page);
    await expect.poll(() => underWay(page)).toBe(0);
    await settled(page);
    await drawn(page);
  } while ((await underWay(page)) > 0);
}

/** Loads a page whose answers are late, and waits until it has all of them. */
export async function load(page: Page, address: string, arrived: () => Promise<void>): Promise<void> {
  await page.goto(address);
  await arrived();
  await answered(page);
}
