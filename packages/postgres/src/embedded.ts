import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isAlive, ownServer } from './account.ts';
import { findBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { initialise, locate, passwordOf } from './cluster.ts';
import type { Place } from './cluster.ts';
import * as lock from './lock.ts';
import { interrupt, launch, readPostmaster, removeEmpty, removeStale, worksIn } from './postmaster.ts';
import type { Postmaster, Started } from './postmaster.ts';

const databaseName = 'evenkeel';
const role = 'app';
/**
 * The period during which a new server without a lock is left alone, so that the app that started it can take the lock.
 */
const youngMs = 3000;
const patienceMs = 60_000;

/**
 * A running embedded PostgreSQL server. `connection` is for the `pg` package. `stop` ends what `startEmbedded` started.
 */
export interface EmbeddedDatabase {
  connectionString: string;
  connection: { host: string; port: number; user: string; database: string; password?: string };
  dataPath: string;
  stop(): Promise<void>;
}

/**
 * In the `server` mode, the caller owns the database until `stop`. In the `tool` mode, the caller joins a running
 * database. `settings` are additional `-c` settings.
 */
export interface EmbeddedOptions {
  dataDir: string;
  mode: 'server' | 'tool';
  log: (line: string) => void;
  settings?: Record<string, string>;
}

/** The error that is thrown if another Evenkeel process uses the data directory. `pid` is the ID of that process. */
export class DatabaseInUse extends Error {
  pid: number;
  constructor(pid: number) {
    super(`another Evenkeel process (${pid}) is using this data directory`);
    this.name = 'DatabaseInUse';
    this.pid = pid;
  }
}

interface Supervision {
  options: EmbeddedOptions;
  place: Place;
  binaries: Binaries;
}

/**
 * Starts the embedded PostgreSQL for a data directory and waits until it accepts connections. The first start creates
 * the database. The server runs exactly as long as this process. Throws `DatabaseInUse` if another Evenkeel process
 * uses the directory (a tool joins a running server instead). Throws a clear message if anything else prevents
 * PostgreSQL from running on this system.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const place = await locate(options.dataDir);
  const binaries = await findBinaries(place.account, place.copyTo);
  await initialise(place, binaries, { sync: options.settings?.['fsync'] !== 'off' });
  if (place.isElsewhere)
    options.log(`The database is in ${place.base} because PostgreSQL can't open ${options.dataDir}`);
  const supervision = { options, place, binaries };
  const deadline = Date.now() + patienceMs;
  const failures: string[] = [];
  while (failures.length < 3) {
    const running = await findRunning(supervision);
    if (running && Date.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${running.pid}) on ${place.dataPath} is not responding. Stop the process and try again`,
      );
    }
    const answer = running ? await settle(supervision, running) : await startOwn(supervision);
    if (typeof answer === 'object') return answer;
    if (typeof answer === 'string') failures.push(answer);
    await sleep(50);
  }
  throw new Error(
    `PostgreSQL could not start on ${place.dataPath}:\n${failures.at(-1)}\nSee postgres.log, or ${ownServer}`,
  );
}

/**
 * Returns the data directory's running server, if there is one. Removes a pid file whose process ID belongs to another
 * program.
 */
async function findRunning({ place, options }: Supervision): Promise<Postmaster | undefined> {
  await removeEmpty(place.dataPath);
  const found = await readPostmaster(place.dataPath);
  if (!found) return undefined;
  const works = isAlive(found.pid) ? await worksIn(found.pid, place.dataPath) : 'dead';
  if (works === 'yes') return found;
  // The process ID of a server in another container means nothing here, but the socket is the same.
  const client = found.host ? await lock.tryConnect(await addressOf(place, found), options.mode) : undefined;
  await client?.end();
  if (client) return found;
  if (works === 'no') {
    await removeStale(place.dataPath, found);
    options.log(`Removed an old postmaster.pid: process ${found.pid} now belongs to another program`);
  }
  return undefined;
}

async function addressOf(place: Place, server: { host: string; port: number }): Promise<lock.Address> {
  const password = await passwordOf(place.dataPath);
  return { host: server.host, port: server.port, user: role, ...(password ? { password } : {}) };
}

/**
 * Handles an existing server: reports that it is in use, joins it, or stops an orphan. Returns undefined if the caller
 * must check again.
 */
async function settle(supervision: Supervision, running: Postmaster): Promise<EmbeddedDatabase | undefined> {
  const { options, place, binaries } = supervision;
  const address = await addressOf(place, running);
  const client = running.host ? await lock.tryConnect(address, options.mode) : undefined;
  if (!client) return undefined;
  try {
    const holder = await lock.holderOf(client);
    if (holder && options.mode === 'server') throw new DatabaseInUse(holder.pid);
    if (holder) return await join(client, address, place);
    if ((await lock.ageOf(client)) > youngMs && (await lock.tryOwn(client))) {
      options.log(`Stopping PostgreSQL (process ${running.pid}) because its Evenkeel process is gone`);
      interrupt(running.pid, place.dataPath, binaries);
    }
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
    // The server has stopped since the pid file was read.
  }
  await client.end().catch(() => undefined);
  return undefined;
}

/** Joins a server that another process owns. `stop` only disconnects. */
async function join(client: pg.Client, address: lock.Address, place: Place): Promise<EmbeddedDatabase> {
  await lock.enterAsGuest(client);
  await lock.ensureDatabase(client, databaseName);
  return describe(
    place,
    address,
    once(() => client.end().catch(() => undefined)),
  );
}

/**
 * Starts a server and owns it. Returns the reason as text if the server stopped immediately, or undefined if another
 * Evenkeel process started its server first and the caller must check again.
 */
async function startOwn(supervision: Supervision): Promise<EmbeddedDatabase | string | undefined> {
  const { options, place, binaries } = supervision;
  const server = await launch(place, binaries, options.settings ?? {});
  const address = await addressOf(place, server);
  const client = await whenReady(supervision, server, address);
  if (!client) return (await server.lastWords()) || 'it stopped immediately without an error message';
  if (!(await lock.tryOwn(client).catch(() => false))) {
    await server.stop();
    return undefined;
  }
  await lock.ensureDatabase(client, databaseName);
  return own(supervision, server, { client, address });
}

/**
 * Holds the lock and keeps the server running until `stop`. A server that was killed is restarted in the same place.
 */
function own(
  supervision: Supervision,
  first: Started,
  { client, address }: { client: pg.Client; address: lock.Address },
): EmbeddedDatabase {
  const { options, place, binaries } = supervision;
  const ownership = lock.keepOwning(client, () => lock.tryConnect(address, options.mode));
  let server = first;
  let isStopping = false;
  const restart = async () => {
    if (isStopping) return;
    options.log(`PostgreSQL stopped unexpectedly and is restarting:\n${await server.lastWords()}`);
    await sleep(500);
    if (isStopping) return;
    server = await launch(place, binaries, { ...options.settings, port: String(address.port) });
    if (isStopping) await server.stop();
    else watch();
  };
  const watch = () => {
    void server.ended.then(restart).catch((error: unknown) => options.log(`PostgreSQL stopped: ${String(error)}`));
  };
  watch();
  const stop = async () => {
    if (options.mode === 'tool') await lock.waitForGuests(ownership.client()).catch(() => undefined);
    isStopping = true;
    await ownership.release(() => server.stop());
  };
  return describe(place, address, once(stop));
}

/**
 * Waits until the server is ready, no matter how long a recovery takes. Returns undefined if the server stopped
 * instead.
 */
async function whenReady({ place, options }: Supervision, server: Started, address: lock.Address) {
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  const slow = setTimeout(
    () => options.log('PostgreSQL is still starting. Recovery after a crash can take a while'),
    5000,
  );
  try {
    while (!hasEnded) {
      const now = await readPostmaster(place.dataPath);
      const client = now?.pid === server.pid && now.isReady ? await lock.tryConnect(address, options.mode) : undefined;
      if (client) return client;
      await sleep(10);
    }
    return undefined;
  } finally {
    clearTimeout(slow);
  }
}

function describe(place: Place, address: lock.Address, stop: () => Promise<void>): EmbeddedDatabase {
  const { host, port, password } = address;
  const secret = password ? `:${encodeURIComponent(password)}` : '';
  const connectionString = `postgresql://${role}${secret}@${encodeURIComponent(host)}:${port}/${databaseName}`;
  return { connectionString, connection: { ...address, database: databaseName }, dataPath: place.dataPath, stop };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
