import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { storm } from './testing/storm.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('random payments, refunds, disputes, and payouts, told shuffled and twice, leave no cent behind', async () => {
  expect(await storm(t, { events: 300, seed: 7 })).toBeGreaterThan(300);
});
