import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase, PoolClient } from 'pg';
import { serverRoot } from '../root.ts';
import { type Connection, openPool, RUNTIME_ROLE } from './connect.ts';
import { statementOf } from './query.ts';
import { analyzeOwn } from './statistics.ts';
import { copyReleased, isOfBaseline, putAside, readReplaced, standingOf } from './upgrade.ts';

/** The error for a migration that can't run, with a message for the operator. */
export class MigrationError extends Error {}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** A migration as recorded in the database. */
type Applied = Pick<Migration, 'name' | 'checksum'>;

/** Waits for a running migration and blocks other migrations until the transaction ends. */
export async function holdMigrations(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** An arbitrary number that is the same for all Evenkeel processes on a database. */
const LOCK = 770_045_001;

/**
 * Updates the schema as its owner. If several processes start at the same time, an advisory lock lets only one of them
 * do the work. Each file runs in one transaction, and released files are never edited. The rules for every table
 * (always/*.sql) are applied each time. New migrations can fill tables, so all tables are analyzed afterward. Returns
 * the names of the applied migrations. Throws a MigrationError if the database can't be migrated.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const pool = openPool({ connection, as: 'owner', max: 1 });
  const client = await pool.connect();
  try {
    await requireVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await ensureRole(client);
    await client.query(
      `create table if not exists migration (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows: known } = await client.query<Applied>('select name, checksum from migration');
    const migrations = await readMigrations();
    const upgraded = await upgrade(client, known, migrations);
    const { rows: current } = await client.query<Applied>('select name, checksum from migration');
    const done = [...upgraded, ...(await applyMissing(client, current, migrations))];
    for (const name of ALWAYS) await inTransaction(client, name, await readAlways(name));
    // A new database has no rows to analyze yet.
    if (known.length > 0 && done.length > 0) await client.query(statementOf(analyzeOwn));
    return done;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    client.release();
    await pool.end();
  }
}

/**
 * The oldest major version of PostgreSQL on which all server tests pass (`npm run test:postgres` runs them on Debian's
 * version).
 */
const OLDEST = 15;

async function requireVersion(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  const major = Math.floor((rows[0]?.version ?? 0) / 10_000);
  if (major >= OLDEST) return;
  throw new MigrationError(
    `Evenkeel needs PostgreSQL ${OLDEST} or later, but the server in DATABASE_URL is PostgreSQL ${major}`,
  );
}

/**
 * Brings a database from before the baseline up to the baseline. Returns the files that were run. A database that has
 * all of the replaced migrations needs no files. The replaced migrations are recognized by their names and checksums.
 */
async function upgrade(
  client: PoolClient,
  known: readonly Applied[],
  migrations: readonly Migration[],
): Promise<string[]> {
  const replaced = await readReplaced();
  const names = known.map(({ name }) => name);
  const standing = standingOf(names, replaced);
  if (standing === 'current') return [];
  for (const { name, checksum } of known) requireUnchanged(name, replaced.get(name) ?? checksum, checksum);
  if (standing === 'between') {
    const found = `the database was created by a version between 0.1.0 and 0.2.0 (last migration: ${lastOf(names)})`;
    throw new MigrationError(`${found}. Start ${LAST_BEFORE} once, then start this version`);
  }
  const baseline = migrations.filter(({ name }) => isOfBaseline(name));
  await inTransaction(client, 'the upgrade to 0.2.0', async () => {
    if (standing === 'released') {
      await putAside(client);
      for (const { text } of baseline) await client.query(text);
      await copyReleased(client, async () => {
        await client.query(await readAlways('seals'));
      });
    }
    await client.query('delete from migration where name = any($1)', [[...replaced.keys()]]);
    for (const migration of baseline) await recordMigration(client, migration);
  });
  return standing === 'released' ? baseline.map(({ name }) => name) : [];
}

/** The Evenkeel version that must be started once on a database that an unreleased version created. */
const LAST_BEFORE = 'the version of 27 November 2026 (commit 7732a50f)';

const lastOf = (names: readonly string[]): string => names.reduce((last, name) => (name > last ? name : last), '');

async function applyMissing(
  client: PoolClient,
  known: readonly Applied[],
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = new Map(known.map((row) => [row.name, row.checksum]));
  const newest = lastOf(known.map(({ name }) => name));
  const done: string[] = [];
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) {
      requireLater(migration.name, newest);
      await applyOne(client, migration);
      done.push(migration.name);
    } else requireUnchanged(migration.name, migration.checksum, checksum);
    applied.delete(migration.name);
  }
  const [unknown] = applied.keys();
  if (unknown !== undefined)
    throw new MigrationError(`the database is newer than this program: it has migration ${unknown}`);
  return done;
}

