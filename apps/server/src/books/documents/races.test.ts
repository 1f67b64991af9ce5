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

// Promise (together): Changes of invoices, bills and payments at once leave every amount right: no deadlock, no 5xx,
// `verify` clean. [15 commands, every pair; 45 in torture]
test.each(sides)(
  '60 rounds of every two changes of $words.document and payment at once leave every amount right',
  async (side) => {
    await raceRounds(t, side, 60);
    // Not even a deadlock that PostgreSQL ended and the server tried again; its counts are a second late.
    await setTimeout(1500);
    const counts =
      'select deadlocks, xact_commit > 1000 as busy from pg_stat_database where datname = current_database()';
    expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0, busy: true }]);
  },
  240_000,
);

// Promise (together): Of two sets of bills that overlap and are paid at once, one is paid whole, the other not at all.
// [6 rounds, two bills a set, one of them in both]
test('two people pay sets of bills that overlap: one is done, the other is told, nothing by halves', () =>
  overlapRounds(t, 6));
