import { sql } from 'kysely';
import { databaseCode, isRetryable, isUnavailable } from './errors.ts';
import type { Tx } from './tx.ts';

/**
 * Runs several reads in one transaction, so that a failed read doesn't affect the others. Throws only if the database
 * is unavailable or if the whole transaction must be restarted.
 */
export async function readSeparately<T>(
  tx: Tx,
  reads: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const [, together] = await Promise.all([tx.rows(sql`savepoint apart`), settle(reads)]);
  if (!together.some(isOfDatabase)) return together;
  // A failed statement aborts all statements after it, so the failed reads run again one by one to find out which ones
  // work.
  const back = sql`rollback to savepoint apart`;
  const results: PromiseSettledResult<T>[] = [];
  for (const [index, result] of together.entries()) {
    if (isOfDatabase(result)) {
      await tx.rows(back);
      results.push(...(await settle(reads.slice(index, index + 1))));
    } else results.push(result);
  }
  await tx.rows(back);
  return results;
}

async function settle<T>(reads: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  const results = await Promise.allSettled(reads.map((read) => read()));
  for (const result of results) {
    if (result.status === 'rejected' && (isUnavailable(result.reason) || isRetryable(result.reason)))
      throw result.reason;
  }
  return results;
}

const isOfDatabase = (result: PromiseSettledResult<unknown>): boolean =>
  result.status === 'rejected' && databaseCode(result.reason) !== undefined;
