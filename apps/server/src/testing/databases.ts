import { type Connection, openClient } from '../platform/db/connect.ts';
import { readyWorkers, spreadTables } from '../platform/db/citus.ts';

// The other servers in the cluster. The tests use a single PostgreSQL server or a Citus cluster. For a cluster,
// EVENKEEL_TEST_SERVER is the coordinator, and EVENKEEL_TEST_WORKERS lists the other servers
// (`postgres://user@host:port`, separated by commas).

const workers = (process.env['EVENKEEL_TEST_WORKERS'] ?? '').split(',').filter((url) => url !== '');

/** Whether the tests run on Citus. */
export const onCitus = workers.length > 0;

/** Finds sessions that wait for a lock on a company's rows, on any server. */
export const WAITS = onCitus
  ? 'select from citus_lock_waits'
  : "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Returns the servers of the cluster, the coordinator first. */
export function clusterServers(): [string, ...string[]] {
  return [(process.env['EVENKEEL_TEST_SERVER'] ?? '').replace(/\/+$/, ''), ...workers];
}

async function run(server: string, texts: readonly string[]): Promise<void> {
  const client = await openClient({ connectionString: server });
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Creates an empty database, or a copy of another database, on each server. */
export async function createDatabase(server: string, name: string, template?: string): Promise<void> {
  const copied = template === undefined ? '' : ` template ${template} strategy file_copy`;
  const create = [`create database ${name}${copied}`];
  if (template !== undefined && onCitus) create.unshift(...withoutVisitors(template));
  for (const each of [server, ...workers]) await run(`${each}/postgres`, create);
  if (!onCitus || template !== undefined) return;
  for (const each of [server, ...workers]) await run(`${each}/${name}`, ['create extension citus']);
  const add = workers.map((url) => {
    const { hostname, port } = new URL(url);
    return `select citus_add_node('${hostname}', ${port})`;
  });
  const { hostname, port } = new URL(server);
  await run(`${server}/${name}`, [`select citus_set_coordinator_host('${hostname}', ${port})`, ...add]);
}

/** Closes Citus's own sessions, because a database with sessions can't be copied. */
function withoutVisitors(name: string): string[] {
  return [
    `update pg_database set datallowconn = false where datname = '${name}'`,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  ];
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  for (const each of [server, ...workers]) {
    await run(`${each}/postgres`, [`drop database if exists ${name} with (force)`]);
  }
}

/** On Citus, distributes the tables of a migrated database. Otherwise, does nothing. */
export async function spreadDatabase(connection: Connection): Promise<void> {
  if (!onCitus) return;
  const client = await openClient(connection);
  try {
    await client.query('begin');
    await spreadTables(client, () => undefined);
    await client.query('commit');
    await readyWorkers(client);
  } finally {
    await client.end();
  }
}
