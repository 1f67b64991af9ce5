import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
let webFolder: string;
const page = '<!doctype html><head><title>Evenkeel</title></head>';
const script = 'export const books = "kept";\n'.repeat(100);

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'evenkeel-web-'));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'index.html'), page);
  const pages = { '/products': ['assets/list-1a.js', 'assets/list-2b.css'] };
  await writeFile(join(webFolder, 'pages.json'), JSON.stringify(pages));
  await writeFile(join(webFolder, 'assets', 'main-4f3a.js'), script);
  await writeFile(join(webFolder, 'assets', 'main-4f3a.js.br'), brotliCompressSync(script));
  await writeFile(join(webFolder, 'assets', 'main-4f3a.js.gz'), gzipSync(script));
  await writeFile(join(webFolder, '.built'), 'a stamp');
  await writeFile(join(webFolder, '..', 'evenkeel-outside.txt'), 'secret');
  t = await startTestApp({ table: { endpoints: [], routes: [], webFolder } });
});
afterAll(async () => {
  await t.close();
  await rm(webFolder, { recursive: true, force: true });
  await rm(join(webFolder, '..', 'evenkeel-outside.txt'), { force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => t.request({ method: 'GET', url, headers });

test.each([
  '/../evenkeel-outside.txt',
  '/%2e%2e/evenkeel-outside.txt',
  '/assets/..%2f..%2fevenkeel-outside.txt',
  '/assets/missing.js',
  '/favicon.missing.ico',
  '/.built',
  '/api',
  '/api/page',
])('%s is not served as a file of the web app', async (url) => {
  const answer = await get(url);
  expect([403, 404, 400]).toContain(answer.status);
  expect(String(answer.bytes)).not.toMatch(/secret|a stamp/);
});

test('a URL that the browser routes returns the app itself and is never cached', async () => {
  for (const url of ['/', '/billing', '/customers/12/true', '/login?x=1']) {
    const answer = await get(url);
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([200, page, 'no-cache']);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
  }
});

test('the page for a screen lists all files that it needs, so that the browser requests them together', async () => {
  const links =
    '<link rel="modulepreload" crossorigin href="/assets/list-1a.js">' +
    '<link rel="preload" as="style" crossorigin href="/assets/list-2b.css">';
  for (const url of ['/products', '/Products/', '/products?product=3']) {
    expect((await get(url)).body).toBe(page.replace('</head>', `${links}</head>`));
  }
});

test('a file with a hash in its name is cached for a year and sent in the compressed form from the build', async () => {
  const plain = await get('/assets/main-4f3a.js');
  expect([plain.status, plain.body]).toEqual([200, script]);
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const small = await get('/assets/main-4f3a.js', { 'accept-encoding': 'gzip, br' });
  expect(small.headers['content-encoding']).toBe('br');
  expect(small.bytes.equals(brotliCompressSync(script))).toBe(true);
  expect(small.headers['content-type']).toMatch(/javascript/);
  expect((await get('/assets/main-4f3a.js', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
});

test('pages accept neither POST nor DELETE requests', async () => {
  expect((await t.request({ method: 'POST', url: '/billing', body: {} })).status).toBe(404);
  expect((await t.request({ method: 'DELETE', url: '/' })).status).toBe(404);
});

test('a configured chat widget is on every page, with its address encoded for an attribute', async () => {
  const chatWidgetUrl = 'https://chat.example/w.js?a=1&copy="2"';
  const chat = await startTestApp({ config: { chatWidgetUrl }, table: { endpoints: [], routes: [], webFolder } });
  const answer = await chat.request({ method: 'GET', url: '/billing' });
  await chat.close();
  const meta = '<meta name="chat-widget" content="https://chat.example/w.js?a=1&amp;copy=%222%22">';
  expect(answer.body).toBe(page.replace('</head>', `${meta}</head>`));
});
