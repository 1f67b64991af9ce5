import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { root } from '../../scripts/checkout.mjs';
import { findTool } from '../../scripts/test/tools.ts';
import { type Chapter, figure, table } from './figures.ts';

const folder = join(root, 'apps/web/dist');
const LIMIT_KB = 170;

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

/** Returns the scripts that a browser loads for the first page. Returns undefined if the browser is missing. */
async function fetchedScripts(url: string): Promise<string[] | undefined> {
  const tool = findTool('chromium');
  if (tool.path === undefined) return undefined;
  const browser = await chromium.launch({ executablePath: tool.path, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
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

/** Measures the size of the compressed JavaScript that the first page needs. */
export async function measureWeb(url: string): Promise<Chapter> {
  const fetched = await fetchedScripts(url);
  const named = staticScripts();
  const size = kilobytes(fetched ?? named);
  const rows = [['named by index.html and imported by that', String(named.length), `${figure(kilobytes(named))} kB`]];
  if (fetched) rows.push(['fetched by Chromium for the first page', String(fetched.length), `${figure(size)} kB`]);
  const text = table(['JavaScript', 'files', 'gzip'], rows);
  const wanted = `JavaScript of the first page: at most ${LIMIT_KB} kB (gzip)`;
  return { title: 'The first page', text, aims: [{ wanted, seen: `${figure(size)} kB`, isMet: size <= LIMIT_KB }] };
}