function requireUnchanged(name: string, expected: string, applied: string): void {
  if (applied === expected) return;
  throw new MigrationError(`migration ${name} was changed after it was applied`);
}

/**
 * Rejects a migration that sorts before a migration that the database already has. On a new database, it would run
 * earlier, so the two databases would have different histories.
 */
function requireLater(name: string, newest: string): void {
  if (name > newest) return;
  throw new MigrationError(`migration ${name} comes before ${newest}, which is already applied. Give it a later name`);
}

async function applyOne(client: PoolClient, migration: Migration): Promise<void> {
  await inTransaction(client, `migration ${migration.name}`, async () => {
    await client.query(migration.text);
    await recordMigration(client, migration);
  });
}

async function recordMigration(client: ClientBase, { name, checksum }: Applied): Promise<void> {
  await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
}

/** Runs a script or a function, either completely or not at all. The error includes the name of the script. */
async function inTransaction(client: PoolClient, name: string, work: string | (() => Promise<void>)): Promise<void> {
  await client.query('begin');
  try {
    if (typeof work === 'string') await client.query(work);
    else await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${name} failed: ${reason}`);
  }
}

const folder = join(serverRoot(), 'migrations');

/** The scripts in always/, in the order in which they run. */
const ALWAYS = ['functions', 'security', 'seals', 'search'];

const readAlways = (name: string): Promise<string> => readFile(join(folder, 'always', `${name}.sql`), 'utf8');

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Returns whether all migrations in this version have been applied. The readiness check uses this result. */
export async function isMigrated(query: (text: string) => Promise<{ rows: { name: string }[] }>): Promise<boolean> {
  const { rows } = await query('select name from migration');
  const applied = new Set(rows.map((row) => row.name));
  return (await readMigrations()).every((migration) => applied.has(migration.name));
}

/**
 * Recreates the schema of an empty database with only these migrations, so that an older backup can be read into it.
 * Runs in the caller's transaction. Everything in the schema that belongs to the owner is Evenkeel's, as
 * always/security.sql ensures.
 */
export async function recreateSchema(client: ClientBase, names: readonly string[]): Promise<void> {
  const own = 'relowner = (select oid from pg_roles where rolname = current_user)';
  await client.query(`do $$
    declare
      dropping text;
    begin
      for dropping in
        select format('drop table %s', string_agg(c.oid::regclass::text, ', ')) || ' cascade' from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migration' and c.${own}
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        having count(*) > 0
      loop
        execute dropping;
      end loop;
      for dropping in
        select format('drop function if exists %s cascade', p.oid::regprocedure) from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.${own.replace('rel', 'pro')}
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute dropping;
      end loop;
    end $$`);
  await client.query('delete from migration');
  const migrations = await readMigrations();
  await runFiles(
    client,
    migrations.filter(({ name }) => names.includes(name)),
  );
}

/** Applies the migrations that the schema does not have yet. Runs in the caller's transaction. */
export async function completeSchema(client: ClientBase): Promise<void> {
  const { rows } = await client.query<Applied>('select name, checksum from migration');
  const migrations = await readMigrations();
  await runFiles(
    client,
    migrations.filter(({ name }) => rows.every((row) => row.name !== name)),
  );
}

async function runFiles(client: ClientBase, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) {
    await client.query(migration.text);
    await recordMigration(client, migration);
  }
  for (const name of ALWAYS) await client.query(await readAlways(name));
}

/** Creates the runtime role. If the owner may not create roles, throws an error with the statements to run. */
async function ensureRole(client: PoolClient): Promise<void> {
  const { rows: found } = await client.query<{ mine: boolean }>(
    "select pg_has_role(current_user, oid, 'member') as mine from pg_roles where rolname = $1",
    [RUNTIME_ROLE],
  );
  try {
    // Two databases on the same server may be set up at the same time. If the other setup has already created the role,
    // that role can be used.
    if (found.length === 0)
      await client.query(`create role ${RUNTIME_ROLE} nologin nosuperuser nobypassrls`).catch(ignoreExisting);
    // An owner that was granted the role by an administrator may not be able to grant it again.
    if (found[0]?.mine !== true) await client.query(`grant ${RUNTIME_ROLE} to current_user`);
  } catch {
    const { rows } = await client.query<{ user: string }>('select quote_ident(current_user) as user');
    const create = found.length === 0 ? `create role ${RUNTIME_ROLE} nologin; ` : '';
    throw new MigrationError(
      `ask the database administrator to run: ${create}grant ${RUNTIME_ROLE} to ${rows[0]?.user};`,
    );
  }
}

function ignoreExisting(error: unknown): void {
  if (error instanceof Error && 'code' in error && (error.code === '42710' || error.code === '23505')) return;
  throw error;
}
