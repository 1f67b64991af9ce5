import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../checkout.mjs';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let trees = 0;

/**
 * Returns the unique names of the rules that a tree of files (path → text) breaks under the repository's own lint
 * settings.
 */
function broken(tree: Record<string, string>): string[] {
  const place = join(folder, String((trees += 1)));
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  const args = ['-c', join(root, '.oxlintrc.json'), '--format=unix', '.'];
  try {
    execFileSync(join(root, 'node_modules/.bin/oxlint'), args, { cwd: place, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    return [...new Set([...said.matchAll(/\[\w+\/([\w-]+\([\w-]+\))\]$/gm)].map(([, rule = '']) => rule))].toSorted();
  }
}

const word = (...parts: string[]): string => parts.join('');
const function_ = (lines: number): string => `export function K() {\n${'  run();\n'.repeat(lines - 2)}}\n`;
const file = (lines: number): string => '// a line\n'.repeat(lines - 1) + 'export const a = 1;\n';

describe('the lint settings', () => {
  it('rejects loose types and suppressed type checks, even in tests', () => {
    const code = `export let a: an${word('y;\nb!.c();\n// @ts-', 'expect-error: because\n')}`;
    for (const path of ['a.ts', 'a.test.ts']) {
      expect(broken({ [path]: code })).toEqual(
        expect.arrayContaining([
          'typescript(ban-ts-comment)',
          'typescript(no-explicit-any)',
          'typescript(no-non-null-assertion)',
        ]),
      );
    }
  });

  it('rejects a skipped or exclusive test', () => {
    const off = word("import { it } from 'vitest';\nit.sk", "ip('a', () => {});\nit.on", "ly('b', () => {});\n");
    expect(broken({ 'a.test.ts': off })).toEqual(['vitest(no-disabled-tests)', 'vitest(no-focused-tests)']);
  });

  it('rejects circular imports, even if they import only types', () => {
    const a = "import { b } from './b.ts';\nexport const a = b;\n";
    expect(broken({ 'a.ts': a, 'b.ts': "import { a } from './a.ts';\nexport const b = a;\n" })).toEqual([
      'import(no-cycle)',
    ]);
    const types = {
      'a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
      'b.ts': "import type { A } from './a.ts';\nexport type B = A | 2;\n",
    };
    expect(broken(types)).toEqual(['import(no-cycle)']);
    expect(broken({ 'a.ts': a, 'b.ts': 'export const b = 1;\n' })).toEqual([]);
  });

  it('a function can have 4 parameters, but not 5, and a test can have any number', () => {
    const five = 'export const f = (a, b, c, d, e) => [a, b, c, d, e];\n';
    expect(broken({ 'a.ts': five })).toEqual(['eslint(max-params)']);
    expect(broken({ 'a.ts': 'export const f = (a, b, c, d) => [a, b, c, d];\n', 'a.test.ts': five })).toEqual([]);
  });

  it('a function can have 80 lines, or 200 in a component’s file, and a test can be any length', () => {
    expect(broken({ 'a.ts': function_(81) })).toEqual(['eslint(max-lines-per-function)']);
    expect(broken({ 'a.tsx': function_(201) })).toEqual(['eslint(max-lines-per-function)']);
    expect(broken({ 'a.ts': function_(80), 'b.tsx': function_(200), 'c.test.ts': function_(201) })).toEqual([]);
  });

  it('a file can have 600 lines, a test file 1,000, and a data table any number', () => {
    expect(broken({ 'a.ts': file(601) })).toEqual(['eslint(max-lines)']);
    expect(broken({ 'a.test.ts': file(1001) })).toEqual(['eslint(max-lines)']);
    expect(broken({ 'a.ts': file(600), 'a.test.ts': file(1000), 'a.data.ts': file(2000) })).toEqual([]);
  });
});
