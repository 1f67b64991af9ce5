import type { Page } from 'playwright-core';

/** Runs in the page. Returns whether loading has finished and nothing moves. */
export function isSettled(): boolean {
  const loading = [...document.querySelectorAll('[role="status"],.ek-vh')].some((each) =>
    (each.textContent ?? '').includes('Loading...'),
  );
  return !loading && document.getAnimations().every((each) => each.playState !== 'running');
}

/** Waits until loading has finished and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(isSettled);
}

/**
 * Waits until the page has drawn a frame and has no other tasks left. On a busy machine, React renders a new screen in
 * several tasks. With an idle callback instead, the walks through all screens reached their time limit.
 */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await scheduler.postTask(() => undefined, { priority: 'background' });
  });
}

/** Waits until the page has drawn its current data, even if it is still loading more. */
export async function drawn(page: Page): Promise<void> {
  for (let frame = 1; frame <= 3; frame += 1) await nextFrame(page);
}

/**
 * Waits until tables have chosen the columns to show. A table learns its width in one frame and draws its columns in
 * the next.
 */
export async function fitted(page: Page): Promise<void> {
  await drawn(page);
  await settled(page);
}
