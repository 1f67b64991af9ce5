import type { Page } from 'playwright-core';

/** Waits until loading is over and nothing moves any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const loading = [...document.querySelectorAll('[role="status"],.ek-vh')].some((each) =>
      (each.textContent ?? '').includes('Loading...'),
    );
    return !loading && document.getAnimations().every((each) => each.playState !== 'running');
  });
}
