import pg from 'pg';
import { isSilent } from './errors.ts';
import { Gate, type GateBounds } from './gate.ts';
import { Watch, type WatchBounds } from './watch.ts';

/** The address of a PostgreSQL: a URL (DATABASE_URL) or the embedded server's socket. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

/** Whether a database is one of Citus, before its tables are spread and after. */
export const IS_CITUS = "select exists (select from pg_extension where extname = 'citus') as is_citus";

/** The role that requests run under: neither owner nor superuser, so that row-level security holds for it. */
export const RUNTIME_ROLE = 'evenkeel_app';

const parsers = new Map<number, (text: string) => unknown>([
  // date: a calendar date stays text; the driver would make a local moment of it.
  [1082, (text) => text],
  // bigint: ids and cents are safe integers by the checks of the contract.
  [20, safeInteger],
  // timestamptz
  [1184, (text) => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))],
]);

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond what a number holds`);
  return value;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ??
    (format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')),
};

export interface PoolSettings {
  connection: Connection;
  /** 'runtime' runs under the runtime role; 'owner' as the connection's own role (migrations, backup). */
  as: 'runtime' | 'owner';
  max?: number;
  /** Bounds of one statement's time; requests have the default. */
  patience?: Partial<Patience>;
  onError?: (error: Error) => void;
  /** The name under which PostgreSQL lists the connections. */
  name?: string;
}

/**
 * Milliseconds until the database gives a statement up, or its wait for a lock; until this side no longer believes in
 * an answer (the connection is thrown away); and until it stops waiting for a connection. `watch` notices a database
 * that answers nothing at all long before that.
 */
export interface Patience {
  statementMs: number;
  lockMs: number;
  answerMs: number;
  connectMs: number;
  watch: WatchBounds;
}

/** Whatever hangs, a request is answered within 5 seconds; a statement that works may take its ten. */
const ofRequests: Patience = {
  statementMs: 10_000,
  lockMs: 5_000,
  answerMs: 12_000,
  connectMs: 3_500,
  watch: { doubtMs: 2_000, probeMs: 1_500 },
};

/** Transactions of companies at once. The rest of the pool always finds sessions and answers the operator. */
const readsAtOnce: GateBounds = { all: 5, each: 3, waitMs: 10_000 };
const writesAtOnce: GateBounds = { all: 5, each: 2, waitMs: 10_000 };
/**
 * Reports of thousands of lines at once, from reading to text; they wait as long as a printed paper may. One process
 * makes them: two of a company's at once would come no sooner, and whoever else asks would wait for steps of both.
 */
const reportsAtOnce: GateBounds = { all: 2, each: 1, waitMs: 30_000 };
/**
 * Whole books as a file: each holds a connection for as long as it is made, so most wait for it without one; no longer
 * than a proxy waits for a first byte (a minute as a rule).
 */
const exportsAtOnce: GateBounds = { all: 2, each: 1, waitMs: 45_000 };
/** Reads that find matches of bank transactions. Each computes inside its transaction. */
const reviewsAtOnce: GateBounds = { all: 2, each: 1, waitMs: 10_000 };
/**
 * Statement files that are read at once, each in a worker thread and without a connection. A company reads one at a
 * time, so that the others find a thread however many files it sends.
 */
const statementsAtOnce: GateBounds = {
  all: 2,
  each: 1,
  line: 4,
  waitMs: 45_000,
  refusal: 'Your company is importing too many bank statements at once. Try again in a moment.',
};
const CONNECTIONS = readsAtOnce.all + writesAtOnce.all + 2;

/** Connections that stay open however little is done: those that exist outlive a postmaster that hangs. */
const KEPT = 4;
/** The owner's work (migrations, backup) is no request. */
const OWNER_CONNECT_MS = 10_000;

const OPTIONS = '-c citus.propagate_set_commands=local -c timezone=UTC';
/** On Citus the owner takes steps on many tables in one transaction; triggers look at rows of their company alone. */
const OF_OWNER = `${OPTIONS} -c citus.enable_unsafe_triggers=on -c citus.multi_shard_modify_mode=sequential`;

/** A pool of connections whose statements can share round trips (pipelining), with gates in front of it. */
export class Pool extends pg.Pool {
  /**
   * In front of transactions that only read, and of those that write: locks hold up only writers. Long reports,
   * exports, matches of bank transactions, and statement files pass a gate of their own before.
   */
  readonly gates = {
    read: new Gate(readsAtOnce),
    write: new Gate(writesAtOnce),
    report: new Gate(reportsAtOnce),
    export: new Gate(exportsAtOnce),
    review: new Gate(reviewsAtOnce),
    statement: new Gate(statementsAtOnce),
  };
  #watch: Watch | undefined;
  #citus: Promise<boolean> | undefined;

  /** Whether this is a database of Citus; asked once, with the first transaction. */
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

  /** Lends a connection. If none comes in time, those who wait at the gates are told so too. */
  async lend(): Promise<pg.PoolClient> {
    try {
      return await this.connect();
    } catch (error) {
      if (isSilent(error)) this.#turnAway(error);
      throw error;
    }
  }

  /** From now on a database that hangs is noticed; `openProbe` makes a client that is not connected yet. */
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

/** The name of a server's connections: `key rotate` refuses to run beside one. */
export const SERVER_NAME = 'evenkeel server';

/** Opens a pool; connections are made when they are asked for. */
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
  // Without a listener a lost idle connection would end the process.
  pool.on('error', onError ?? (() => undefined));
  // The pool listens to idle connections alone. One that is lent and asked nothing, or that breaks with the very packet
  // that made it ready, would end the process too: its next statement is refused, which is what its user must know.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (isRuntime) pool.watch(patience.watch, () => new pg.Client(config));
  return pool;
}

/** One connection as its own role, without pipelining: COPY wants a connection to itself (backup, restore). */
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
