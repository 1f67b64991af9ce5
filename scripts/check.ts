// Checks that run no program: format, types, lint, tidy. One line each; the details when one fails.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './checkout.mjs';

/** The outcome of a check: its output matters when it is not ok. */
export type Outcome = { ok: boolean; output: string };

/** A named check over the whole checkout. */
export type Check = { name: string; run: () => Promise<Outcome> };

/** Runs an installed program (`bin` in node_modules/.bin) and gathers what it says. */
export function runTool(bin: string, ...args: string[]): Promise<Outcome> {
  return new Promise((done) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const path = join(root, 'node_modules/.bin', bin);
    const child = spawn(path, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: onWindows });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part));
    child.on('error', (error) => done({ ok: false, output: error.message }));
    child.on('close', (code) => done({ ok: code === 0, output: Buffer.concat(said).toString().trim() }));
  });
}

const onWindows = process.platform === 'win32';
const workspaces = [
  '.',
  'packages/core',
  'packages/contract',
  'packages/postgres',
  'packages/scenario',
  'packages/statements',
  'apps/server',
  'apps/web',
];

/** One program for each surroundings (browser, Node, neither); the root's is that of scripts, e2e and bench too. */
async function checkTypes(): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const workspace of workspaces) {
    if (workspace !== '.' && !existsSync(join(root, workspace, 'src'))) continue;
    // Several checkers each work out the types that they share: twice the processor time on two cores.
    outcomes.push(await runTool('tsc', '--singleThreaded', '-p', join(workspace, 'tsconfig.json')));
  }
  const failed = outcomes.filter(({ ok }) => !ok);
  return { ok: failed.length === 0, output: failed.map(({ output }) => output).join('\n') };
}

/** The checks, in the order in which they begin: the longest first. */
export const checks: readonly Check[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: () => runTool('oxlint', '--type-aware', '--deny-warnings', '--format=unix') },
  { name: 'format', run: () => runTool('oxfmt', '--check') },
  { name: 'tidy', run: () => runTool('tsx', 'scripts/tidy.ts') },
];

/** Types and tidy use one processor each, lint now one and now two: three at once leave a small machine no rest. */
const AT_ONCE = 3;

/** Runs checks three at a time, prints a line for each as it ends, and answers the names of those that failed. */
export async function runChecks(list: readonly Check[]): Promise<string[]> {
  const failed: string[] = [];
  const waiting = list.values();
  const lane = async (): Promise<void> => {
    for (const { name, run } of waiting) {
      const began = Date.now();
      const { ok, output } = await run();
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      if (ok) continue;
      failed.push(name);
      console.log(output.replace(/^/gm, '     '));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return failed;
}

if (isMain(import.meta.url)) {
  const failed = await runChecks(checks);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
