import { afterAll, beforeAll, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { RACES, raceRounds, randomReconciling } from './testing/races.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test.each(Object.entries(RACES))('4 rounds: %s', (_, race) => raceRounds(t, race, 4));

test('30 steps of 3 random books: the last statement is the sum of what was proved, at every step', async () => {
  for (const seed of [1, 2, 3]) await randomReconciling(t, seed, 30);
});
