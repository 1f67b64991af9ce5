import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { LINE_RACES, lineRaceRounds } from './testing/line-races.ts';
import { RACES, raceRounds, randomReconciling } from './testing/races.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test.each(Object.entries(RACES))('in 1,000 rounds, %s', (_, race) => raceRounds(t, race, 1000));

test.each(Object.entries(LINE_RACES))('in 1,000 rounds, %s', (_, race) => lineRaceRounds(t, race, 1000));

test('after 100 steps in 1,000 random sets of books, the last statement equals the reconciled total', async () => {
  for (let seed = 1; seed <= 1000; seed += 1) await randomReconciling(t, seed, 100);
});
