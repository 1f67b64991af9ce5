import { backupCommand } from './app/cli/backup.ts';
import { callCommand } from './app/cli/call.ts';
import { companyCreate } from './app/cli/company.ts';
import type { Command } from './app/cli/command.ts';
import { completionCommand } from './app/cli/completion.ts';
import { demoCommand } from './app/cli/demo.ts';
import { factorRemove } from './app/cli/factor.ts';
import { distributeCommand } from './app/cli/distribute.ts';
import { exportCommand } from './app/cli/export.ts';
import { importCommand } from './app/cli/import.ts';
import { keyRotate } from './app/cli/key.ts';
import { migrateCommand } from './app/cli/migrate.ts';
import { rebuildCommand } from './app/cli/rebuild.ts';
import { reportCommand } from './app/cli/report.ts';
import { restoreCommand } from './app/cli/restore.ts';
import { runLine } from './app/cli/run.ts';
import { verifyCommand } from './app/cli/verify.ts';

/** All commands, one per line. */
const commands: readonly Command[] = [
  companyCreate,
  migrateCommand,
  verifyCommand,
  rebuildCommand,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  demoCommand,
  factorRemove,
  distributeCommand,
  keyRotate,
  callCommand,
  reportCommand,
  // The list has one command per line, so that two changes to it don't conflict.
];

process.exitCode = await runLine([...commands, completionCommand(commands)], process.argv.slice(2), {
  environment: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
});
