import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../../platform/config.ts';
import { loadLegal } from './legal.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-terms-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function termsDir(files: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(folder, 'terms-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

const refused = async (path: string, words: RegExp): Promise<void> => {
  const error = await loadLegal(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toMatch(words);
};

test('a TERMS_DIR that is missing, has neither document, or contains a non-PDF file is rejected', async () => {
  await refused(join(folder, 'nowhere'), /^TERMS_DIR: .*nowhere \(ENOENT\)$/);
  await refused(await termsDir({}), /^TERMS_DIR: .* contains neither terms\.pdf nor privacy\.pdf$/);
  await refused(await termsDir({ 'terms.pdf': 'Be kind.' }), /^TERMS_DIR: .*terms\.pdf is not a PDF$/);
  const unreadable = await termsDir({ 'privacy.pdf': '%PDF-1.7 ours' });
  await mkdir(join(unreadable, 'terms.pdf'));
  await refused(unreadable, /^TERMS_DIR: can't read .*terms\.pdf \(EISDIR\)$/);
});

test('a custom document replaces only the built-in one of its kind, and custom terms are a new version', async () => {
  const shipped = await loadLegal(undefined);
  const own = await loadLegal(await termsDir({ 'terms.pdf': '%PDF-1.7 ours' }));
  expect(Buffer.from(own.terms).toString()).toBe('%PDF-1.7 ours');
  expect(own.privacy).toEqual(shipped.privacy);
  expect(own.termsVersion).not.toBe(shipped.termsVersion);
});
