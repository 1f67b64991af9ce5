// `npm run test:citus [files]`: the server's tests on a Citus cluster, which two variables name, each server as a
// superuser: EVENKEEL_TEST_SERVER=postgres://postgres@127.0.0.1:5432 is the coordinator, and EVENKEEL_TEST_WORKERS has
// the others, with commas between them. The servers run on this machine, because they are killed under load.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { isMain, root } from './checkout.mjs';

/**
 * Every kind of write and read, and what only a cluster shows. Tests of PostgreSQL's own plans, locks and catalogue are
 * left out: they say how one server works.
 */
const files = [
  'process/distributed.cluster',
  'http/endpoints.test',
  'reports/demo-bytes.test',
  'banking/lock.test',
  'subledger/races.test',
  'cli/backup.test',
  'attachments/',
  'billing/',
  'catalogue/',
  'entities/',
  'expenses/',
  'scheduled/',
  'settings/',
  'setup/',
  'audit/audit-log.test',
  'audit/commands.test',
  'auth/roles.test',
  'auth/users.test',
  'health/health.test',
  'banking/deposits.test',
  'banking/reconciliations.test',
  'banking/statements.test',
  'banking/transfers.test',
  'dashboard/first-steps.test',
  'ledger/journal.test',
  'ledger/register.test',
  'ledger/verify.test',
  'reports/aging.test',
  'reports/reports.test',
  'reports/sales.test',
  'reports/statements.test',
  'search/search.test',
  'sending/sending.test',
  'sending/reminders.test',
];

/** Runs vitest on these files; answers its exit code. */
async function runTests(given: readonly string[]): Promise<number> {
  const { EVENKEEL_TEST_SERVER: coordinator, EVENKEEL_TEST_WORKERS: workers } = process.env;
  if (!coordinator || !workers) {
    console.log('EVENKEEL_TEST_SERVER and EVENKEEL_TEST_WORKERS name no cluster: see docs/operations.md');
    return 1;
  }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const chosen = given.length > 0 ? given : files.map((name) => `apps/server/src/${name}`);
  // Servers are killed under one file at a time.
  const args = [vitest, 'run', '--project', 'server', '--no-file-parallelism', ...chosen];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const code = await new Promise<number | null>((done) => child.on('exit', done));
  return code ?? 1;
}

if (isMain(import.meta.url)) process.exitCode = await runTests(process.argv.slice(2));
