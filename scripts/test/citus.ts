// `npm run test:citus [files]` runs the server's tests on a Citus cluster. Two variables contain the addresses of the
// cluster's servers, each with a superuser. EVENKEEL_TEST_SERVER=postgres://postgres@127.0.0.1:5432 is the coordinator,
// and EVENKEEL_TEST_WORKERS lists the others, separated by commas. The servers must run on this machine, because tests
// kill them under load.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { isMain, root } from '../checkout.mjs';

/**
 * Tests for every kind of write and read, and for the behavior of a cluster. Tests for PostgreSQL's own plans, locks,
 * and catalog are excluded, because they apply only to a single server.
 */
const files = [
  'across/reports/demo-bytes.test',
  'features/banking/lock.test',
  'books/documents/races.test',
  'app/cli/backup.test',
  'books/attachments/',
  'features/billing/',
  'features/catalogue/',
  'features/entities/customers.test',
  'features/entities/fields.test',
  'features/entities/vendors.test',
  'features/expenses/',
  'across/scheduled/',
  'features/settings/',
  'across/setup/',
  'features/audit/audit-log.test',
  'features/audit/commands.test',
  'across/auth/account.test',
  'across/auth/guests.test',
  'across/auth/members.test',
  'across/auth/roles.test',
  'across/auth/users.test',
  'across/health/health.test',
  'features/banking/accounts',
  'features/banking/dealings.test',
  'features/banking/deposits.test',
  'features/banking/progress.test',
  'features/banking/reconciliation',
  'features/banking/rules.test',
  'features/banking/statements.test',
  'features/banking/transfers.test',
  'across/dashboard/first-steps.test',
  'features/accounting/closing.test',
  'features/accounting/dimensions.test',
  'features/accounting/export.test',
  'features/accounting/figure.test',
  'books/ledger/journal.test',
  'features/accounting/journal-entry.test',
  'books/ledger/register.test',
  'across/health/books-verify.test',
  'across/reports/aging.test',
  'across/reports/reports.test',
  'across/reports/sales.test',
  'across/reports/statements.test',
  'across/search/search.test',
  'across/sending/',
  'across/taxes/',
  'books/documents/aging.test',
  'features/entities/home.test',
];

/** The tests run in several parts: the tests that need a cluster come first, and the slowest tests come last. */
export const parts = [['process/distributed.cluster'], files, ['platform/http/endpoints.test']];

/**
 * Runs vitest on these files or, if none are given, on all files, one part at a time. Returns the exit code of the last
 * part that failed.
 */
async function runTests(given: readonly string[]): Promise<number> {
  const { EVENKEEL_TEST_SERVER: coordinator, EVENKEEL_TEST_WORKERS: workers } = process.env;
  if (!coordinator || !workers) {
    console.log('EVENKEEL_TEST_SERVER or EVENKEEL_TEST_WORKERS is not set (see docs/operations.md)');
    return 1;
  }
  const all = parts.map((names) => names.map((name) => `apps/server/src/${name}`));
  let failed = 0;
  for (const chosen of given.length > 0 ? [given] : all) failed = (await runPart(chosen)) || failed;
  return failed;
}

async function runPart(chosen: readonly string[]): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // These files kill servers under load, so only one file runs at a time.
  const args = [vitest, 'run', '--project', 'server', '--no-file-parallelism', ...chosen];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const code = await new Promise<number | null>((done) => child.on('exit', done));
  return code ?? 1;
}

if (isMain(import.meta.url)) process.exitCode = await runTests(process.argv.slice(2));
