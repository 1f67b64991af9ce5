import type { Client } from 'pg';

/** The number of rows in a table, and a digest of their content. */
export interface TableDigest {
  name: string;
  rows: number;
  content: string;
}

/**
 * Returns a function that digests every table except `rate_limit`, which counts attempts, and the sessions that don't
 * meet the condition, because a session records when it was last used. The server digests the rows and plans the
 * statement only once. Reading and comparing the rows themselves takes several times as long. Requires a superuser.
 */
export async function tableDigests(owner: Client, sessions: string): Promise<() => Promise<TableDigest[]>> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> 'rate_limit' order by relname`,
  );
  const each = ({ name }: { name: string }) =>
    `select '${name}' as name, count(*)::int as rows,
      coalesce(sum(hashtextextended(t::text, 0)), 0)::text as content
    from "${name}" t where ${name === 'session' ? sessions : true}`;
  // PostgreSQL may read the tables in parallel, in any order.
  const text = `${rows.map(each).join(' union all ')} order by name`;
  return async () => (await owner.query<TableDigest>({ name: 'table_digests', text })).rows;
}
