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

/** Waits until what the page knows by now is drawn, loading or not. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 1; frame <= 3; frame += 1) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  });
}

/** Waits until tables have chosen their columns anew: they hear of their room with a frame and draw after it. */
export async function fitted(page: Page): Promise<void> {
  await drawn(page);
  await settled(page);
}
