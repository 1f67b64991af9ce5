import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { now } from '../../platform/clock.ts';
import { keyFileOf, readKey } from '../../platform/db/box.ts';
import { openClient } from '../../platform/db/connect.ts';
import { copyOut } from '../../platform/db/copy.ts';
import { END, type Header, type Manifest, Tally } from './archive.ts';
import { type Command, UsageError } from './command.ts';
import { copyOutText, listMigrations, listTables, type TableShape } from './tables.sql.ts';

/** Writes all companies with their documents to one compressed file. The server can keep running. */
export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE',
  options: {},
  run: async (context) => {
    const [name] = context.positionals;
    if (name === undefined || context.positionals.length > 1) throw new UsageError('FILE is required');
    const file = resolve(name);
    const { connection } = await context.database();
    const client = await openClient(connection);
    try {
      const { companies, manifest } = await writeBackup(client, file);
      const { size } = await stat(file);
      await noteBackup(client, { at: now().toISOString(), bytes: size });
      const rows = Object.values(manifest).reduce((sum, table) => sum + table.rows, 0);
      context.say(`Backed up ${companies.length} companies and ${rows} rows`);
      const key = keyFileOf(context.config.dataDir);
      if (context.config.secretKey === undefined && readKey(key) !== undefined) {
        context.say(
          `You need the key ${key} to read encrypted values in this backup. Store a copy of the key ` +
            'separately from the backup',
        );
      }
      return { result: { file, companies, rows, bytes: size } };
    } finally {
      await client.end();
    }
  },
};

/** Records the last backup for every company's health page. */
async function noteBackup(client: pg.Client, backup: { at: string; bytes: number }): Promise<void> {
  await client.query(
    `insert into installation (key, value) values ('backup', $1)
      on conflict (key) do update set value = excluded.value`,
    [JSON.stringify(backup)],
  );
}

/**
 * The backup is one snapshot of the whole database. The file gets its final name only after it is completely on disk.
 */
async function writeBackup(client: pg.Client, file: string): Promise<{ companies: number[]; manifest: Manifest }> {
  await client.query('begin isolation level repeatable read read only');
  const [tables, migrations, companies] = [
    await listTables(client),
    await listMigrations(client),
    await listCompanies(client),
  ];
  if (companies.length === 0) throw new Error('There are no companies to back up');
  const tally = new Tally();
  const header: Header = { evenkeel: 1, createdAt: now().toISOString(), migrations, companies };
  const part = `${file}.part`;
  try {
    const text = Readable.from(textOf(client, { header, tables, tally }), { objectMode: false });
    await pipeline(text, createGzip({ level: 4 }), createWriteStream(part, { mode: 0o600 }));
    await client.query('rollback');
    const handle = await open(part, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { companies, manifest: tally.manifest() };
}

export async function listCompanies(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>('select company_id as id from company order by company_id');
  return rows.map(({ id }) => id);
}

interface Contents {
  header: Header;
  tables: readonly TableShape[];
  tally: Tally;
}

async function* textOf(client: pg.Client, { header, tables, tally }: Contents): AsyncGenerator<Buffer> {
  const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
  yield line(header);
  for (const table of tables) {
    for (const companyId of table.isTenant ? header.companies : [undefined]) {
      if (companyId !== undefined) await client.query(`set local app.company_id = '${companyId}'`);
      yield line({ table: table.name, columns: table.columns });
      for await (const chunk of copyOut(client, copyOutText(table, companyId))) {
        tally.add(table.name, chunk);
        tally.count(
          table.name,
          chunk.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0),
        );
        yield chunk;
      }
      yield Buffer.from(`${END}\n`);
    }
  }
  yield line({ manifest: tally.manifest() });
}
