import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

/** The embedded server's address for `pg`. `host` is the folder of a Unix socket, except on Windows. */
export interface Address {
  host: string;
  port: number;
  user: string;
  password?: string;
}

/**
 * The owner of a data directory's lock, either a running server or a command-line tool, with the ID of the app's
 * process.
 */
export interface Holder {
  mode: 'server' | 'tool';
  pid: number;
}

// The two-part keys of the session advisory locks in the maintenance database `postgres`.
const ownerKey = '1702260069, 1';
const guestsKey = '1702260069, 2';

/**
 * Connects to the maintenance database. Returns undefined if the server is starting, is stopping, or no longer exists.
 */
export async function tryConnect(address: Address, mode: Holder['mode']): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...address,
    database: 'postgres',
    application_name: `evenkeel ${mode} ${process.pid}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EACCES' || code === 'EPERM' || code.startsWith('28')) throw error;
    return undefined;
  }
}

/** Returns the owner of the lock without taking the lock. */
export async function holderOf(client: pg.Client): Promise<Holder | undefined> {
  const [classId, objectId] = ownerKey.split(', ');
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = $1 and l.objid = $2
        and l.database = (select oid from pg_database where datname = current_database())`,
    [classId, objectId],
  );
  const found = /^evenkeel (server|tool) (\d+)$/.exec(rows[0]?.application_name ?? '');
  if (!found) return undefined;
  return { mode: found[1] === 'tool' ? 'tool' : 'server', pid: Number(found[2]) };
}

/** Takes the owner's lock until the connection ends. Returns false if another process has the lock. */
export async function tryOwn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${ownerKey}) as got`);
  return rows[0]?.got === true;
}

/**
 * Marks this connection as a guest on a server that a command-line tool owns. The tool waits for its guests before it
 * ends.
 */
export async function enterAsGuest(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${guestsKey})`);
}

/** Waits until all guests are gone. New guests wait and then start their own servers. */
export async function waitForGuests(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${guestsKey})`);
}

/** Returns the milliseconds since the server process started. */
export async function ageOf(client: pg.Client): Promise<number> {
  const age = `extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000`;
  const { rows } = await client.query<{ age: number }>(`select ${age} as age`);
  return rows[0]?.age ?? 0;
}

/** Creates the application's database unless it exists. Two processes may try at the same time. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  if (found.rowCount) return;
  await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== '42P04' && code !== '23505') throw error;
  });
}

/** The owner's lock, which is held while the server is running. */
export interface Ownership {
  client(): pg.Client;
  /** Stops the server with the given function and holds the lock until the server is gone. */
  release(stopServer: () => Promise<void>): Promise<void>;
}

/**
 * Holds the owner's lock. PostgreSQL ends all connections after one of its processes is killed. If the connection
 * breaks, the lock is taken again as soon as the server responds.
 */
export function keepOwning(first: pg.Client, again: () => Promise<pg.Client | undefined>): Ownership {
  let current = first;
  let isReleased = false;
  const watch = (client: pg.Client) => client.once('end', () => void retake());
  const retake = async () => {
    while (!isReleased) {
      const client = await again().catch(() => undefined);
      if (client && !isReleased && (await tryOwn(client).catch(() => false))) {
        current = client;
        watch(client);
        return;
      }
      await client?.end().catch(() => undefined);
      await sleep(200, undefined, { ref: false });
    }
  };
  watch(first);
  const release = async (stopServer: () => Promise<void>) => {
    isReleased = true;
    await stopServer();
    await current.end().catch(() => undefined);
  };
  return { client: () => current, release };
}
