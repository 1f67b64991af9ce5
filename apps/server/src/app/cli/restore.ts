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
import { statementOf } from '../../platform/db/query.ts';
import { analyzeOwn } from '../../platform/db/statistics.ts';
import { type Tx, within } from '../../platform/db/tx.ts';
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
 * Reads a backup into an empty database: whole, with totals made anew and every book verified, or not at all. `--key`
 * names the key of the installation that made it, which becomes this one's: without it, what is sealed is typed again.
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

/** Checks the key that is given, before anything is restored; answers how to keep it. */
function givenKey({ config, options }: CommandContext): () => void {
  const name = options['key'];
  if (typeof name !== 'string') return () => undefined;
  const key = readKey(resolve(name));
  if (key === undefined) throw new Error(`There is no file ${resolve(name)}`);
  const kept = keyFileOf(config.dataDir);
  const own = config.secretKey ?? readKey(kept);
  if (own !== undefined && !own.equals(key)) {
    const place = config.secretKey === undefined ? kept : 'SECRET_KEY';
    throw new Error(`This installation already has a different key (${place}). Move it away first`);
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
  // A failure on the way (a folder, a disk) ends the reading below with its reason.
  const reading = pipeline(createReadStream(file), unzip, { end: true });
  reading.catch(() => undefined);
  const reader = new ArchiveReader(unzip);
  const header = await readHeader(reader);
  const tables = await listTables(client);
  await checkTarget(client, header.migrations);
  // A server that has started here noted facts of its own; those of the backup count.
  await client.query('delete from installation');
  await forceSecurity(client, tables, false);
  await loadSections(client, reader, tables);
  await reader.end();
  // Zeros behind the archive are no error of gzip's; they were not written by a backup either.
  if (unzip.bytesWritten !== (await stat(file)).size)
    throw new Error('The backup is damaged: there is extra data at the end');
  await moveSequences(client);
  // Before the books are proved, which reads them all, and behind the totals that are made anew with it.
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

async function checkTarget(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ count: number }>('select count(*) as count from membership');
  if (rows[0]?.count !== 0)
    throw new Error('A backup can only be restored into an empty database, and this one contains companies');
  const own = await listMigrations(client);
  if (own.join() !== [...migrations].join()) {
    throw new Error('This backup was made by another version of Evenkeel. Restore it with that version, then upgrade');
  }
}

/** Each section as it comes; at the end rows and digests must be those of the manifest, or nothing is kept. */
async function loadSections(client: pg.Client, reader: ArchiveReader, tables: readonly TableShape[]): Promise<void> {
  const known = new Set(tables.map(({ name }) => name));
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
    if (!section.success || !known.has(section.data.table)) throw new Error('The backup is damaged: it is incomplete');
    tally.count(section.data.table, await loadSection(client, section.data, { reader, tally }));
  }
}

async function loadSection(
  client: pg.Client,
  section: Section,
  { reader, tally }: { reader: ArchiveReader; tally: Tally },
): Promise<number> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of reader.section()) {
      tally.add(section.table, chunk);
      yield chunk;
    }
  }
  tally.add(section.table, Buffer.alloc(0));
  return copyIn(client, copyInText(section), counted());
}

/** Totals anew, then every invariant and the hash chain: books with a fault are not restored. */
async function proveBooks(tx: Tx): Promise<void> {
  await rebuildWithin(tx);
  const { faults } = await verifyWithin(tx);
  const [first] = faults;
  if (first !== undefined)
    throw new Error(`The books of company ${tx.companyId} are damaged: ${JSON.stringify(first)}`);
}
