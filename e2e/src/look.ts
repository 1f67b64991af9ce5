import { AxeBuilder } from '@axe-core/playwright';
import type { RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { quickAxe } from './axe.ts';
import { sizes } from './journey.ts';
import type { Keyboard } from './keyboard.ts';
import { fitted, settled } from './settled.ts';

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

/** Waits until what is called this has the focus, which is given after the page has changed. */
export async function focused(keys: Keyboard, name: string | RegExp): Promise<void> {
  const wait = { message: 'the focus' };
  if (typeof name === 'string') await expect.poll(() => keys.here(), wait).toBe(name);
  else await expect.poll(() => keys.here(), wait).toMatch(name);
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary?: string | undefined }[];
}

const tell = ({ id, nodes }: AxeViolation): string =>
  `${id}: ${nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`).join('\n   ')}`;

type Theme = 'light' | 'dark';
type Rules = 'all' | 'colors';

/** Rules that a theme can change; all others are the same in both. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** The builder sends axe (1.3 MB) twice a look; a document that has it is sent this instead. */
const ALREADY_THERE = 'void 0';

/** Under an open dialog lies a page that nobody can reach; it is looked at on its own. */
async function violations(page: Page, rules: Rules): Promise<AxeViolation[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, axeSource: isThere ? ALREADY_THERE : quickAxe });
  // No rule that is asked reads style sheets, which axe would gather each time.
  const options: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] } };
  const axe = builder.setLegacyMode(true).options(options);
  const dialog = '[role="dialog"]';
  if (await page.locator(dialog).first().isVisible()) axe.include(dialog);
  return (await (rules === 'colors' ? axe.withRules(colorRules) : axe).analyze()).violations;
}

/**
 * All rules once at each width, and colors in both themes except on a tablet, which shows the colors of the other two.
 * Each width begins with the theme of the previous one.
 */
const LOOKS: Readonly<Record<keyof typeof sizes, readonly [Theme, Rules][]>> = {
  desk: [
    ['light', 'all'],
    ['dark', 'colors'],
  ],
  tablet: [['dark', 'all']],
  phone: [
    ['dark', 'colors'],
    ['light', 'all'],
  ],
};

/**
 * Stops all fading. With less motion every property of every element fades for 0.01 ms, and what inherits it
 * fades again: a change of theme took more time than axe.
 */
export async function stopFading(page: Page): Promise<void> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  });
}

/**
 * Elements that `stopFading` stopped may fade again; colors changed before are worked out first, so that they do not.
 */
async function letFade(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { color } = getComputedStyle(document.body);
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
    return color;
  });
}

async function dress(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme);
}

/** Lists what axe finds on the page at its present width in the themes of a size. Leaves the last theme on. */
export async function inaccessible(page: Page, size: keyof typeof sizes): Promise<string[]> {
  const found: string[] = [];
  for (const [theme, rules] of LOOKS[size]) {
    await dress(page, theme);
    await settled(page);
    for (const each of await violations(page, rules)) found.push(`${size} ${theme}: ${tell(each)}`);
  }
  return found;
}

/**
 * Fails unless the page is accessible (axe) at 1440, 768 and 390 px, in light and dark, and at no width does the page
 * itself scroll sideways. Leaves the page at the width it had, in light.
 */
export async function checkLook(page: Page, what: string): Promise<void> {
  const before = page.viewportSize() ?? sizes.desk;
  const found: string[] = [];
  await stopFading(page);
  for (const size of ['desk', 'tablet', 'phone'] as const) {
    await page.setViewportSize(sizes[size]);
    found.push(...(await inaccessible(page, size)));
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) found.push(`${size}: the page is ${over} px wider than the window`);
  }
  await dress(page, 'light');
  await letFade(page);
  await page.setViewportSize(before);
  // Parts that stand elsewhere at other widths are made anew, their boxes too: nobody types while that goes on.
  await fitted(page);
  expect({ what, found }).toEqual({ what, found: [] });
}
