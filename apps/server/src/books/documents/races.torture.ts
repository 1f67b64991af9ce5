import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sides } from '@evenkeel/core/documents/side';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { overlapRounds } from './testing/overlaps.ts';
import { raceRounds, wideRounds } from './testing/races.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test.each(sides)(
  'every amount is correct after 1,000 rounds of each pair of simultaneous changes to $words.document and payment',
  async (side) => {
    await raceRounds(t, side, 1000);
    // The test also fails if PostgreSQL resolved a deadlock and the server retried. PostgreSQL reports the number of
    // deadlocks with a delay of one second.
    await setTimeout(1500);
    const counts =
      'select deadlocks, xact_commit > 1000 as busy from pg_stat_database where datname = current_database()';
    expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0, busy: true }]);
  },
);

test.each(sides)(
  'amounts are correct after 1,000 rounds of refunds and similar commands during every change to the $name',
  async (side) => {
    await wideRounds(t, side, Number(process.env['RACE_ROUNDS'] ?? 1000));
    await setTimeout(1500);
    const counts = 'select deadlocks from pg_stat_database where datname = current_database()';
    expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0 }]);
  },
);

test('in 1,000 rounds of paying overlapping sets of bills, one set is paid completely and the other is rejected', () =>
  overlapRounds(t, 1000));
