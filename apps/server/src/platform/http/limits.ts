import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Failure } from '@evenkeel/core/failure';
import type { Pool } from '../db/connect.ts';
import { installation } from '../db/tx.ts';

/** A limit that is counted in the database, so that all server processes share it. */
export interface Limit {
  name: string;
  most: number;
  seconds: number;
  /** The message to show when the limit is reached, if telling the user to wait is not enough. */
  message?: string;
}

/**
 * A window that starts later than this is ignored, because it was created while the clock was ahead. Smaller
 * differences between the clocks of two servers are tolerated.
 */
export const FROM_THE_FUTURE = sql`now() + interval '1 minute'`;

const keyOf = (limit: Limit, who: string): string =>
  `${limit.name}:${createHash('sha256').update(who).digest('base64url')}`;

/** The error (429) for a request that exceeds a limit. The log contains the name of the limit. */
export class LimitReached extends Failure {
  readonly limit: string;

  constructor(
    { name, message = 'Too many attempts. Wait a few minutes and try again.' }: Pick<Limit, 'name' | 'message'>,
    wait: number,
  ) {
    super('rate_limited', message, undefined, { retryAfterSeconds: Math.max(1, wait) });
    this.limit = name;
  }
}

interface Window {
  count: number;
  wait: number;
}

/** Counts a request from `who`. Returns the number of requests in this window. */
export async function note(pool: Pool, limit: Limit, who: string): Promise<Window> {
  const window = sql`make_interval(secs => ${limit.seconds})`;
  const [row] = await installation(
    pool,
    sql<Window>`
      insert into rate_limit as r (key, window_start, count) values (${keyOf(limit, who)}, now(), 1)
      on conflict (key) do update set
        count = case when r.window_start between now() - ${window} and ${FROM_THE_FUTURE} then r.count + 1 else 1 end,
        window_start = case
          when r.window_start between now() - ${window} and ${FROM_THE_FUTURE} then r.window_start else now() end
      returning count, ceil(extract(epoch from window_start + ${window} - now()))::int as wait`,
  );
  return row ?? { count: 1, wait: limit.seconds };
}

/**
 * Counts a request from `who`. If the count exceeds `most`, throws 429 with the number of seconds to wait. The request
 * is counted first, so that simultaneous requests can't exceed the limit together.
 */
export async function take(pool: Pool, limit: Limit, who: string): Promise<void> {
  const { count, wait } = await note(pool, limit, who);
  if (count > limit.most) throw new LimitReached(limit, wait);
}

/** Throws 429 if `who` has reached the limit. Doesn't count a request. */
export async function check(pool: Pool, limit: Limit, who: string): Promise<void> {
  const window = sql`make_interval(secs => ${limit.seconds})`;
  const [row] = await installation(
    pool,
    sql<Window>`
      select count, ceil(extract(epoch from window_start + ${window} - now()))::int as wait from rate_limit
      where key = ${keyOf(limit, who)} and window_start > now() - ${window} and window_start <= ${FROM_THE_FUTURE}`,
  );
  if (row !== undefined && row.count >= limit.most) throw new LimitReached(limit, row.wait);
}

/** Returns the members of `everyone` who have reached the limit. */
export async function exhausted(pool: Pool, limit: Limit, everyone: readonly string[]): Promise<Set<string>> {
  const byKey = new Map(everyone.map((who) => [keyOf(limit, who), who]));
  const rows = await installation(
    pool,
    sql<{ key: string }>`
      select key from rate_limit
      where key = any(${[...byKey.keys()]}) and count >= ${limit.most}
        and window_start > now() - make_interval(secs => ${limit.seconds}) and window_start <= ${FROM_THE_FUTURE}`,
  );
  return new Set(rows.flatMap(({ key }) => byKey.get(key) ?? []));
}

/** Resets the count for `who`. */
export async function forgive(pool: Pool, limit: Limit, who: string): Promise<void> {
  await installation(pool, sql`delete from rate_limit where key = ${keyOf(limit, who)}`);
}

/** Deletes old windows, which no longer count. */
export async function sweepLimits(pool: Pool): Promise<void> {
  await installation(
    pool,
    sql`delete from rate_limit
    where window_start not between now() - interval '1 day' and ${FROM_THE_FUTURE}`,
  );
}

/**
 * Returns the network whose requests are counted together. For IPv4, this is the address. For IPv6, this is the first
 * 64 bits, because a subscriber usually controls all addresses in that range. An IPv4 address written as IPv6
 * (`::ffff:192.0.2.1`) counts as IPv4.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [before = '', after] = address.replace(/%.*/, '').split('::');
  const groupsOf = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(':'));
  const [head, tail] = [groupsOf(before), groupsOf(after)];
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const network = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
