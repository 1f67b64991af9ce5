// Runs the static checks: format, types, lint, and tidy. Prints one line for each check, and the details of failed
// checks.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './checkout.mjs';

/** The result of a check. Its output is only relevant if the check failed. */
export type Outcome = { ok: boolean; output: string };

/** A check of the whole checkout, with its name. */
export type Check = { name: string; run: () => Promise<Outcome> };

/** Runs an installed program (`bin` in node_modules/.bin) and returns the program's output. */
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
  'packages/client',
  'packages/core',
  'packages/contract',
  'packages/imports',
  'packages/postgres',
  'packages/scenario',
  'packages/statements',
  'apps/server',
  'apps/web',
];

/**
 * Each environment (browser, Node, or neither) has a separate project. The root project also includes scripts, e2e, and
 * bench.
 */
async function checkTypes(): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const workspace of workspaces) {
    if (workspace !== '.' && !existsSync(join(root, workspace, 'src'))) continue;
    // Parallel type checks would each compute the shared types, which takes twice the processor time on two cores.
    outcomes.push(await runTool('tsc', '--singleThreaded', '-p', join(workspace, 'tsconfig.json')));
  }
  const failed = outcomes.filter(({ ok }) => !ok);
  return { ok: failed.length === 0, output: failed.map(({ output }) => output).join('\n') };
}

/** The checks in the order in which they start, the longest first. */
export const checks: readonly Check[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: () => runTool('oxlint', '--type-aware', '--deny-warnings', '--format=unix') },
  { name: 'format', run: () => runTool('oxfmt', '--check') },
  { name: 'tidy', run: () => runTool('tsx', 'scripts/tidy.ts') },
];

/**
 * The type check and tidy use one core each, and the linter uses one or two cores. Running three checks at the same
 * time uses all cores of a small machine.
 */
const AT_ONCE = 3;

/**
 * Runs checks, at most three at a time, and prints a line for each check when it ends. Returns the names of the checks
 * that failed.
 */
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
