import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Returns a connection to the database of a running Evenkeel as the database's owner, for work that would take minutes
 * with the API.
 */
export async function connectionOf(dataDir: string) {
  const lines = (await readFile(join(dataDir, 'pgdata/postmaster.pid'), 'utf8')).split('\n');
  const address = { host: lines[4] === '' ? '127.0.0.1' : (lines[4] ?? ''), port: Number(lines[3]) };
  const password = await readFile(join(dataDir, 'pgdata/evenkeel.password'), 'utf8').catch(() => undefined);
  return { ...address, user: 'app', database: 'evenkeel', ...(password ? { password } : {}) };
}

/**
 * Runs one statement as the owner of a running Evenkeel's database. The company is set, so that triggers work as they
 * do for records that are written with the API.
 */
export async function onDatabase(
  dataDir: string,
  statement: string,
  { values = [], companyId }: { values?: readonly unknown[]; companyId?: number } = {},
): Promise<void> {
  const client = new pg.Client(await connectionOf(dataDir));
  await client.connect();
  try {
    if (companyId !== undefined) await client.query(`set app.company_id = '${companyId}'`);
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}
