import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { isRetryable, isUnavailable } from './errors.ts';
import { type Runnable, statementOf } from './query.ts';

/** One open transaction of one company. It is the only way to the tenant tables. */
export interface Tx {
  readonly companyId: number;
  /** Runs a statement and answers its rows. Statements started together share one round trip. */
  rows<R>(query: Runnable<R>): Promise<R[]>;
  /** The first row, or undefined. */
  row<R>(query: Runnable<R>): Promise<R | undefined>;
  /** Keeps a write for the end: it travels in one round trip with the commit. Its failure undoes everything. */
  last(query: Runnable<unknown>): void;
}

const MOST_TRIES = 5;

/**
 * Runs `work` in one transaction under the company's row-level security, commits when it returns and rolls back when it
 * throws. Serialization failures and deadlocks are tried again up to 5 times. `begin` and the company travel with the
 * first statement, kept writes with the commit.
 */
export function inCompany<T>(pool: Pool, companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return run(pool, { begin: 'begin', companyId }, work);
}

/** The same for reading alone: repeatable read, read only, so that all statements see one moment. */
export function readCompany<T>(pool: Pool, companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return run(pool, { begin: 'begin isolation level repeatable read read only', companyId }, work);
}

interface Opening {
  begin: string;
  companyId: number;
}

async function run<T>(pool: Pool, { begin, companyId }: Opening, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!Number.isSafeInteger(companyId)) throw new Error('company id is not an integer');
  const opening = `${begin}; set local app.company_id = '${companyId}'`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withClient(pool, (client) => attemptOnce(client, opening, { companyId, work }));
    } catch (error) {
      if (!isRetryable(error) || attempt >= MOST_TRIES) throw error;
      await setTimeout(Math.random() * 20 * attempt);
    }
  }
}

async function attemptOnce<T>(
  client: PoolClient,
  opening: string,
  job: { companyId: number; work: (tx: Tx) => Promise<T> },
): Promise<T> {
  const kept: Runnable<unknown>[] = [];
  gather(client);
  const opened = client.query(opening);
  opened.catch(() => undefined);
  const rows = async <R>(query: Runnable<R>): Promise<R[]> => {
    gather(client);
    return (await client.query(statementOf(query))).rows as R[];
  };
  const tx: Tx = {
    companyId: job.companyId,
    rows,
    row: async (query) => (await rows(query))[0],
    last: (query) => kept.push(query),
  };
  try {
    const value = await job.work(tx);
    await opened;
    await finish(client, kept);
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Statements that are started together leave in one packet: the driver writes each by itself, and a write to the socket
 * costs more than the statement does in this process.
 */
function gather(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Kept writes and the commit in one round trip; if a write fails, PostgreSQL answers the commit with a rollback. */
async function finish(client: PoolClient, kept: readonly Runnable<unknown>[]): Promise<void> {
  gather(client);
  const writes = kept.map((query) => client.query(statementOf(query)));
  const commit = client.query('commit');
  const results = await Promise.allSettled([...writes, commit]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back at commit');
}

/** Lends a connection; one that broke is thrown away instead of going back to the pool. */
async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    return await use(client);
  } catch (error) {
    if (isUnavailable(error)) broken = error instanceof Error ? error : new Error('connection lost');
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Reads or writes installation tables (user, session, token …), outside any company, one statement at a time. */
export async function installation<R>(pool: Pool, query: Runnable<R>): Promise<R[]> {
  return (await pool.query(statementOf(query))).rows as R[];
}

/** A Tx on a connection whose transaction somebody else opens and ends (restore). Kept writes are made at once. */
export async function within<T>(client: ClientBase, companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!Number.isSafeInteger(companyId)) throw new Error('company id is not an integer');
  await client.query(`set local app.company_id = '${companyId}'`);
  const kept: Runnable<unknown>[] = [];
  const rows = async <R>(query: Runnable<R>): Promise<R[]> => (await client.query(statementOf(query))).rows as R[];
  const tx: Tx = { companyId, rows, row: async (query) => (await rows(query))[0], last: (query) => kept.push(query) };
  const value = await work(tx);
  for (const query of kept) await rows(query);
  return value;
}
