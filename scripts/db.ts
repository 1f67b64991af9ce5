// Opens a prompt on the database as its owner: psql if it is installed, and otherwise a minimal prompt. Connects to the
// database of a running Evenkeel server, or starts the embedded PostgreSQL while the prompt is open.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { openPool } from '@evenkeel/server/platform/db/connect';
import type { Connection } from '@evenkeel/server/platform/db/connect';
import { startEmbedded } from '@evenkeel/postgres/embedded';
import { root, say } from './checkout.mjs';

type Opened = { connection: Connection; connectionString: string; stop: () => Promise<void> };

async function open(): Promise<Opened> {
  const given = process.env['DATABASE_URL'];
  if (given) {
    return { connection: { connectionString: given }, connectionString: given, stop: () => Promise.resolve() };
  }
  const dataDir = resolve(root, process.env['DATA_DIR'] || 'data');
  return startEmbedded({ dataDir, mode: 'tool', log: say });
}

/** Runs one statement per line and prints the result as a table, until the end of the input. */
async function prompt(connection: Connection): Promise<void> {
  const pool = openPool({ connection, as: 'owner', max: 1 });
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: 'evenkeel=> ' });
  lines.prompt();
  for await (const line of lines) {
    try {
      if (line.trim() !== '') console.table((await pool.query(line)).rows);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
    lines.prompt();
  }
  await pool.end();
}

const { connection, connectionString, stop } = await open();
say(`Connected: psql '${connectionString}'`);
// With row-level security, the owner sees no rows until a company is set.
say(`To see a company's rows, first run: set app.company_id = '1';`);
process.on('SIGINT', () => undefined);
try {
  const psql = spawnSync('psql', [connectionString, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (psql.error) await prompt(connection);
  else process.exitCode = psql.status ?? 1;
} finally {
  await stop();
}
