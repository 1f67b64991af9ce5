import { sql } from 'kysely';
import type { Pool } from './connect.ts';
import type { Runnable } from './query.ts';
import { inInstallation } from './tx.ts';

/**
 * Updates the planner statistics for every table. Otherwise, the planner uses statistics from a time when a table was
 * empty or had only other companies' rows, and autovacuum may not run until a minute later. The tables are analyzed in
 * a fixed order, so that two simultaneous runs wait for each other. Must run as the owner of the tables, and can run
 * inside a transaction.
 */
export const analyzeOwn: Runnable<unknown> = sql`
  do $$
  declare
    t record;
  begin
    for t in
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and c.relowner = (select oid from pg_roles where rolname = current_user)
      order by c.relname
    loop
      execute format('analyze public.%I', t.name);
    end loop;
  end $$`;

/**
 * Analyzes the tables after many rows have been written, on a connection for requests. Such a connection was opened by
 * the owner and only switched to the runtime role, so this transaction switches it back.
 */
export async function analyzeTables(pool: Pool): Promise<void> {
  await inInstallation(pool, async (run) => {
    await run(sql`set local role none`);
    await run(analyzeOwn);
  });
}
