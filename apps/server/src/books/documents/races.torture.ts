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
  '1,000 rounds of every two changes of $words.document and payment at once leave every amount right',
  async (side) => {
    await raceRounds(t, side, 1000);
    // Not even a deadlock that PostgreSQL ended and the server tried again; its counts are a second late.
    await setTimeout(1500);
    const counts =
      'select deadlocks, xact_commit > 1000 as busy from pg_stat_database where datname = current_database()';
    expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0, busy: true }]);
  },
);

test.each(sides)(
  '1,000 rounds of refunds and all that is new to billing beside every change of the $name leave every amount right',
  async (side) => {
    await wideRounds(t, side, Number(process.env['RACE_ROUNDS'] ?? 1000));
    await setTimeout(1500);
    const counts = 'select deadlocks from pg_stat_database where datname = current_database()';
    expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0 }]);
  },
);

test('1,000 rounds of sets of bills that overlap, paid at once: one is paid whole, the other not at all', () =>
  overlapRounds(t, 1000));
