import type { Page } from 'playwright-core';

/** Another tab of the same browser: it knows the code and who is signed in, and nothing else of this tab. */
export async function anotherTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
}

/** Does a part of a journey in a tab of its own, which is closed after it. */
export async function inAnotherTab(page: Page, path: string, part: (tab: Page) => Promise<void>): Promise<void> {
  const tab = await anotherTab(page, path);
  await part(tab);
  await tab.close();
}
