import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { present } from '@evenkeel/core/failure';
import type { ClientBase, PoolClient, QueryResult } from 'pg';
import { keepIdsAhead } from './citus.ts';
import type { Pool } from './connect.ts';
import { CommitLost, databaseCode, isRetryable, isUnavailable } from './errors.ts';
import type { Visitor } from './gate.ts';
import { drawnApart, type Runnable, type Statement, statementOf } from './query.ts';
import { asTransaction } from '../waits.ts';

/** The rows that a statement returned. */
type Answered<Q> = Q extends Runnable<infer R> ? R : never;

/** The rows that each of several statements returned. */
export type Answers<Q extends readonly unknown[]> = { [K in keyof Q]: Answered<Q[K]>[] };

/** An open transaction for one company. Tenant tables can be accessed only through a transaction. */
export interface Tx {
  readonly companyId: number;
  /**
   * Runs a statement and returns its rows. Statements that are started at the same time share one round trip, but their
   * order is not guaranteed.
   */
  rows<R>(query: Runnable<R>): Promise<R[]>;
  /** Returns the first row, or undefined. */
  row<R>(query: Runnable<R>): Promise<R | undefined>;
  /**
   * Returns the first row from a statement that always returns a row, such as an insert that returns an ID. Throws an
   * Error if no row is found.
   */
  one<R>(query: Runnable<R>): Promise<R>;
  /**
   * Runs statements one after another in one round trip and returns the rows from each. A statement that runs after a
   * lock sees the changes that the lock waited for.
   */
  inOrder<const Q extends readonly Runnable<unknown>[]>(queries: Q): Promise<Answers<Q>>;
  /**
   * Queues writes. They are sent in one round trip with the commit, or earlier with a read, which then sees them. If a
   * write fails, the whole transaction is rolled back.
   */
  atEnd(...writes: Runnable<unknown>[]): void;
}

const MOST_TRIES = 5;

/** The request that waits for a turn, or only its company's ID. */
export type Turn = number | Visitor;

/**
 * The plan modes, which are set only here. A command finds its rows by key, so its plans don't depend on values. Each
 * plan is created once per connection, which saves most of a command's cost. A plan may be created while a table is
 * still small. Because sequential scans are turned off, the plan stays good when the table grows. A read is planned for
 * its values, because the best plan depends on the number of rows. Citus always plans for values, including on the
 * servers that store the rows, so nothing is set for Citus.
 */
const PLANS = {
  command: 'set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off',
  read: 'set local plan_cache_mode = force_custom_plan',
};

/**
 * Runs `work` in one transaction under the company's row-level security. Commits when `work` returns and rolls back
 * when it throws. Serialization failures and deadlocks are retried up to 5 times. `begin` and the company are sent with
 * the first statement, and queued writes with the commit. Waits for a turn at the gate for writers.
 */
export function inCompany<T>(pool: Pool, turn: Turn, work: (tx: Tx) => Promise<T>): Promise<T> {
  return run(pool, { begin: 'begin', plans: PLANS.command, gate: 'write', turn }, work);
}

/**
 * Runs `work` in a read-only repeatable read transaction, so that all statements see the same snapshot. Waits for a
 * turn at the gate for readers. Returns as soon as `work` returns, because waiting for the commit, which can't change
 * the data that was read, would cost another round trip.
 */
export function readCompany<T>(pool: Pool, turn: Turn, work: (tx: Tx) => Promise<T>): Promise<T> {
  const begin = 'begin isolation level repeatable read read only';
  return new Promise((resolve, reject) => {
    const reading = async (tx: Tx): Promise<void> => resolve(await work(tx));
    run(pool, { begin, plans: PLANS.read, gate: 'read', turn }, reading).catch(reject);
  });
}

interface Opening {
  begin: string;
  plans: string;
  gate: keyof Pool['gates'];
  turn: Turn;
}

/**
 * Returns the commands that open a transaction, which are sent in one packet. Citus begins a distributed transaction
 * for each command string and warns if a transaction has already begun. Its strings therefore contain one statement
 * each.
 */
function openingOf({ begin, plans }: Opening, companyId: number, isCitus: boolean): string[] {
  const company = `set local app.company_id = '${companyId}'`;
  return isCitus ? [begin, company] : [`${begin}; ${plans}; ${company}`];
}

async function run<T>(pool: Pool, opening: Opening, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { gate, turn } = opening;
  const visitor = typeof turn === 'number' ? { companyId: turn } : turn;
  const { companyId } = visitor;
  if (!Number.isSafeInteger(companyId)) throw new Error('the company ID is not an integer');
  return pool.gates[gate].pass(visitor, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isCitus = await pool.isCitus();
        const texts = openingOf(opening, companyId, isCitus);
        return await withClient(pool, (lent) => attemptOnce(lent, texts, { companyId, isCitus, work }));
      } catch (error) {
        if (!isRetryable(error) || attempt >= MOST_TRIES) throw error;
        await setTimeout(Math.random() * 20 * attempt);
      }
    }
  });
}

