import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { storm } from './testing/storm.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('10,000 shuffled and repeated Stripe events balance to the cent', async () => {
  expect(await storm(t, { events: 10_000, seed: Number(process.env['SEED'] ?? 1) })).toBeGreaterThanOrEqual(10_000);
});
