// Runs the tests that take too long for daily use (*.torture.ts), and runs many more rounds of the tests whose number
// of rounds can be set (TORTURE_RUNS): `npm run torture [part of a path …]`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, say } from '../checkout.mjs';
import { readTree } from '../tidy.ts';

const takesRounds = /process\.env(\.|\[')TORTURE_RUNS/;
const asked = process.argv.slice(2);
const files = readTree(root)
  .filter(({ path, text }) => path.endsWith('.torture.ts') || (/\.test\.tsx?$/.test(path) && takesRounds.test(text)))
  .map(({ path }) => path)
  .filter((path) => asked.length === 0 || asked.some((part) => path.includes(part)));

if (files.length === 0) {
  say(`No torture tests match: ${asked.join(' ')}`);
  process.exit(1);
}
const env = { ...process.env, TORTURE: '1', TORTURE_RUNS: process.env['TORTURE_RUNS'] ?? '100000' };
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const result = spawnSync(process.execPath, [vitest, 'run', ...files], { cwd: root, env, stdio: 'inherit' });
process.exitCode = result.status ?? 1;
