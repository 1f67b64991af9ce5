import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { raceRounds } from './testing/races.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('50 rounds of every two changes of invoices and payments at once leave every amount right', async () => {
  await raceRounds(t, 50);
  expect(t.pool.waitingCount).toBe(0);
}, 240_000);
