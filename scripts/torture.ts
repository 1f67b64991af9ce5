// The property tests with very many rounds, and the tests that are too long for every day. `npm run torture [names]`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './checkout.mjs';

const env = { ...process.env, TORTURE: '1', TORTURE_RUNS: process.env['TORTURE_RUNS'] ?? '100000' };
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const args = [vitest, 'run', '--passWithNoTests', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
