import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { currentDigests, digestFile, pictureFolder, pictures, screenDigest } from './pictures.ts';

describe('screenshots in the README', () => {
  test('every screenshot shows the current screen (run `npm run screenshots` to update)', async () => {
    expect(JSON.parse(readFileSync(digestFile, 'utf8'))).toEqual(await currentDigests());
  });

  test('each listed screenshot exists, and the README uses no others', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const named = [...readme.matchAll(/docs\/images\/([\w-]+)\.png/g)].map((found) => found[1] ?? '');
    expect(named.toSorted()).toEqual(Object.keys(pictures).toSorted());
    expect(named.filter((name) => !existsSync(join(pictureFolder, `${name}.png`)))).toEqual([]);
  });
});

describe('the digest of a screen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pictures-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function digestOf(screen: string, part: string, style: string): Promise<string> {
    writeFileSync(join(folder, 'Screen.ts'), screen);
    writeFileSync(join(folder, 'part.ts'), part);
    writeFileSync(join(folder, 'screen.css'), style);
    return screenDigest([relative(root, join(folder, 'Screen.ts'))]);
  }
  const screen = `import './screen.css';\nexport const load = () => import('./part.ts');`;

  test('the digest changes if a style or a lazily loaded part changes, but not if a comment changes', async () => {
    const first = await digestOf(screen, 'export const word = "one";', '.a { color: red }');
    expect(await digestOf(`// Why.\n${screen}`, 'export const word = "one"; // So.', '/* b */.a { color: red }')).toBe(
      first,
    );
    expect(await digestOf(screen, 'export const word = "two";', '.a { color: red }')).not.toBe(first);
    expect(await digestOf(screen, 'export const word = "one";', '.a { color: blue }')).not.toBe(first);
  });
});
