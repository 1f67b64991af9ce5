import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../checkout.mjs';

const files: Record<string, string> = {
  'broken.test.js': `throw new Error('at the top');`,
  'mixed.test.js': `
    it('passes', () => {});
    it('passes too', () => {});
    it('fails', () => expect(1).toBe(2));
    it('cannot', ({ skip }) => skip('no hledger'));
    describe('a suite', () => {
      beforeAll(() => { throw new Error('before'); });
      it('never runs', () => {});
    });`,
  'stray.test.js': `
    it('passes', () => {
      setTimeout(() => { throw new Error('later'); });
      return new Promise((done) => setTimeout(done, 50));
    });`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-counts-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs one file in the folder with the reporter in a separate vitest process. */
function counts(name: string): unknown {
  const output = join(folder, 'counts.json');
  rmSync(output, { force: true });
  const reporter = join(root, 'scripts/test/count-reporter.ts');
  const args = ['run', '--globals', `--root=${folder}`, `--reporter=${reporter}`, name];
  const env = { ...process.env, COUNTS_FILE: output };
  spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { cwd: folder, env });
  return JSON.parse(readFileSync(output, 'utf8'));
}

it('1 failed test and 1 broken suite count as 2 failures, 2 tests pass, and skipped tests have a reason', () => {
  expect(counts('mixed.test.js')).toEqual({
    passed: 2,
    failed: [
      expect.stringMatching(/^mixed.test.js > a suite: before < .*mixed.test.js:\d+/),
      expect.stringMatching(/^mixed.test.js > fails: expected 1 to be 2 .*mixed.test.js:4/),
    ],
    skipped: [
      { name: 'mixed.test.js > cannot', reason: 'no hledger' },
      { name: 'mixed.test.js > a suite > never runs', reason: 'no reason given' },
    ],
  });
});

it('a file that breaks before its tests run counts as 1 failure', () => {
  const failed = [expect.stringMatching(/^broken.test.js > the file itself: at the top/)];
  expect(counts('broken.test.js')).toEqual({ passed: 0, failed, skipped: [] });
});

it('an error outside any test counts as 1 failure', () => {
  expect(counts('stray.test.js')).toEqual({ passed: 1, failed: ['outside any test: later'], skipped: [] });
});
