import pg from 'pg';
import { isSilent } from './errors.ts';
import { Gate, type GateBounds } from './gate.ts';
import { Watch, type WatchBounds } from './watch.ts';

/** The address of a PostgreSQL server: a URL (DATABASE_URL) or the socket of the embedded server. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

/** Checks whether Citus is installed in a database, even if no tables are distributed. */
export const IS_CITUS = "select exists (select from pg_extension where extname = 'citus') as is_citus";

/** The role that requests run with. It is neither an owner nor a superuser, so row-level security applies to it. */
export const RUNTIME_ROLE = 'evenkeel_app';

const parsers = new Map<number, (text: string) => unknown>([
  // date: a calendar date stays a string, because the driver would convert it to a local time.
  [1082, (text) => text],
  // bigint: the contract ensures that IDs and cents are safe integers.
  [20, safeInteger],
  // timestamptz: PostgreSQL's text becomes the ISO format that Date accepts.
  [1184, (text) => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))],
]);

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is too large for a number`);
  return value;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ??
    (format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')),
};

export interface PoolSettings {
  connection: Connection;
  /** 'runtime' connects as the runtime role, and 'owner' as the connection's own role (migrations, backups). */
  as: 'runtime' | 'owner';
  max?: number;
  /** The time limits for a statement. The defaults are for requests. */
  patience?: Partial<Patience>;
  onError?: (error: Error) => void;
  /** The name that the connections have in PostgreSQL's list of sessions. */
  name?: string;
}

/**
 * Time limits in milliseconds: the database's limits for a statement and for its wait for a lock, and this side's
 * limits for a response (after which it closes the connection) and for getting a connection. If the database doesn't
 * respond at all, `watch` detects this much earlier.
 */
export interface Patience {
  statementMs: number;
  lockMs: number;
  answerMs: number;
  connectMs: number;
  watch: WatchBounds;
}

/**
 * If the database hangs, every request gets a response within 5 seconds. A statement that makes progress may take 10
 * seconds.
 */
const ofRequests: Patience = {
  statementMs: 10_000,
  lockMs: 5_000,
  answerMs: 12_000,
  connectMs: 3_500,
  watch: { doubtMs: 2_000, probeMs: 1_500 },
};

/**
 * The maximum number of simultaneous company transactions. The remaining connections in the pool are always free for
 * sessions and the operator.
 */
const readsAtOnce: GateBounds = { all: 5, each: 3, waitMs: 10_000 };
const writesAtOnce: GateBounds = { all: 5, each: 2, waitMs: 10_000 };
/**
 * The maximum number of simultaneous long tasks: reports with thousands of lines, from reading the data to creating the
 * text or the file, and bank statements, which are read in a worker thread. All of them compete for a few processors.
 * Running two of a company's long tasks at the same time would hardly finish them sooner, and other companies' requests
 * would have to wait for both.
 */
export const longTasksAtOnce: GateBounds = { all: 3, each: 1, waitMs: 30_000 };
/**
 * The maximum number of simultaneous exports of all books. Each export holds a connection while it runs, so the other
 * exports wait without a connection. They wait no longer than a proxy waits for the first byte, which is usually a
 * minute.
 */
const exportsAtOnce: GateBounds = { all: 2, each: 1, waitMs: 45_000 };
/**
 * The limits on reads that find matches for bank transactions. Each of these reads computes the matches inside its
 * transaction.
 */
const reviewsAtOnce: GateBounds = { all: 2, each: 1, waitMs: 10_000 };
/**
 * The maximum number of simultaneous rehearsals. A rehearsal also takes a writer's turn and locks the ledger head. With
 * one rehearsal at a time, a company's postings wait for at most one rehearsal, no matter how many are requested.
 */
const rehearsalsAtOnce: GateBounds = { all: 2, each: 1, waitMs: 8_000 };
const CONNECTIONS = readsAtOnce.all + writesAtOnce.all + 2;

/** The number of idle connections that stay open. Open connections keep working even if the postmaster hangs. */
const KEPT = 4;
/** The time limits for the owner's work (migrations, backups), which isn't part of a request. */
const OWNER_CONNECT_MS = 10_000;

/**
 * The options for every connection. Statements are short and numerous, so PostgreSQL's just-in-time compiler would take
 * far longer to compile a statement than to run it.
 */
const OPTIONS = '-c citus.propagate_set_commands=local -c timezone=UTC -c jit=off';
/** On Citus, the owner changes many tables in one transaction, and triggers read only their company's rows. */
const OF_OWNER = `${OPTIONS} -c citus.enable_unsafe_triggers=on -c citus.multi_shard_modify_mode=sequential`;

/** A connection pool with gates in front of it. Statements on one connection can share round trips (pipelining). */
export class Pool extends pg.Pool {
  /**
   * Read-only and writing transactions have separate gates, because locks delay only writers. Requests for long tasks,
   * exports, matches for bank transactions, and rehearsals first pass an additional gate.
   */
  readonly gates = {
    read: new Gate(readsAtOnce),
    write: new Gate(writesAtOnce),
    long: new Gate(longTasksAtOnce),
    export: new Gate(exportsAtOnce),
    review: new Gate(reviewsAtOnce),
    rehearsal: new Gate(rehearsalsAtOnce),
  };
  #watch: Watch | undefined;
  #citus: Promise<boolean> | undefined;

  /** Returns whether the database has Citus. This is checked only once, during the first transaction. */
  isCitus(): Promise<boolean> {
    this.#citus ??= this.query<{ is_citus: boolean }>(IS_CITUS).then(
      ({ rows }) => rows[0]?.is_citus === true,
      (error: unknown) => {
        this.#citus = undefined;
        throw error;
      },
    );
    return this.#citus;
  }

  /** Lends a connection. If no connection becomes available in time, the requests that wait at the gates fail too. */
  async lend(): Promise<pg.PoolClient> {
    try {
      return await this.connect();
    } catch (error) {
      if (isSilent(error)) this.#turnAway(error);
      throw error;
    }
  }

  /** Starts checking whether the database hangs. `openProbe` creates a client that isn't connected yet. */
  watch(bounds: WatchBounds, openProbe: () => pg.Client): void {
    this.#watch = new Watch(this, bounds, { openProbe, onLoss: (reason) => this.#turnAway(reason) });
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    this.#watch?.end();
    return callback === undefined ? super.end() : super.end(callback);
  }

  #turnAway(reason: unknown): void {
    for (const gate of Object.values(this.gates)) gate.refuseAll(reason);
  }
}

/** The name of a server's connections. `key rotate` does not run while any connection with this name is open. */
export const SERVER_NAME = 'evenkeel server';

/** Opens a pool. Connections are opened on demand. */
export function openPool({ connection, as, max = CONNECTIONS, onError, name, ...settings }: PoolSettings): Pool {
  const patience = { ...ofRequests, ...settings.patience };
  const isRuntime = as === 'runtime';
  const options = [isRuntime ? OPTIONS : OF_OWNER];
  if (isRuntime) {
    options.push(
      `-c role=${RUNTIME_ROLE}`,
      `-c statement_timeout=${patience.statementMs}`,
      `-c lock_timeout=${patience.lockMs}`,
      '-c idle_in_transaction_session_timeout=60000',
      // Starting parallel workers takes longer (40 ms and more) than most statements, and a company's long statement
      // would use processors that other companies need.
      '-c max_parallel_workers_per_gather=0',
    );
  }
  const config = { ...connection, options: options.join(' '), types, application_name: name ?? 'evenkeel' };
  const pool = new Pool({
    ...config,
    max,
    min: Math.min(KEPT, max),
    pipeline: true,
    connectionTimeoutMillis: isRuntime ? patience.connectMs : OWNER_CONNECT_MS,
    ...(isRuntime ? { query_timeout: patience.answerMs } : {}),
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: false,
  });
  // Without a listener, a lost idle connection would end the process.
  pool.on('error', onError ?? (() => undefined));
  // The pool listens only to idle connections. A connection that is checked out would also end the process if it broke
  // between statements, or right after it became ready. With this listener, the connection's next statement fails
  // instead, and the caller gets the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (isRuntime) pool.watch(patience.watch, () => new pg.Client(config));
  return pool;
}

/**
 * Opens a connection with its own role and without pipelining, because COPY needs an exclusive connection (backup,
 * restore).
 */
export async function openClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    options: OF_OWNER,
    types,
    connectionTimeoutMillis: 15_000,
    application_name: 'evenkeel',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
