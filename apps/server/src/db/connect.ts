import pg from 'pg';

/** How to reach a PostgreSQL: an URL (DATABASE_URL) or the embedded server's socket. */
export type Connection =
  { connectionString: string } | { host: string; port: number; user: string; database: string; password?: string };

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
  /** How long one statement may take; requests have the default. */
  patience?: Patience;
  onError?: (error: Error) => void;
}

/**
 * Milliseconds until the server gives a statement up, until this side no longer believes in an answer (the server
 * hangs: the connection is thrown away), and until it stops waiting for a connection.
 */
export interface Patience {
  statementMs: number;
  answerMs: number;
  connectMs: number;
}

const ofRequests: Patience = { statementMs: 10_000, answerMs: 12_000, connectMs: 10_000 };

/** A pool of connections whose statements can share round trips (pipelining). */
export function openPool({ connection, as, max = 8, patience = ofRequests, onError }: PoolSettings): pg.Pool {
  const options = ['-c citus.propagate_set_commands=local', '-c timezone=UTC'];
  if (as === 'runtime') {
    options.push(
      `-c role=${RUNTIME_ROLE}`,
      `-c statement_timeout=${patience.statementMs}`,
      '-c idle_in_transaction_session_timeout=60000',
    );
  }
  const config = {
    ...connection,
    options: options.join(' '),
    max,
    pipeline: true,
    types,
    connectionTimeoutMillis: patience.connectMs,
    ...(as === 'runtime' ? { query_timeout: patience.answerMs } : {}),
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: false,
    application_name: 'evenkeel',
  };
  const pool = new pg.Pool(config);
  // Without a listener a lost idle connection would end the process.
  pool.on('error', onError ?? (() => undefined));
  // The pool listens to idle connections alone. One that is lent and asked nothing, or that breaks with the very packet
  // that made it ready, would end the process too: its next statement is refused, which is what its user must know.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** One connection as its own role, without pipelining: COPY wants a connection to itself (backup, restore). */
export async function openClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    options: '-c citus.propagate_set_commands=local -c timezone=UTC',
    types,
    connectionTimeoutMillis: 15_000,
    application_name: 'evenkeel',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
