import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { storm } from './testing/storm.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('shuffled and repeated events for random payments, refunds, and payouts balance to the cent', async () => {
  expect(await storm(t, { events: 300, seed: 7 })).toBeGreaterThan(300);
});
