import type { RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { quickAxe } from './axe.ts';
import { sizes } from './journey.ts';
import type { Keyboard } from './keyboard.ts';
import { fitted, isSettled } from './settled.ts';

/** Waits until the element is visible. */
export const seen = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'visible' });

/** Waits until the element is no longer visible. */
export const gone = (locator: Locator): Promise<void> => locator.first().waitFor({ state: 'hidden' });

/** Waits until the element's text, with single spaces, is exactly this text. */
export async function says(locator: Locator, text: string | RegExp): Promise<void> {
  const read = async (): Promise<string> => (await locator.first().innerText()).replace(/\s+/g, ' ').trim();
  const wait = { message: String(locator) };
  if (typeof text === 'string') await expect.poll(read, wait).toBe(text);
  else await expect.poll(read, wait).toMatch(text);
}

/** Waits until a field has this value. */
export async function holds(field: Locator, value: string): Promise<void> {
  await expect.poll(() => field.inputValue(), { message: String(field) }).toBe(value);
}

/** Waits until the element with this name has the focus. The focus moves only after the page has changed. */
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
type Look = readonly [Theme, Rules];

/** Rules whose results depend on the theme. All other rules give the same result in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * At each width, the rules run once. On a desktop and a phone, the color rules run in both themes. Each width starts
 * with the theme of the previous one.
 */
const LOOKS: Readonly<Record<keyof typeof sizes, readonly Look[]>> = {
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
 * Stops all transitions. With reduced motion, every property of every element has a transition of 0.01 ms, and elements
 * that inherit a property start another transition. Changing the theme would therefore take longer than the axe check.
 */
export async function stopFading(page: Page): Promise<void> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  });
}

/** Allows transitions again. Colors that have changed are computed first, so that they have no transition. */
async function letFade(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { color } = getComputedStyle(document.body);
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
    return color;
  });
}

export async function dress(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme);
}

/**
 * The parts of axe that the checks use, including the additions of `quickAxe` and the data that axe keeps between two
 * runs.
 */
interface Axe {
  run(context: unknown, options: RunOptions): Promise<{ violations: AxeViolation[] }>;
  teardown(): void;
  keepsTree?: boolean;
  _tree?: VirtualNode[] | undefined;
  _memoizedFns: { clear(): void }[];
}
interface VirtualNode {
  children: VirtualNode[];
  _cache: Record<string, unknown>;
  _stackingContext?: unknown;
}
interface Seen {
  theme: Theme;
  violations: AxeViolation[];
}

/**
 * Runs in the page. Changes the theme and runs axe for each look. The page under an open dialog cannot be reached and
 * is checked separately. Axe measures and stacks the elements only once for all looks, unless the theme changes the
 * layout.
 */
async function lookThrough(looks: readonly Look[], colors: string[], isSettled: () => boolean): Promise<Seen[]> {
  const { axe } = window as unknown as { axe: Axe };
  const settle = async () => {
    for (const began = performance.now(); !isSettled();) {
      if (performance.now() - began > 30_000) throw new Error('the page did not settle');
      await new Promise(requestAnimationFrame);
    }
  };
  const layout = (): string =>
    [...document.querySelectorAll('body, body *')]
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const { clipPath, display, filter, mixBlendMode, opacity, overflow, position, visibility, zIndex } = style;
        const stacking = [clipPath, display, filter, mixBlendMode, opacity, overflow, position, visibility, zIndex];
        return [x, y, width, height, ...stacking].join();
      })
      .join(';');
  const forgetStyles = (node: VirtualNode): void => {
    for (const key of Object.keys(node._cache)) if (!/clientrects?$/i.test(key)) delete node._cache[key];
    delete node._stackingContext;
    node.children.forEach(forgetStyles);
  };
  const selector = '[role="dialog"]';
  const dialog = document.querySelector(selector);
  const isOpen = dialog?.checkVisibility({ visibilityProperty: true }) === true && dialog.clientHeight > 0;
  const context = isOpen ? { include: [selector], exclude: [] } : document;
  const seen: Seen[] = [];
  let measured = '';
  try {
    for (const [theme, rules] of looks) {
      document.documentElement.setAttribute('data-mantine-color-scheme', theme);
      await settle();
      if (looks.length > 1) {
        const now = layout();
        axe.keepsTree = false;
        if (now !== measured) axe.teardown();
        axe._memoizedFns.forEach((each) => each.clear());
        axe._tree?.forEach(forgetStyles);
        axe.keepsTree = true;
        measured = now;
      }
      // The rules don't read style sheets, which axe would otherwise load each time.
      const options: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] } };
      if (rules === 'colors') options.runOnly = { type: 'rule', values: colors };
      const { violations } = await axe.run(context, options);
      seen.push({
        theme,
        violations: violations.map(({ id, nodes }) => ({
          id,
          nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
        })),
      });
    }
  } finally {
    axe.keepsTree = false;
    axe.teardown();
  }
  return seen;
}

/** Returns the violations that axe finds in these looks. The last theme stays active. */
export async function violations(page: Page, looks: readonly Look[]): Promise<Seen[]> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(quickAxe);
  }
  // One call for all looks, because each call takes longer than some of the rules.
  const given = [JSON.stringify(looks), JSON.stringify(colorRules), String(isSettled)];
  return page.evaluate<Seen[]>(`(${String(lookThrough)})(${given.join(', ')})`);
}

/**
 * Lists the violations that axe finds on the page at its current width, in the themes for that size. The last theme
 * stays active.
 */
export async function inaccessible(page: Page, size: keyof typeof sizes): Promise<string[]> {
  const seen = await violations(page, LOOKS[size]);
  return seen.flatMap(({ theme, violations: all }) => all.map((each) => `${size} ${theme}: ${tell(each)}`));
}

/**
 * Fails unless the page is accessible (axe) at 1440, 768, and 390 px, in light and dark, and never scrolls sideways.
 * Restores the width and the light theme.
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
  // Parts whose position depends on the width are recreated together with their text boxes, so the page must settle
  // before typing.
  await fitted(page);
  expect({ what, found }).toEqual({ what, found: [] });
}
