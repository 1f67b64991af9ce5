import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mailedLink } from './company.ts';

/** Writes emails to an outbox, by file name. Returns the folder of the outbox. */
async function outboxWith(letters: Readonly<Record<string, { to: string; link: string }>>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-letters-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await mkdir(join(dataDir, 'outbox'));
  for (const [name, { to, link }] of Object.entries(letters)) {
    const letter = { to, text: `Please open https://books.example/${link} soon` };
    await writeFile(join(dataDir, 'outbox', name), JSON.stringify(letter));
  }
  return dataDir;
}

test('a link is found only in emails to the given address', async () => {
  const addresses = ['ann@rose.example', 'joann@rose.example', 'ann@rose.example.org'];
  const letters = addresses.map((to, at) => [`2026-11-23T00-00-0${at}.json`, { to, link: String(at) }]);
  const dataDir = await outboxWith(Object.fromEntries(letters));
  const links = await Promise.all(addresses.map((email) => mailedLink({ url: '', dataDir }, email)));
  expect(links).toEqual(['https://books.example/0', 'https://books.example/1', 'https://books.example/2']);
});

test('the tenth email to an address is newer than the ninth', async () => {
  const to = 'ann@rose.example';
  const letters = { 'evenkeel-1-9-0.json': { to, link: 'ninth' }, 'evenkeel-1-10-0.json': { to, link: 'tenth' } };
  const dataDir = await outboxWith(letters);
  expect(await mailedLink({ url: '', dataDir }, to)).toBe('https://books.example/tenth');
});
