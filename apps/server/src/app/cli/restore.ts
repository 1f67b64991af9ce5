import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import * as z from 'zod';
import { keyFileOf, readKey, writeKey } from '../../platform/db/box.ts';
import { copyIn } from '../../platform/db/copy.ts';
import { openClient } from '../../platform/db/connect.ts';
import { completeSchema, recreateSchema } from '../../platform/db/migrate.ts';
import { statementOf } from '../../platform/db/query.ts';
import { analyzeOwn } from '../../platform/db/statistics.ts';
import { type Tx, within } from '../../platform/db/tx.ts';
import {
  asideName,
  copyReleased,
  createAside,
  createAsideTable,
  isOfBaseline,
  readReplaced,
  RELEASED_TABLES,
  standingOf,
} from '../../platform/db/upgrade.ts';
import { rebuildWithin } from '../../features/accounting/rebuild.ts';
import { holdMail } from '../../across/sending/mails.sql.ts';
import { verifyWithin } from '../../across/health/books-verify.ts';
import { ArchiveReader, type Section, Tally } from './archive.ts';
import { type Command, type CommandContext, type OpenDatabase, UsageError } from './command.ts';
import { copyInText, forceSecurity, listMigrations, listTables, moveSequences, type TableShape } from './tables.sql.ts';

const HeaderLine = z.object({
  evenkeel: z.literal(1),
  createdAt: z.string(),
  migrations: z.array(z.string()),
  companies: z.array(z.number()),
});
const SectionLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const ManifestLine = z.object({
  manifest: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
});

/**
 * Restores a backup into an empty database. Totals are recalculated, and every company is verified. If anything fails,
 * the database stays empty. A backup from an older version is restored into that version's schema, which is then
 * migrated. `--key` specifies the key of the installation that wrote the backup, which becomes the key of this
 * installation. Without this key, users must enter encrypted values again.
 */
export const restoreCommand: Command = {
  name: 'restore',
  usage: 'FILE [--key FILE]',
  options: { key: { type: 'string' } },
  run: async (context) => {
    const [name] = context.positionals;
    if (name === undefined || context.positionals.length > 1) throw new UsageError('FILE is required');
    const file = resolve(name);
    await access(file).catch(() => {
      throw new Error(`The file ${file} does not exist`);
    });
    const keepKey = givenKey(context);
    const companies = await readBackup(await context.database(), file);
    keepKey();
    context.say(`Restored and verified ${companies.length} companies`);
    return { result: { ok: true, companies } };
  },
};

/** Checks the given key before anything is restored. Returns a function that saves it. */
function givenKey({ config, options }: CommandContext): () => void {
  const name = options['key'];
  if (typeof name !== 'string') return () => undefined;
  const key = readKey(resolve(name));
  if (key === undefined) throw new Error(`The file ${resolve(name)} does not exist`);
  const kept = keyFileOf(config.dataDir);
  const own = config.secretKey ?? readKey(kept);
  if (own !== undefined && !own.equals(key)) {
    const place = config.secretKey === undefined ? kept : 'SECRET_KEY';
    throw new Error(
      `This installation already has a different key (${place}). Move that key to another location first`,
    );
  }
  return () => {
    if (config.secretKey === undefined) writeKey(kept, key);
  };
}

