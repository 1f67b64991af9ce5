import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mailedLink } from './company.ts';

test('a link is found only in emails to the given address', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-letters-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await mkdir(join(dataDir, 'outbox'));
  const letters = ['ann@rose.example', 'joann@rose.example', 'ann@rose.example.org'];
  for (const [index, to] of letters.entries()) {
    const letter = { to, text: `Please open https://books.example/${index} soon` };
    await writeFile(join(dataDir, 'outbox', `2026-11-23T00-00-0${index}.json`), JSON.stringify(letter));
  }
  const links = await Promise.all(letters.map((email) => mailedLink({ url: '', dataDir }, email)));
  expect(links).toEqual(['https://books.example/0', 'https://books.example/1', 'https://books.example/2']);
});
