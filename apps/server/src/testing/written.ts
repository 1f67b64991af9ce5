import type pg from 'pg';

/** Reads the state of a database, so that tests can show that a call writes nothing. */

const statements = new WeakMap<pg.Client, string>();

/**
 * Returns the rows of every table with the transaction that wrote each one, so that any write changes the result.
 * Ignores the tables that record when a session was last used and how often a call was made.
 */
export async function written(owner: pg.Client): Promise<string> {
  const text = statements.get(owner) ?? (await statementOf(owner));
  statements.set(owner, text);
  const { rows } = await owner.query<{ state: string }>({ name: 'written', text });
  return rows
    .map(({ state }) => state)
    .toSorted()
    .join();
}

async function statementOf(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not in ('session', 'rate_limit')`,
  );
  const state = `count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0)`;
  return rows.map(({ name }) => `select '${name} ' || ${state} as state from "${name}"`).join(' union all ');
}

/** Replaces record IDs, times, and random secrets, which a rehearsal can't know, with their types. */
export const withoutIds = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (name, value: unknown) =>
    /(id|ids|glid|at|url)$/i.test(name) && typeof value !== 'object' ? typeof value : value,
  );
