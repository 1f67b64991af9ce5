import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { root } from '../../scripts/checkout.mjs';
import { findTool } from '../../scripts/test/tools.ts';
import { newCompany, sessionOf } from './company.ts';
import { type Chapter, figure, table } from './figures.ts';
import type { Place } from './scroll.ts';
import type { RunningServer } from './server.ts';

const folder = join(root, 'apps/web/dist');
const COMPANY = 'First page';
const LIMIT_KB = 150;
/** The number of packages that are listed. */
const LISTED = 8;

/** Returns the scripts in index.html, and the scripts that these import before they run. */
function staticScripts(): string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path);
  const waiting = named.flatMap((path) => (path === undefined ? [] : [path]));
  const found = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || !existsSync(join(folder, path))) continue;
    found.add(path);
    const code = readFileSync(join(folder, path), 'utf8');
    const imports = code.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g);
    for (const [, target] of imports) if (target !== undefined) waiting.push(posix.join(dirname(path), target));
  }
  return [...found];
}

/** Returns the scripts that a browser loads for the dashboard. Returns undefined if the browser is missing. */
async function fetchedScripts({ url, session }: Place): Promise<string[] | undefined> {
  const tool = findTool('chromium');
  if (tool.path === undefined) return undefined;
  const browser = await chromium.launch({ executablePath: tool.path, args: ['--no-sandbox'] });
  try {
    const storageState = { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'user', value: session }] }] };
    const page = await browser.newPage({ storageState });
    const scripts = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js')) scripts.add(pathname);
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    return [...scripts];
  } finally {
    await browser.close();
  }
}

const kilobytes = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path)), { level: 9 }).length, 0) / 1000;

/**
 * Returns the compressed size in kB of each package in these scripts, largest first. A script's size is shared among
 * its modules by their length before the code is minified.
 */
async function packagesIn(paths: readonly string[]): Promise<[name: string, size: number][]> {
  const configFile = join(root, 'apps/web/vite.config.ts');
  const built = await build({ configFile, logLevel: 'error', build: { write: false } });
  const chunks = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const sizes = new Map<string, number>();
  for (const chunk of chunks) {
    if (chunk.type !== 'chunk' || !paths.includes(`/${chunk.fileName}`)) continue;
    const modules = Object.entries(chunk.modules);
    const length = modules.reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0);
    for (const [id, { renderedLength }] of modules) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? (id.includes('/packages/') ? SHARED : OWN);
      const size = (kilobytes([`/${chunk.fileName}`]) * renderedLength) / length;
      sizes.set(name, (sizes.get(name) ?? 0) + size);
    }
  }
  return [...sizes].sort(([, a], [, b]) => b - a);
}

const [OWN, SHARED] = ['Evenkeel’s screens', 'Evenkeel’s contract and rules'];

/** Measures the size of the compressed JavaScript that a signed-in user's first page needs. */
export async function measureWeb(server: RunningServer): Promise<Chapter> {
  await newCompany(server, COMPANY);
  const fetched = await fetchedScripts({ url: server.url, session: await sessionOf(server, COMPANY) });
  const named = staticScripts();
  const size = kilobytes(fetched ?? named);
  const rows = [['named by index.html and imported by that', String(named.length), `${figure(kilobytes(named))} kB`]];
  if (fetched) rows.push(['fetched by Chromium for the first page', String(fetched.length), `${figure(size)} kB`]);
  const packages = (await packagesIn(fetched ?? named)).slice(0, LISTED);
  const words = packages.map(([name, each]) => `${name} ${figure(each)} kB`).join(', ');
  const text = [table(['JavaScript', 'files', 'gzip'], rows), '', `The largest parts: ${words}.`].join('\n');
  const wanted = `JavaScript of the first page: at most ${LIMIT_KB} kB (gzip)`;
  const aim = { wanted, seen: `${figure(size)} kB`, isMet: size <= LIMIT_KB, why: `The largest parts are ${words}.` };
  return { title: 'The first page', text, aims: [aim] };
}
