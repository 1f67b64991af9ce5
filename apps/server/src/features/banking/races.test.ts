import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { LINE_RACES, lineRaceRounds } from './testing/line-races.ts';
import { RACES, raceRounds, randomReconciling } from './testing/races.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test.each(Object.entries(RACES))('in 4 rounds, %s', (_, race) => raceRounds(t, race, 4));

test.each(Object.entries(LINE_RACES))('in 4 rounds, %s', (_, race) => lineRaceRounds(t, race, 4));

test('no round causes a deadlock that forces the server to retry', async () => {
  // PostgreSQL updates its statistics after one second.
  await setTimeout(1500);
  const counts = 'select deadlocks, xact_commit > 100 as busy from pg_stat_database where datname = current_database()';
  expect((await t.pool.query(counts)).rows).toEqual([{ deadlocks: 0, busy: true }]);
});

test('after 30 steps in 3 random sets of books, the last statement equals the reconciled total', async () => {
  for (const seed of [1, 2, 3]) await randomReconciling(t, seed, 30);
});
