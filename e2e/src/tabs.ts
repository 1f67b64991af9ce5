import type { Page } from 'playwright-core';

/** Opens another tab in the same browser. The new tab shares only the loaded code and the session with this tab. */
export async function anotherTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
}

/** Runs part of a journey in a separate tab, which is closed afterward. */
export async function inAnotherTab(page: Page, path: string, part: (tab: Page) => Promise<void>): Promise<void> {
  const tab = await anotherTab(page, path);
  await part(tab);
  await tab.close();
}