async function attemptOnce<T>(
  { client, discard }: Lent,
  opening: readonly string[],
  { companyId, isCitus, work }: { companyId: number; isCitus: boolean; work: (tx: Tx) => Promise<T> },
): Promise<T> {
  if (isCitus) await keepIdsAhead(client);
  gather(client);
  const sent = opening.map((text) => client.query(text));
  const run = (statement: Statement): Promise<QueryResult> => client.query(statement);
  const { tx, flush } = transactionOn(client, companyId, sent, isCitus ? drawingApart(run) : run);
  let isCommitting = false;
  try {
    const value = await asTransaction(() => work(tx));
    isCommitting = true;
    gather(client);
    flush();
    const commit = client.query('commit');
    await firstFailure([...sent, commit]);
    if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back at commit');
    return value;
  } catch (error) {
    const rolledBack = client.query('rollback');
    // The first failure is the cause. Later statements report only that the transaction is aborted, or that the
    // connection was closed because of the failure. If the transaction could not be opened, no statement had a company.
    const isUnopened = await Promise.resolve(sent[0]).then(
      () => false,
      (refusal: unknown) => !isUnavailable(refusal),
    );
    const follows = isUnopened || databaseCode(error) === ABORTED || isUnavailable(error);
    const reason = await firstFailure(sent).then(
      () => error,
      (first: unknown) => (follows ? first : error),
    );
    await rolledBack.catch(discard);
    throw isCommitting && isUnavailable(reason) ? new CommitLost(reason) : reason;
  }
}

/** The SQLSTATE of statements that are rejected because an earlier statement failed. */
const ABORTED = '25P02';

/** Runs statements. If a statement assigns IDs, the IDs are assigned first, which costs a round trip. */
function drawingApart(run: (statement: Statement) => Promise<QueryResult>) {
  return async (statement: Statement): Promise<QueryResult> => {
    const apart = drawnApart(statement);
    if (apart === undefined) return run(statement);
    const { rows } = await run(apart.draw);
    return run(apart.with(Object.values(rows[0] as Record<string, readonly number[]>)));
  };
}

/**
 * Returns a Tx for an open transaction. `sent` collects the promises that no caller awaits: those for opening the
 * transaction and for the writes queued with atEnd.
 */
function transactionOn(
  client: ClientBase,
  companyId: number,
  sent: Promise<unknown>[],
  run: (statement: Statement) => Promise<QueryResult>,
): { tx: Tx; flush: () => void } {
  const kept: Runnable<unknown>[] = [];
  for (const each of sent) each.catch(() => undefined);
  const send = (query: Runnable<unknown>) => run(statementOf(query, companyId));
  const flush = (): void => {
    for (const query of kept.splice(0)) {
      const write = send(query);
      write.catch(() => undefined);
      sent.push(write);
    }
  };
  let failed: unknown;
  const rows = async <R>(query: Runnable<R>): Promise<R[]> => {
    gather(client);
    flush();
    try {
      return (await send(query)).rows as R[];
    } catch (error) {
      // Responses arrive in the order of the statements, but if several statements fail at the same time, a later error
      // may be handled first.
      if (databaseCode(error) === ABORTED && failed !== undefined) throw failed;
      failed = error;
      throw error;
    }
  };
  const tx: Tx = {
    companyId,
    rows,
    row: async (query) => (await rows(query))[0],
    one: async (query) => present((await rows(query))[0], 'a row'),
    // The connection runs statements in the order in which they are written to it.
    inOrder: (queries) => Promise.all(queries.map(rows)) as never,
    atEnd: (...writes) => void kept.push(...writes),
  };
  return { tx, flush };
}

/** Waits for all promises and throws the error of the first one that failed. */
async function firstFailure(all: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
}

/**
 * Sends statements that are started at the same time in one packet. The driver would write each statement separately,
 * and writing to the socket costs this process more than the statement itself.
 */
function gather(client: ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface Lent {
  client: PoolClient;
  /** Closes the connection when it is returned to the pool. */
  discard: (reason: unknown) => void;
}

/** Lends a connection. A broken connection is closed instead of being returned to the pool. */
async function withClient<T>(pool: Pool, use: (lent: Lent) => Promise<T>): Promise<T> {
  const client = await pool.lend();
  let broken: Error | undefined;
  const discard = (reason: unknown): void => {
    broken = reason instanceof Error ? reason : new Error('connection lost');
  };
  client.on('error', discard);
  try {
    return await use({ client, discard });
  } catch (error) {
    if (isUnavailable(error)) discard(error);
    throw error;
  } finally {
    client.off('error', discard);
    client.release(broken);
  }
}

/** Reads or writes installation tables (users, sessions, tokens, …), outside any company, one statement at a time. */
export async function installation<R>(pool: Pool, query: Runnable<R>): Promise<R[]> {
  return (await pool.query(statementOf(query))).rows as R[];
}

/** Runs several statements on installation tables in one transaction. */
export function inInstallation<T>(
  pool: Pool,
  work: (run: <R>(query: Runnable<R>) => Promise<R[]>) => Promise<T>,
): Promise<T> {
  return withClient(pool, async ({ client, discard }) => {
    await client.query('begin');
    try {
      const value = await work(async <R>(query: Runnable<R>) => (await client.query(statementOf(query))).rows as R[]);
      await client.query('commit');
      return value;
    } catch (error) {
      await client.query('rollback').catch(discard);
      throw error;
    }
  });
}

/**
 * Runs work on a connection whose transaction the caller opens and ends, as `restore` does. Such a connection isn't
 * pipelined, so statements that are started at the same time run one after another.
 */
export async function within<T>(client: ClientBase, companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!Number.isSafeInteger(companyId)) throw new Error('the company ID is not an integer');
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (statement: Statement): Promise<QueryResult> => {
    const turn = last.then(() => client.query(statement));
    last = turn.catch(() => undefined);
    return turn;
  };
  const sent: Promise<unknown>[] = [inTurn({ text: `set local app.company_id = '${companyId}'`, values: [] })];
  const { tx, flush } = transactionOn(client, companyId, sent, inTurn);
  const value = await work(tx);
  flush();
  await firstFailure(sent);
  return value;
}
