import { backupCommand } from './cli/backup.ts';
import { companyCreate } from './cli/company.ts';
import type { Command } from './cli/command.ts';
import { demoCommand } from './cli/demo.ts';
import { factorRemove } from './cli/factor.ts';
import { distributeCommand } from './cli/distribute.ts';
import { exportCommand } from './cli/export.ts';
import { keyRotate } from './cli/key.ts';
import { migrateCommand } from './cli/migrate.ts';
import { rebuildCommand } from './cli/rebuild.ts';
import { restoreCommand } from './cli/restore.ts';
import { runLine } from './cli/run.ts';
import { verifyCommand } from './cli/verify.ts';

/** Every command, one line each. */
const commands: readonly Command[] = [
  companyCreate,
  migrateCommand,
  verifyCommand,
  rebuildCommand,
  exportCommand,
  backupCommand,
  restoreCommand,
  demoCommand,
  factorRemove,
  distributeCommand,
  keyRotate,
  // The list stays one per line, so that two people add to it without meeting.
];

process.exitCode = await runLine(commands, process.argv.slice(2), {
  environment: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
});
