import type { FastifyInstance } from 'fastify';
import { Failure } from '@evenkeel/core/failure';
import { monotonic } from '../clock.ts';

const MINUTE = 60_000;

/**
 * Refuses a single address that sends more than `most` requests a minute. It protects this process only and so counts
 * in memory; the limits that guard accounts are counted in the database (http/limits).
 */
export function limitFlood(app: FastifyInstance, most: number): void {
  const counts = new Map<string, number>();
  let windowStart = monotonic();
  app.addHook('onRequest', async (request) => {
    if (monotonic() - windowStart > MINUTE) {
      counts.clear();
      windowStart = monotonic();
    }
    const seen = (counts.get(request.ip) ?? 0) + 1;
    counts.set(request.ip, seen);
    if (seen <= most) return;
    const retryAfterSeconds = Math.max(1, (MINUTE - (monotonic() - windowStart)) / 1000);
    throw new Failure('rate_limited', 'Too many requests; please wait', undefined, { retryAfterSeconds });
  });
}
