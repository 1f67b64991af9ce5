import type { Client, QueryResultRow } from 'pg';
import { onCitus } from './databases.ts';

/** The number of rows in a table, and a digest of their content. */
export interface TableDigest {
  name: string;
  rows: number;
  content: string;
}

/**
 * Returns a function that computes a digest of every table. Excludes `rate_limit`, which counts attempts, and the
 * sessions that don't meet the condition, because a session records when it was last used. Requires a superuser.
 */
export function tableDigests(owner: Client, sessions: string): Promise<() => Promise<TableDigest[]>> {
  return tableStates<TableDigest>(owner, ['rate_limit'], (name) => {
    return `select '${name}' as name, count(*)::int as rows,
      coalesce(sum(hashtextextended(t::text, 0)), 0)::text as content
    from "${name}" t where ${name === 'session' ? sessions : true}`;
  });
}

/**
 * Returns a function that reads one row about each table, except the omitted tables. It rereads a table only if a
 * statement has written to the table in the meantime, because tests call the function thousands of times. Triggers
 * count these statements in sequences, so that a write that is rolled back also counts. Requires a superuser.
 */
export async function tableStates<State extends QueryResultRow>(
  owner: Client,
  omitted: readonly string[],
  stateOf: (table: string) => string,
): Promise<() => Promise<State[]>> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> all($1) order by relname`,
    [omitted],
  );
  const names = rows.map(({ name }) => name);
  const read = async (name: string): Promise<State> => {
    const [state] = (await owner.query<State>({ name: `state_of_${name}`, text: stateOf(name) })).rows;
    if (state === undefined) throw new Error(`no state for ${name}`);
    return state;
  };
  if (onCitus) {
    // Distributed tables have no triggers, so all tables are read each time.
    return async () => {
      const states: State[] = [];
      for (const name of names) states.push(await read(name));
      return states;
    };
  }
  await owner.query(COUNTER);
  for (const name of names) await owner.query(counting(name));
  const counts = `select array[${names.map((name) => `(select last_value from watch."${name}")`).join()}] as counts`;
  const last = new Map<string, { count: string; state: State }>();
  return async () => {
    const [counted] = (await owner.query<{ counts: string[] }>({ name: 'table_writes', text: counts })).rows;
    const states: State[] = [];
    for (const [at, name] of names.entries()) {
      const count = counted?.counts[at] ?? '';
      let known = last.get(name);
      if (known?.count !== count) last.set(name, (known = { count, state: await read(name) }));
      states.push(known.state);
    }
    return states;
  };
}

const COUNTER = `
  create schema if not exists watch;
  create or replace function watch.count_write() returns trigger language plpgsql security definer as $$
  begin
    perform nextval(format('watch.%I', tg_table_name));
    return null;
  end $$`;

// A new sequence has the same last value before and after its first use, so this first use is made here.
const counting = (table: string): string => `
  create sequence if not exists watch."${table}";
  select nextval('watch."${table}"');
  create or replace trigger watch_writes after insert or update or delete or truncate on public."${table}"
    for each statement execute function watch.count_write();
  alter table public."${table}" enable always trigger watch_writes`;
