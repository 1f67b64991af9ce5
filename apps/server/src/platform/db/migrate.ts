import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase, PoolClient } from 'pg';
import { serverRoot } from '../root.ts';
import { type Connection, openPool, RUNTIME_ROLE } from './connect.ts';
import { statementOf } from './query.ts';
import { analyzeOwn } from './statistics.ts';

/** A migration that cannot run, in words for the operator. */
export class MigrationError extends Error {}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** A migration as the database remembers it. */
type Applied = Pick<Migration, 'name' | 'checksum'>;

/** Until the transaction ends nobody migrates; whoever does is waited for. */
export async function holdMigrations(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** Any number; all Evenkeel processes on one database agree on it. */
const LOCK = 770_045_001;

/**
 * Brings the schema up to date as its owner. Several processes may start at once: an advisory lock lets one work and
 * the others find it done. Each file runs in one transaction; files are never edited once released. The rules for every
 * table (always/*.sql) are applied each time; new files may have filled tables, so all are analyzed behind them.
 * Answers the names that are new.
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
    const done = await applyMissing(client, known);
    for (const name of ['functions', 'security', 'seals', 'search']) {
      await inTransaction(client, name, await readFile(join(folder, 'always', `${name}.sql`), 'utf8'));
    }
    // A new database has nothing yet to make statistics of.
    if (known.length > 0 && done.length > 0) await client.query(statementOf(analyzeOwn));
    return done;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    client.release();
    await pool.end();
  }
}

/** The oldest major version that the whole server suite passes on (Debian's, `npm run test:postgres`). */
const OLDEST = 15;

async function requireVersion(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  const major = Math.floor((rows[0]?.version ?? 0) / 10_000);
  if (major >= OLDEST) return;
  throw new MigrationError(
    `this is PostgreSQL ${major}, and Evenkeel needs ${OLDEST} or later: update the server that DATABASE_URL names`,
  );
}

async function applyMissing(client: PoolClient, known: readonly Applied[]): Promise<string[]> {
  const applied = new Map(known.map((row) => [row.name, row.checksum]));
  const newest = known.map(({ name }) => name).reduce((last, name) => (name > last ? name : last), '');
  const done: string[] = [];
  for (const migration of await readMigrations()) {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) {
      requireLater(migration.name, newest);
      await applyOne(client, migration);
      done.push(migration.name);
    } else if (checksum !== migration.checksum) {
      throw new MigrationError(`migration ${migration.name} was changed after it had been applied`);
    }
    applied.delete(migration.name);
  }
  const [unknown] = applied.keys();
  if (unknown !== undefined)
    throw new MigrationError(`the database is newer than this program: it has migration ${unknown}`);
  return done;
}

/** The last day of names whose number has no fixed width: read as text, 10 came before 9. */
const LAST_LOOSE_DAY = '20261122';

/**
 * Refuses a file that sorts before one that the database has: on a fresh database it would run first, so the two would
 * not have the same history.
 */
function requireLater(name: string, newest: string): void {
  if (name.slice(0, LAST_LOOSE_DAY.length) <= LAST_LOOSE_DAY || name > newest) return;
  throw new MigrationError(`migration ${name} comes before ${newest}, which the database has: give it a later name`);
}

async function applyOne(client: PoolClient, { name, text, checksum }: Migration): Promise<void> {
  await inTransaction(client, `migration ${name}`, async () => {
    await client.query(text);
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
  });
}

/** Runs a script, or what `work` does, whole or not at all; a failure names it. */
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

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** True when every migration of this program has been applied: what readiness asks. */
export async function isMigrated(query: (text: string) => Promise<{ rows: { name: string }[] }>): Promise<boolean> {
  const { rows } = await query('select name from migration');
  const applied = new Set(rows.map((row) => row.name));
  return (await readMigrations()).every((migration) => applied.has(migration.name));
}

/** The runtime role; where the owner may not create roles, one line gives the statements to run. */
async function ensureRole(client: PoolClient): Promise<void> {
  const { rows: found } = await client.query<{ mine: boolean }>(
    "select pg_has_role(current_user, oid, 'member') as mine from pg_roles where rolname = $1",
    [RUNTIME_ROLE],
  );
  try {
    // Two databases of one server may be set up at once: the role of the other is as good.
    if (found.length === 0)
      await client.query(`create role ${RUNTIME_ROLE} nologin nosuperuser nobypassrls`).catch(ignoreExisting);
    // An owner that the administrator has made a member may not grant the role itself.
    if (found[0]?.mine !== true) await client.query(`grant ${RUNTIME_ROLE} to current_user`);
  } catch {
    const { rows } = await client.query<{ user: string }>('select quote_ident(current_user) as user');
    const create = found.length === 0 ? `create role ${RUNTIME_ROLE} nologin; ` : '';
    throw new MigrationError(
      `ask the database's administrator to run: ${create}grant ${RUNTIME_ROLE} to ${rows[0]?.user};`,
    );
  }
}

function ignoreExisting(error: unknown): void {
  if (error instanceof Error && 'code' in error && (error.code === '42710' || error.code === '23505')) return;
  throw error;
}