async function readBackup({ connection }: OpenDatabase, file: string): Promise<number[]> {
  const client = await openClient(connection);
  try {
    await client.query('begin');
    const companies = await load(client, file);
    await client.query('commit');
    return companies;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}

async function load(client: pg.Client, file: string): Promise<number[]> {
  const unzip = createGunzip();
  // A read failure, such as a disk error or a folder in place of a file, ends the loop below with an error that states
  // the reason.
  const reading = pipeline(createReadStream(file), unzip, { end: true });
  reading.catch(() => undefined);
  const reader = new ArchiveReader(unzip);
  const header = await readHeader(reader);
  const schema = await schemaFor(client, header.migrations);
  if (schema.isOlder) await recreateSchema(client, schema.migrations);
  const old = await listTables(client);
  // If a server was started on this database, it recorded its own installation data. The data in the backup replaces
  // that data.
  await client.query('delete from installation');
  await forceSecurity(client, old, false);
  if (schema.isReleased) await loadReleased(client, reader);
  else await loadSections(reader, intoTables(client, old));
  await reader.end();
  // gzip accepts zeros after the archive, but a backup never contains them.
  if (unzip.bytesWritten !== (await stat(file)).size)
    throw new Error('The backup is damaged: there is extra data at the end');
  await moveSequences(client);
  if (schema.isOlder) await completeSchema(client);
  const tables = await listTables(client);
  await forceSecurity(client, tables, false);
  // This must run after the totals are rebuilt, and before the books are verified, because verification reads all of
  // these tables.
  await client.query(statementOf(analyzeOwn));
  for (const companyId of header.companies) {
    await within(client, companyId, async (tx) => {
      await holdMail(tx);
      await proveBooks(tx);
    });
  }
  await client.query(statementOf(analyzeOwn));
  await forceSecurity(client, tables, true);
  return header.companies;
}

async function readHeader(reader: ArchiveReader): Promise<z.output<typeof HeaderLine>> {
  const line = await reader.line().catch(() => undefined);
  const header = HeaderLine.safeParse(parseLine(line));
  if (!header.success) throw new Error('This file is not an Evenkeel backup');
  return header.data;
}

function parseLine(line: string | undefined): unknown {
  try {
    return line === undefined ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The schema that a backup is read into. */
interface BackupSchema {
  migrations: string[];
  /** Whether this version's schema has more migrations than the backup's. */
  isOlder: boolean;
  /** Whether the backup is from version 0.1.0. */
  isReleased: boolean;
}

/** Throws if the database already has companies, or if this version can't read a backup with these migrations. */
async function schemaFor(client: pg.Client, names: readonly string[]): Promise<BackupSchema> {
  const { rows } = await client.query<{ count: number }>('select count(*) as count from membership');
  if (rows[0]?.count !== 0)
    throw new Error('A backup can only be restored into an empty database, and this one contains companies');
  const own = await listMigrations(client);
  const replaced = await readReplaced();
  const standing = standingOf(names, replaced);
  const baseline = own.filter(isOfBaseline);
  const later = names.filter((name) => !replaced.has(name));
  const migrations = standing === 'current' ? [...names] : [...baseline, ...later];
  const isKnown = standing !== 'between' && migrations.length >= baseline.length;
  if (!isKnown || own.slice(0, migrations.length).join() !== migrations.join()) {
    throw new Error(
      'This backup was created by another version of Evenkeel. Restore it with that version, then upgrade',
    );
  }
  return { migrations, isOlder: migrations.length < own.length, isReleased: standing === 'released' };
}

/** Reads a section's rows. Returns the number of rows. */
type Load = (section: Section, rows: AsyncIterable<Buffer>) => Promise<number>;

/** Reads each section into the table of the same name. */
function intoTables(client: pg.Client, tables: readonly TableShape[]): Load {
  const known = new Set(tables.map(({ name }) => name));
  return (section, rows) => {
    if (!known.has(section.table)) throw new Error(INCOMPLETE);
    return copyIn(client, copyInText(section), rows);
  };
}

const INCOMPLETE = 'The backup is damaged: it is incomplete';

/** Reads a backup from version 0.1.0 into temporary tables and copies its data from there. */
async function loadReleased(client: pg.Client, reader: ArchiveReader): Promise<void> {
  await createAside(client);
  const made = new Set<string>();
  await loadSections(reader, async (section, rows) => {
    if (!RELEASED_TABLES.includes(section.table)) throw new Error(INCOMPLETE);
    if (!made.has(section.table)) await createAsideTable(client, section.table, section.columns);
    made.add(section.table);
    return copyIn(client, copyInText({ ...section, table: asideName(section.table) }), rows);
  });
  await copyReleased(client, async () => undefined);
}

/**
 * Loads each section in file order. At the end, the row counts and hashes must match the manifest. Otherwise, nothing
 * is saved.
 */
async function loadSections(reader: ArchiveReader, load: Load): Promise<void> {
  const tally = new Tally();
  for (;;) {
    const value = parseLine(await reader.line());
    const manifest = ManifestLine.safeParse(value);
    if (manifest.success) {
      const found = tally.manifest();
      for (const [table, { rows, sha256 }] of Object.entries(manifest.data.manifest)) {
        if (found[table]?.rows !== rows || found[table]?.sha256 !== sha256) {
          throw new Error(`The backup is damaged: the contents of ${table} have changed`);
        }
      }
      return;
    }
    const section = SectionLine.safeParse(value);
    if (!section.success) throw new Error(INCOMPLETE);
    tally.count(section.data.table, await load(section.data, counted(section.data, reader, tally)));
  }
}

/** Yields the rows of a section and adds them to the tally. */
async function* counted(section: Section, reader: ArchiveReader, tally: Tally): AsyncGenerator<Buffer> {
  tally.add(section.table, Buffer.alloc(0));
  for await (const chunk of reader.section()) {
    tally.add(section.table, chunk);
    yield chunk;
  }
}

/** Rebuilds totals and then checks all rules and the hash chain. Books with a problem are not restored. */
async function proveBooks(tx: Tx): Promise<void> {
  await rebuildWithin(tx);
  const { faults } = await verifyWithin(tx);
  const [first] = faults;
  if (first !== undefined)
    throw new Error(`The books of company ${tx.companyId} are damaged: ${JSON.stringify(first)}`);
}
