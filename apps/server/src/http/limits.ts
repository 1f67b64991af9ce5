import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { Failure } from '@evenkeel/core/failure';
import { installation } from '../db/tx.ts';

/** A limit counted in the database, so that any number of server processes share it (security rule 9). */
export interface Limit {
  name: string;
  most: number;
  seconds: number;
}

const keyOf = (limit: Limit, who: string): string =>
  `${limit.name}:${createHash('sha256').update(who).digest('base64url')}`;

/**
 * Counts one more for `who` and throws 429 with the seconds to wait beyond `most`. Counting comes first, so that twenty
 * requests at once cannot all slip through.
 */
export async function count(pool: Pool, limit: Limit, who: string): Promise<void> {
  const window = sql`make_interval(secs => ${limit.seconds})`;
  const [row] = await installation(
    pool,
    sql<{ count: number; wait: number }>`
      insert into rate_limit as r (key, window_start, count) values (${keyOf(limit, who)}, now(), 1)
      on conflict (key) do update set
        count = case when r.window_start < now() - ${window} then 1 else r.count + 1 end,
        window_start = case when r.window_start < now() - ${window} then now() else r.window_start end
      returning count, ceil(extract(epoch from window_start + ${window} - now()))::int as wait`,
  );
  if (row === undefined || row.count <= limit.most) return;
  throw new Failure('rate_limited', 'Too many attempts; please wait and try again', undefined, {
    retryAfterSeconds: Math.max(1, row.wait),
  });
}

/** Takes back what was counted for `who`: `all` forgets it, otherwise one. */
export async function discount(pool: Pool, limit: Limit, who: { key: string; all: boolean }): Promise<void> {
  const key = keyOf(limit, who.key);
  const change = who.all
    ? sql`delete from rate_limit where key = ${key}`
    : sql`update rate_limit set count = count - 1 where key = ${key} and count > 0`;
  await installation(pool, change);
}

/** Old windows count for nothing; the sweep removes them. */
export async function sweepLimits(pool: Pool): Promise<void> {
  await installation(pool, sql`delete from rate_limit where window_start < now() - interval '1 day'`);
}
