// `npm run test:citus [files]`: the server's tests on a Citus cluster, which two variables name, each server as a
// superuser: EVENKEEL_TEST_SERVER=postgres://postgres@127.0.0.1:5432 is the coordinator, and EVENKEEL_TEST_WORKERS has
// the others, with commas between them. The servers run on this machine, because they are killed under load.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { isMain, root } from '../checkout.mjs';

/**
 * Every kind of write and read, and what only a cluster shows. Tests of PostgreSQL's own plans, locks and catalogue are
 * left out: they say how one server works.
 */
const files = [
  'reports/demo-bytes.test',
  'banking/lock.test',
  'subledger/races.test',
  'cli/backup.test',
  'attachments/',
  'billing/',
  'catalogue/',
  'entities/customers.test',
  'entities/fields.test',
  'entities/vendors.test',
  'expenses/',
  'scheduled/',
  'settings/',
  'setup/',
  'audit/audit-log.test',
  'audit/commands.test',
  'auth/account.test',
  'auth/guests.test',
  'auth/members.test',
  'auth/roles.test',
  'auth/users.test',
  'health/health.test',
  'banking/accounts',
  'banking/dealings.test',
  'banking/deposits.test',
  'banking/progress.test',
  'banking/reconciliation',
  'banking/rules.test',
  'banking/statements.test',
  'banking/transfers.test',
  'dashboard/first-steps.test',
  'ledger/closing.test',
  'ledger/dimensions.test',
  'ledger/export.test',
  'ledger/figure.test',
  'ledger/journal.test',
  'ledger/journal-entry.test',
  'ledger/register.test',
  'ledger/verify.test',
  'reports/aging.test',
  'reports/reports.test',
  'reports/sales.test',
  'reports/statements.test',
  'search/search.test',
  'sending/',
  'subledger/aging.test',
  'subledger/home.test',
];

/** Runs by themselves: first what only a cluster shows, at the end what takes longest. */
const parts = [['process/distributed.cluster'], files, ['http/endpoints.test']];

/** Runs vitest on these files, or on all in their parts; answers the exit code of the last that failed. */
async function runTests(given: readonly string[]): Promise<number> {
  const { EVENKEEL_TEST_SERVER: coordinator, EVENKEEL_TEST_WORKERS: workers } = process.env;
  if (!coordinator || !workers) {
    console.log('EVENKEEL_TEST_SERVER and EVENKEEL_TEST_WORKERS name no cluster: see docs/operations.md');
    return 1;
  }
  const all = parts.map((names) => names.map((name) => `apps/server/src/${name}`));
  let failed = 0;
  for (const chosen of given.length > 0 ? [given] : all) failed = (await runPart(chosen)) || failed;
  return failed;
}

async function runPart(chosen: readonly string[]): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // Servers are killed under one file at a time.
  const args = [vitest, 'run', '--project', 'server', '--no-file-parallelism', ...chosen];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const code = await new Promise<number | null>((done) => child.on('exit', done));
  return code ?? 1;
}

if (isMain(import.meta.url)) process.exitCode = await runTests(process.argv.slice(2));
