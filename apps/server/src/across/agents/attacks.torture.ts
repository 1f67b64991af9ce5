import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { attack } from './testing/attacks.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('10,000 attacks with hostile memos and stale tokens cause no forbidden change', async () => {
  const { committed, waiting, ...found } = await attack(t, 10_000);
  expect(found).toEqual({ attacks: 10_000, unbalanced: 0, doubled: 0, uncounted: 0, outside: [] });
  expect(committed).toBeGreaterThan(200);
  expect(waiting).toBeGreaterThan(200);
});
