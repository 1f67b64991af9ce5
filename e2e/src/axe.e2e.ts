import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { quickAxe } from './axe.ts';
import { journey } from './journey.ts';
import { seen } from './look.ts';
import { settled } from './settled.ts';

interface Said {
  violations: { id: string }[];
}

/** Runs this version of axe on the page. Returns violations, passes, and their data. */
async function said(page: Page, source: string): Promise<Said> {
  await page.evaluate(source);
  return page.evaluate<Said>('axe.run(document, {}).then(({ timestamp, ...rest }) => rest)');
}

journey('on a page full of violations, the fast version of axe finds the same ones as axe', async (stage) => {
  const page = await stage.open('/login');
  await seen(page.getByRole('textbox').first());
  await settled(page);
  await page.evaluate(() => {
    const colors = ['#999', 'rgb(120 120 120 / 50%)', 'hsl(200 20% 60%)', 'oklch(0.7 0.1 100)'];
    for (const [at, each] of [...document.querySelectorAll<HTMLElement>('body *')].entries()) {
      each.style.color = colors[at % colors.length] ?? '';
      each.removeAttribute('aria-label');
      each.removeAttribute('for');
    }
  });
  const plain = await said(page, axe.source);
  expect(plain.violations.map((one) => one.id)).toContain('color-contrast');
  expect(await said(page, quickAxe)).toEqual(plain);
  expect(quickAxe).not.toContain('_classPrivateFieldGet(_r, this)');
  expect(quickAxe.split('colorsOfAxe')).toHaveLength(2);
  expect(quickAxe).toContain('colors.set(text, ');
});
