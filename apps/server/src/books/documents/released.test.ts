import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { buildApp } from '../../app/app.ts';
import { loadLegal } from '../../across/auth/legal.ts';
import { ArchiveReader, type Section } from '../../app/cli/archive.ts';
import type { OpenDatabase } from '../../app/cli/command.ts';
import { restoreCommand } from '../../app/cli/restore.ts';
import { copyInText, forceSecurity, listTables, moveSequences } from '../../app/cli/tables.sql.ts';
import { type Connection, openPool, type Pool } from '../../platform/db/connect.ts';
import { copyIn } from '../../platform/db/copy.ts';
import { openBox } from '../../platform/db/box.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { demoToken, reportFigures, reportTexts } from '../../testing/released/books.ts';
import { testConfig, testTuning } from '../../testing/settings.ts';

const folder = join(import.meta.dirname, '../../testing/released');
const { server, template } = inject('ground');
const maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
afterAll(() => maintenance.end());
let databases = 0;

/** Creates the schema of release 0.1.0 with that release's migrations. */
async function applyReleased(client: pg.Client): Promise<void> {
  await client.query(`create table migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  for (const { name, text } of Files.parse(await keptOf(RELEASED, 'migrations'))) {
    await client.query(text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
  }
}

const Files = z.array(z.object({ name: z.string(), text: z.string() }));

/** Loads the 0.1.0 backup into its schema, as the `restore` command of that release does. */
async function loadReleased(client: pg.Client): Promise<void> {
  const reader = new ArchiveReader(createReadStream(backupOf(RELEASED)).pipe(createGunzip()));
  await reader.line();
  const tables = await listTables(client);
  await client.query('begin');
  await forceSecurity(client, tables, false);
  for (;;) {
    const line: Section | { manifest: object } = JSON.parse((await reader.line()) ?? '{}');
    if (!('table' in line)) break;
    await copyIn(client, copyInText(line), reader.section());
  }
  await moveSequences(client);
  await forceSecurity(client, tables, true);
  await client.query('commit');
}

/**
 * The backup from release 0.1.0. For this backup, only the financial statements were saved, and no reports in other
 * formats.
 */
const RELEASED = '20261121';

const backupOf = (release: string): string => join(folder, `${release}.backup.gz`);

/** Returns the reports that were saved for a release, in one file format. */
async function keptOf(release: string, what: string): Promise<unknown> {
  return JSON.parse(gunzipSync(await readFile(join(folder, `${release}.${what}.json.gz`))).toString('utf8'));
}

/** Creates a 0.1.0 database, optionally with one more change. */
async function createReleased(connection: Connection, change = ''): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await applyReleased(client);
  await loadReleased(client);
  await client.query(change);
  await client.end();
}

/** Starts this version on a 0.1.0 database. */
async function upgrade({ connection }: OpenDatabase): Promise<void> {
  await createReleased(connection);
  expect((await migrate(connection)).length).toBeGreaterThan(5);
}

/** Uses this version to restore a release's backup. */
const restore = (release: string) => async (database: OpenDatabase) => {
  await migrate(database.connection);
  const positionals = [backupOf(release)];
  const context = { config: testConfig(), options: {}, positionals, say: () => undefined };
  const { result } = await restoreCommand.run({ ...context, database: async () => database });
  expect(result).toMatchObject({ ok: true });
};

// Promise (start): Books from 0.1.0 and from the last version before 0.2.0 can be migrated or restored, pass `verify`,
// and produce reports that are the same as before, byte for byte. [2 versions, 30 statements each, all reports from the
// newer one, 0 problems]
describe.each([
  ['a 0.1.0 database', RELEASED, upgrade],
  ['a 0.1.0 backup', RELEASED, restore(RELEASED)],
  ['a backup from the last version before 0.2.0', '20261127', restore('20261127')],
])('%s', (_, release, open) => {
  const name = `${template}_released_${(databases += 1)}_${process.pid}`;
  const connection = { connectionString: `${server}/${name}` };
  let owner: Pool;
  let pool: Pool;
  let app: FastifyInstance | undefined;

  beforeAll(async () => {
    await maintenance.query(`create database ${name}`);
    owner = openPool({ connection, as: 'owner', max: 1 });
    pool = openPool({ connection, as: 'runtime', max: 4 });
  });
  afterAll(async () => {
    await app?.close();
    await pool.end();
    await owner.end();
    await maintenance.query(`drop database if exists ${name} with (force)`);
  });

  test('the upgraded books pass verify, and every report is byte-for-byte the same as before', async () => {
    await open({ connection, pool });
    const rows = await owner.query<{ count: number }>('select count(*) as count from payment_application');
    expect(rows.rows[0]?.count).toBeGreaterThan(400);
    const companies = (await owner.query<{ companyId: number }>(`select company_id as "companyId" from company`)).rows;
    expect(companies).toHaveLength(1);
    for (const { companyId } of companies) expect((await verifyCompany(pool, companyId)).faults).toEqual([]);
    const legal = await loadLegal(undefined);
    const config = testConfig();
    const box = openBox(config);
    const log = pino({ level: 'silent' });
    const services = { pool, config, box, log, pseudonym: String, legal, tuning: testTuning };
    app = await buildApp(services);
    const token = await demoToken(services);
    const after = await reportTexts(app, token);
    expect(Object.keys(after)).toHaveLength(30);
    expect(after).toEqual(await keptOf(release, 'reports'));
    if (release !== RELEASED) {
      // Skips a report that did not exist in the older version, because there is nothing to compare it with.
      const kept = z.record(z.string(), z.unknown()).parse(await keptOf(release, 'figures'));
      const figures = Object.entries(await reportFigures(app, token)).filter(([name]) => name in kept);
      expect(Object.fromEntries(figures)).toEqual(kept);
    }
  });

  test('the upgraded books have earlier versions of documents only since the upgrade', async () => {
    const { rows } = await owner.query(`
      select (select count(*) from company where past_since > now() - interval '10 minutes') as since,
        (select count(*) from document where born > '-infinity') as born, (select count(*) from past_row) as versions`);
    expect(rows).toEqual([{ since: 1, born: 0, versions: 0 }]);
  });

  test('the upgraded database has the same schema as a new installation', async () => {
    const created = `${name}_new`;
    await maintenance.query(`create database ${created}`);
    const other = openPool({ connection: { connectionString: `${server}/${created}` }, as: 'owner', max: 1 });
    try {
      await migrate({ connectionString: `${server}/${created}` });
      expect(await schemaOf(owner)).toEqual(await schemaOf(other));
    } finally {
      await other.end();
      await maintenance.query(`drop database ${created} with (force)`);
    }
    const open = await owner.query('select conname from pg_constraint where not convalidated');
    expect(open.rows).toEqual([]);
  });
});

test('a 0.1.0 database with overapplied payments is upgraded, and verify reports the problems', async () => {
  const name = `${template}_released_wrong_${process.pid}`;
  const connection = { connectionString: `${server}/${name}` };
  await maintenance.query(`create database ${name}`);
  const owner = openPool({ connection, as: 'owner', max: 1 });
  try {
    const wrong = 'update payment_application set amount_cents = amount_cents + 1000000 where payment_id = 50';
    await createReleased(connection, wrong);
    await migrate(connection);
    const { rows } = await owner.query('select conname as name from pg_constraint where not convalidated order by 1');
    expect(rows).toEqual([{ name: 'document_applied' }, { name: 'payment_unapplied' }]);
    expect((await verifyCompany(owner, 1)).faults.length).toBeGreaterThan(0);
    expect(await migrate(connection)).toEqual([]);
  } finally {
    await owner.end();
    await maintenance.query(`drop database ${name} with (force)`);
  }
});

/**
 * Returns the schema in a canonical form, with everything that `pg_dump --schema-only` shows. The order of columns is
 * compared, except for seal columns, which a database gets at its first start, before the columns from later
 * migrations.
 */
async function schemaOf(owner: Pool): Promise<unknown[]> {
  const texts = [
    `select c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relacl, array(select unnest(c.reloptions)
       order by 1) as options from pg_class c where c.relnamespace = 'public'::regnamespace`,
    `select c.relname, row_number() over (partition by c.oid order by a.attname = 'seal', a.attnum) as place, a.attname,
       format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, a.attstattarget,
       a.attcollation, pg_get_expr(d.adbin, d.adrelid) as default
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
    `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition from pg_constraint
     where connamespace = 'public'::regnamespace`,
    "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
    `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition, p.proacl from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'`,
    `select tgrelid::regclass::text as table, pg_get_triggerdef(oid) as definition from pg_trigger
     where not tgisinternal`,
    "select * from pg_policies where schemaname = 'public'",
    `select sequencename, start_value, min_value, max_value, increment_by, cycle, cache_size from pg_sequences
     where schemaname = 'public'`,
    `select oprname, oprleft::regtype::text, oprcode::text from pg_operator
     where oprnamespace = 'public'::regnamespace`,
  ];
  const answers = await Promise.all(
    texts.map((text) => owner.query(`select s::text as row from (${text}) s order by 1`)),
  );
  return answers.map(({ rows }) => rows);
}
