import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './checkout.mjs';

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const page = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| promise'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));

/** Titles may be cut with … and put values in place of $name or %s. */
const plain = (text: string): string => text.replace(/[’']/g, "'");

/** The files whose path ends as the page writes it; folders of the source may be left out. */
function filesOf(name: string): string[] {
  const words = name.split('/');
  const file = words.pop() ?? '';
  return tracked.filter((path) => path.endsWith(`/${file}`) && words.every((word) => path.includes(word)));
}

describe('a row of docs/guarantees.md', () => {
  test('has a promise, a test and a figure, and stands once', () => {
    expect(rows.filter((cells) => cells.length !== 3)).toEqual([]);
    const promises = rows.map(([promise = '']) => promise);
    expect(promises.filter((promise, index) => promises.indexOf(promise) !== index)).toEqual([]);
    expect(rows.length).toBeGreaterThan(30);
  });

  test.each(rows.map(([promise = '', tests = '']) => [promise, tests] as const))('%s', (_promise, tests) => {
    const names = [...tests.matchAll(/`([^`]+\.(?:test\.tsx?|e2e\.ts))`/g)].map((found) => found[1] ?? '');
    const files = names.flatMap(filesOf);
    expect({ tests, missing: names.filter((name) => !name.includes('*') && filesOf(name).length === 0) }).toEqual({
      tests,
      missing: [],
    });
    if (files.length === 0 || tests.includes('`e2e`')) return;
    const text = plain(files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n'));
    const titles = [...tests.matchAll(/"([^"]+)"/g)].flatMap((found) => plain(found[1] ?? '').split(/\s*…\s*/));
    expect({ tests, unknown: titles.filter((title) => !text.includes(title)) }).toEqual({ tests, unknown: [] });
  });
});
