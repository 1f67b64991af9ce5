import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { quickAxe } from './axe.ts';
import { journey, type Stage } from './journey.ts';
import { seen, stopFading, violations } from './look.ts';
import { settled } from './settled.ts';

interface Said {
  violations: { id: string }[];
}

/** Runs this version of axe on the page. Returns violations, passes, and their data. */
async function said(page: Page, source: string): Promise<Said> {
  await page.evaluate(source);
  return page.evaluate<Said>('axe.run(document, {}).then(({ timestamp, ...rest }) => rest)');
}

/** Opens a page and fills it with violations whose colors depend on the theme. */
async function openFaulty(stage: Stage): Promise<Page> {
  // Without a company, the page shows a welcome without text boxes.
  await stage.company('Faulty');
  const page = await stage.open('/login');
  await seen(page.getByRole('textbox').first());
  await settled(page);
  await stopFading(page);
  await page.evaluate(() => {
    const colors = ['#999', 'rgb(120 120 120 / 50%)', 'hsl(200 20% 60%)', 'oklch(0.7 0.1 100)', 'var(--faulty)'];
    for (const [at, each] of [...document.querySelectorAll<HTMLElement>('body *')].entries()) {
      each.style.color = colors[at % colors.length] ?? '';
      each.removeAttribute('aria-label');
      each.removeAttribute('for');
    }
    const themes = new CSSStyleSheet();
    themes.replaceSync(`
      :root { --faulty: #000 }
      :root[data-mantine-color-scheme='dark'] { --faulty: #222 }
      :root[data-mantine-color-scheme='dark'] label::before {
        content: ''; position: absolute; inset: 0; background: #777;
      }
      :root[data-mantine-color-scheme='light'] h1::before {
        content: ''; position: absolute; inset: 0; background: #777;
      }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, themes];
  });
  return page;
}

journey('on a page full of violations, the fast version of axe finds the same ones as axe', async (stage) => {
  const page = await openFaulty(stage);
  const plain = await said(page, axe.source);
  expect(plain.violations.map((one) => one.id)).toContain('color-contrast');
  expect(await said(page, quickAxe)).toEqual(plain);
  expect(quickAxe).not.toContain('_classPrivateFieldGet(_r, this)');
  expect(quickAxe.split('colorsOfAxe')).toHaveLength(2);
  expect(quickAxe).toContain('colors.set(text, ');
  expect(quickAxe.split('keepsTree')).toHaveLength(2);
  expect(quickAxe).toContain('new Context(context, axe._tree);\n        axe._tree =');
});

journey(
  'a second theme on the same page gets the same violations as on a new page, whatever it changes',
  async (stage) => {
    const page = await openFaulty(stage);
    const [all, colors] = [['light', 'all'] as const, ['dark', 'colors'] as const];
    const compare = async (): Promise<void> => {
      const [light] = await violations(page, [all]);
      const [dark] = await violations(page, [colors]);
      expect(await violations(page, [all, colors])).toEqual([light, dark]);
      expect(await violations(page, [colors, all])).toEqual([dark, light]);
      const contrasts = [light, dark].map((each) => each?.violations.find(({ id }) => id === 'color-contrast')?.nodes);
      expect(contrasts[0]).not.toEqual(contrasts[1]);
    };
    await compare();
    // This theme shows fewer elements, in different places.
    await page.evaluate(() => {
      const themes = new CSSStyleSheet();
      themes.replaceSync(`:root[data-mantine-color-scheme='dark'] h1 { display: none }`);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, themes];
    });
    await compare();
  },
);
