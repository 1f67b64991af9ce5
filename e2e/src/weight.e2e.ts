import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey, type Stage } from './journey.ts';
import { seen } from './look.ts';
import type { Person } from './company.ts';

/** Opens a page with an empty cache; answers what JavaScript it fetched, in bytes of gzip. */
async function weigh(stage: Stage, path: string, { heading, as }: { heading: string; as?: Person }): Promise<number> {
  const page: Page = await stage.open('about:blank', as === undefined ? {} : { as });
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body());
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await seen(page.getByRole('heading', { name: heading }));
  const bodies = await Promise.all(scripts);
  return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
}

journey('the first page of somebody signed out fetches at most 200 kB of JavaScript', async (stage) => {
  const { administrator } = await stage.company('Light Load');
  const login = await weigh(stage, '/login', { heading: 'Sign in' });
  const dashboard = await weigh(stage, '/', { heading: 'Dashboard', as: administrator });
  const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
  console.log(`JavaScript, gzip: /login ${kilobytes(login)}, / ${kilobytes(dashboard)}`);
  expect(login).toBeLessThanOrEqual(200_000);
});
