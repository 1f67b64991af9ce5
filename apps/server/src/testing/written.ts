import type pg from 'pg';
import { tableStates } from './digests.ts';

/** Reads a database's state, so that tests can prove that a call writes nothing. */

const readers = new WeakMap<pg.Client, Promise<() => Promise<{ state: string }[]>>>();

/**
 * Returns the number of rows in every table with the transactions that wrote them, so that any write changes the
 * result. Ignores the tables that record when a session was last used and how often calls were made.
 */
export async function written(owner: pg.Client): Promise<string> {
  const reader =
    readers.get(owner) ??
    tableStates<{ state: string }>(
      owner,
      ['session', 'rate_limit'],
      (name) => `select '${name} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as state from "${name}"`,
    );
  readers.set(owner, reader);
  const states = await (await reader)();
  return states.map(({ state }) => state).join();
}

/** Replaces record IDs, times, and random secrets, which a rehearsal can't know, with their types. */
export const withoutIds = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (name, value: unknown) =>
    /(id|ids|glid|at|url)$/i.test(name) && typeof value !== 'object' ? typeof value : value,
  );
