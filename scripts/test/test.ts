// `npm test` runs the checks and then all tests. Prints failures in full, and the reasons for skipped tests. The last
// line is `N passed, N failed`, which may be followed by `, N skipped`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks, runChecks, runTool } from '../check.ts';
import type { Check } from '../check.ts';
import { root } from '../checkout.mjs';
import type { Counts } from './count-reporter.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { startSystemPostgres, type SystemPostgres } from './system-postgres.ts';

/**
 * This check runs in a separate process, as vitest does, so that a crash counts as one failure and does not end the
 * run.
 */
const generatedCheck: Check = {
  name: 'generated files',
  run: () => runTool('tsx', 'scripts/generate/generate.ts', '--check'),
};

/** Runs vitest in a separate process. Its counts are read from a file, so that a crash cannot count as a success. */
function runVitest(args: string[] = [], variables: Record<string, string> = {}): Counts {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-counts-'));
  const file = join(folder, 'counts.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=./scripts/test/count-reporter.ts'];
  const env = { ...process.env, ...variables, COUNTS_FILE: file };
  try {
    const result = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    const counts = readCounts(file);
    if (result.status !== 0 && counts.failed.length === 0) counts.failed.push(`vitest ended with ${result.status}`);
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * If the system's PostgreSQL is installed, the tests that depend most on PostgreSQL run on it, and all other tests run
 * on the embedded PostgreSQL. Running all tests on both would take another minute and would not find more bugs. `npm
 * run test:postgres` runs every server test on the system's PostgreSQL.
 */
const onSystemPostgres = [
  'platform/db/',
  'books/ledger/journal.test',
  'across/health/books-verify.test',
  'features/billing/payments.test',
  'across/reports/reports.test',
  'app/cli/backup',
].map((name) => `apps/server/src/${name}`);

async function runOnSystemPostgres(postgres: SystemPostgres): Promise<Counts> {
  if (postgres.missing !== undefined) {
    return {
      passed: 0,
      failed: [],
      skipped: [{ name: 'the server on the system’s PostgreSQL', reason: postgres.missing }],
    };
  }
  console.log('Server tests on the system’s PostgreSQL:');
  const counts = runVitest(['--project', 'server', ...onSystemPostgres], { EVENKEEL_TEST_SERVER: postgres.url });
  await postgres.stop();
  return { ...counts, failed: counts.failed.map((name) => `${name} (on the system’s PostgreSQL)`) };
}

function readCounts(file: string): Counts {
  try {
    const counts: Counts = JSON.parse(readFileSync(file, 'utf8'));
    return counts;
  } catch {
    return { passed: 0, failed: ['vitest ended without counting its tests'], skipped: [] };
  }
}

/** Groups skipped tests by reason, so that 30 tests without hledger take only one line. */
function tellSkipped(skipped: Counts['skipped']): void {
  for (const reason of new Set(skipped.map((test) => test.reason))) {
    const tests = skipped.filter((test) => test.reason === reason);
    console.log(`skipped ${tests.length}: ${reason} (${tests[0]?.name})`);
  }
}

/** Prints the results, with the counts last, and returns the exit code. If CI=true, skipped tests are not allowed. */
function report(passed: number, failed: string[], skipped: Counts['skipped']): number {
  tellSkipped(skipped);
  for (const name of failed) console.log(`failed: ${name}`);
  const strict = process.env['CI'] === 'true';
  if (strict && skipped.length > 0) console.log('CI=true: skipped tests count as failures.');
  const failures = failed.length + (strict ? skipped.length : 0);
  const rest = skipped.length > 0 && !strict ? `, ${skipped.length} skipped` : '';
  console.log(`${passed} passed, ${failures} failed${rest}`);
  return failures > 0 ? 1 : 0;
}

const everyCheck = [...checks, generatedCheck];
const folder = process.env['TMPDIR'] === undefined ? makeMemoryFolder() : undefined;
if (folder !== undefined) process.env['TMPDIR'] = folder;
try {
  const failedChecks = await runChecks(everyCheck);
  const postgres = await startSystemPostgres();
  const elsewhere = postgres.missing === undefined ? onSystemPostgres.join(',') : '';
  const runs = [runVitest([], { TESTED_ELSEWHERE: elsewhere }), await runOnSystemPostgres(postgres)];
  const passed = runs.reduce((sum, run) => sum + run.passed, everyCheck.length - failedChecks.length);
  const failed = [...failedChecks, ...runs.flatMap((run) => run.failed)];
  const skipped = runs.flatMap((run) => run.skipped);
  process.exitCode = report(passed, failed, skipped);
} finally {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
