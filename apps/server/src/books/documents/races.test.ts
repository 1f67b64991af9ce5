import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sides } from '@evenkeel/core/documents/side';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { overlapRounds } from './testing/overlaps.ts';
import { raceRounds } from './testing/races.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

// Promise (together): Simultaneous changes to invoices, bills, and payments leave every amount correct and cause no
// deadlocks or server errors, and `verify` passes. [15 commands, every pair; 45 in torture]
test.each(sides)(
  'every amount is correct after 60 rounds of each pair of simultaneous changes to $words.document and payment',
  async (side) => {
    await raceRounds(t, side, 60);
    // The test also fails if PostgreSQL resolved a deadlock and the server retried. PostgreSQL reports the number of
    // deadlocks with a delay of one second.
    await setTimeout(1500);
    const counts =
      'select deadlocks, xact_commit > 1000 as busy from pg_stat_database where datname = current_database()';
    expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0, busy: true }]);
  },
  240_000,
);

// Promise (together): If two overlapping sets of bills are paid at the same time, one set is paid completely and the
// other not at all. [6 rounds, two bills in each set, one of them in both]
test('if two users pay overlapping sets of bills, one set is paid completely and the other is rejected', () =>
  overlapRounds(t, 6));
