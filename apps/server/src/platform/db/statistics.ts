import { sql } from 'kysely';
import type { Pool } from './connect.ts';
import type { Runnable } from './query.ts';
import { inInstallation } from './tx.ts';

/**
 * Gives the planner statistics of every table. Until then it has those of the time when a table was empty or another
 * company's, and the server's own work may come a minute later. Tables are taken in one order, so that two runs at once
 * wait for each other. For the tables' owner, also inside a transaction.
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
 * Analyzes behind whatever wrote many rows at once, on connections of requests: these are the owner's, who only took
 * the role of requests, and lay it off for this transaction.
 */
export async function analyzeTables(pool: Pool): Promise<void> {
  await inInstallation(pool, async (run) => {
    await run(sql`set local role none`);
    await run(analyzeOwn);
  });
}
