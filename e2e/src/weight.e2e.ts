import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './company.ts';
import { journey, type Options, type Stage } from './journey.ts';
import { seen } from './look.ts';

interface Weight {
  /** Returns the size in bytes after compression with gzip. */
  script: number;
  stylesheet: number;
}

interface Visit extends Options {
  heading: string;
  as?: Person;
}

/** Opens a page with an empty cache. Returns the sizes of the loaded scripts and styles. */
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

/** Returns the scripts and styles that a page's HTML contains, which a browser requests before it runs any of them. */
const namedIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);

const pathOf = (route: Route): string => new URL(route.request().url()).pathname;

/**
 * Opens a page and allows only the requests for the page and for the files in its HTML. Returns these files and the
 * requests that are waiting.
 */
async function openInTwoSteps(page: Page, path: string): Promise<{ named: string[]; waiting: Route[] }> {
  const waiting: Route[] = [];
  const isLetGo = new Set<string>();
  await page.route('**/*', (route) => (isLetGo.has(pathOf(route)) ? route.continue() : void waiting.push(route)));
  void page.goto(path, { waitUntil: 'commit' }).catch(() => undefined);
  await expect.poll(() => waiting.length).toBe(1);
  const [document] = waiting.splice(0);
  const answer = await document?.fetch();
  if (answer === undefined) throw new Error('no page was requested');
  const named = namedIn(await answer.text());
  await document?.fulfill({ response: answer });
  await expect.poll(() => waiting.map(pathOf)).toEqual(expect.arrayContaining(named));
  for (const each of named) isLetGo.add(each);
  await Promise.all(waiting.splice(0).map((route) => route.continue()));
  return { named, waiting };
}

/**
 * Checks that a screen appears in two steps, before any third request: first the page, and then the code and styles.
 * Data comes afterward.
 */
async function standsInTwoSteps(stage: Stage, person: Person): Promise<void> {
  const page = await stage.open('about:blank', { as: person });
  // The device already knows the company's time zone, as it does after the first visit.
  await page.goto('/', { waitUntil: 'networkidle' });
  // On a busy machine, the network may be idle for a while before the company is requested.
  await seen(page.getByRole('heading', { level: 1, name: 'Dashboard', exact: true }));
  for (const [path, heading] of [
    ['/', 'Dashboard'],
    ['/billing', 'Billing'],
    ['/customers', 'Customers'],
    ['/products', 'Products'],
    ['/reports', 'Reports'],
  ] as const) {
    const { named, waiting } = await openInTwoSteps(page, path);
    console.log(`${path}: ${named.length} files of code and styles`);
    // A browser makes six requests at a time, so a separate file for each icon would take many rounds.
    expect(named.length).toBeLessThanOrEqual(35);
    // The data is still pending, but the screen is visible.
    await seen(page.getByRole('heading', { level: 1, name: heading, exact: true }));
    await seen(page.getByRole('navigation'));
    await expect.poll(() => waiting.some((route) => pathOf(route).startsWith('/api/'))).toBe(true);
    expect(waiting.map(pathOf).filter((each) => /\.(js|css)$/.test(each))).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
  }
}

// Promise (speed): The first page loads at most 170 kB of JavaScript and 20 kB of styles (gzip). [166.2 and 15.6 kB]
journey(
  'the first page loads at most 170 kB of JavaScript and 20 kB of styles, and screens appear in two steps',
  async (stage) => {
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
    await standsInTwoSteps(stage, administrator);
  },
);
