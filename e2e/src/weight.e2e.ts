import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './company.ts';
import { journey, type Options, type Stage } from './journey.ts';
import { seen } from './look.ts';

interface Weight {
  /** Bytes of gzip. */
  script: number;
  stylesheet: number;
}

interface Visit extends Options {
  heading: string;
  as?: Person;
}

/** Opens a page with an empty cache; answers what it fetched. */
async function weigh(stage: Stage, path: string, { heading, ...options }: Visit): Promise<Weight> {
  const page: Page = await stage.open('about:blank', options);
  const bodies: { kind: keyof Weight; body: Promise<Buffer> }[] = [];
  page.on('response', (response) => {
    const kind = response.request().resourceType();
    if (kind === 'script' || kind === 'stylesheet') bodies.push({ kind, body: response.body() });
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await seen(page.getByRole('heading', { name: heading }));
  const weight: Weight = { script: 0, stylesheet: 0 };
  for (const { kind, body } of bodies) weight[kind] += gzipSync(await body, { level: 9 }).length;
  return weight;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

journey('the first page, signed in or not, fetches at most 170 kB of JavaScript and 20 kB of styles', async (stage) => {
  const { administrator } = await stage.company('Light Load');
  const visits: [string, Visit][] = [
    ['/login', { heading: 'Sign in' }],
    ['/', { heading: 'Dashboard', as: administrator }],
    ['/', { heading: 'Dashboard', as: administrator, size: 'phone' }],
  ];
  for (const [path, visit] of visits) {
    const { script, stylesheet } = await weigh(stage, path, visit);
    const where = `${path} ${visit.size ?? 'desk'}`;
    console.log(`gzip: ${where}: JavaScript ${kilobytes(script)}, styles ${kilobytes(stylesheet)}`);
    expect(script).toBeLessThanOrEqual(170_000);
    expect(stylesheet).toBeLessThanOrEqual(20_000);
  }
});

/** Lets go what a page has asked for, and then waits until it has asked for what it needs next. */
async function letGo(waiting: Route[]): Promise<void> {
  await Promise.all(waiting.splice(0).map((route) => route.continue()));
  for (let before = -1; waiting.length === 0 || waiting.length > before;) {
    before = waiting.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

journey(
  'a screen stands before anything is asked for a third time: page, then code and styles, then data',
  async (stage) => {
    const { administrator } = await stage.company('Two Steps');
    const page = await stage.open('about:blank', { as: administrator });
    // This device knows the company's time zone, as after every first visit.
    await page.goto('/', { waitUntil: 'networkidle' });
    for (const [path, heading] of [
      ['/', 'Dashboard'],
      ['/billing', 'Billing'],
      ['/customers', 'Customers'],
      ['/products', 'Products'],
      ['/reports', 'Reports'],
    ] as const) {
      const waiting: Route[] = [];
      await page.route('**/*', (route) => void waiting.push(route));
      void page.goto(path, { waitUntil: 'commit' }).catch(() => undefined);
      await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(1);
      await letGo(waiting);
      await letGo(waiting);
      // What it asks for now, its data, waits; the screen is there.
      await seen(page.getByRole('heading', { level: 1, name: heading, exact: true }));
      await seen(page.getByRole('navigation'));
      const paths = waiting.map((route) => new URL(route.request().url()).pathname);
      expect(paths.filter((each) => /\.(js|css)$/.test(each))).toEqual([]);
      expect(paths.some((each) => each.startsWith('/api/'))).toBe(true);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto('about:blank');
    }
  },
);
