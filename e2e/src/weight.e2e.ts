import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
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
  const bodies: { kind: string; body: Promise<Buffer> }[] = [];
  page.on('response', (response) => bodies.push({ kind: response.request().resourceType(), body: response.body() }));
  await page.goto(path, { waitUntil: 'networkidle' });
  await seen(page.getByRole('heading', { name: heading }));
  const weight: Weight = { script: 0, stylesheet: 0 };
  for (const { kind, body } of bodies) {
    if (kind === 'script' || kind === 'stylesheet') weight[kind] += gzipSync(await body, { level: 9 }).length;
  }
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
