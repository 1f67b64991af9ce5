import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { sizes } from './journey.ts';
import { settled } from './settled.ts';

/** Waits until it is there to be seen. */
export const seen = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'visible' });

/** Waits until it is not there any more. */
export const gone = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'hidden' });

/** Waits until the element's text, white space told once, is exactly this. */
export async function says(locator: Locator, text: string | RegExp): Promise<void> {
  const read = async (): Promise<string> => (await locator.first().innerText()).replace(/\s+/g, ' ').trim();
  const wait = { message: String(locator) };
  if (typeof text === 'string') await expect.poll(read, wait).toBe(text);
  else await expect.poll(read, wait).toMatch(text);
}

/** Waits until a field holds this. */
export async function holds(field: Locator, value: string): Promise<void> {
  await expect.poll(() => field.inputValue(), { message: String(field) }).toBe(value);
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary?: string | undefined }[];
}

const tell = ({ id, nodes }: AxeViolation): string =>
  `${id}: ${nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`).join('\n   ')}`;

/** What a theme can change; all else is the same in both. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** The builder sends axe (1.3 MB) twice a look; a document that has it is sent this instead. */
const ALREADY_THERE = 'void 0';

/** Under an open dialog lies a page that nobody can reach; it is looked at on its own. */
async function violations(page: Page, theme: 'light' | 'dark'): Promise<AxeViolation[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: ALREADY_THERE } : {}) });
  const axe = builder.setLegacyMode(true).options({ resultTypes: ['violations'] });
  const dialog = '[role="dialog"]';
  if (await page.locator(dialog).first().isVisible()) axe.include(dialog);
  return (await (theme === 'dark' ? axe.withRules(colorRules) : axe).analyze()).violations;
}

/**
 * What is on the page now is accessible (axe, all rules) in light and dark at 1440, 768 and 390 px, and at no width
 * does the page itself scroll sideways. Leaves the page at the width it had, in light.
 */
export async function checkLook(page: Page, what: string): Promise<void> {
  const before = page.viewportSize() ?? sizes.desk;
  const found: string[] = [];
  for (const size of Object.values(sizes)) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme);
      await settled(page);
      for (const each of await violations(page, theme)) found.push(`${what} ${size.width} ${theme}: ${tell(each)}`);
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) found.push(`${what} ${size.width}: the page is ${over} px wider than the window`);
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'));
  await page.setViewportSize(before);
  expect(found).toEqual([]);
}
