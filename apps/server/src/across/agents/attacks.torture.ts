import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { attack } from './testing/attacks.ts';

/** The number of attacks. */
const ATTACKS = Math.max(100, Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? '10000')));

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test(`a year of ${ATTACKS} attacks causes no unbalanced, duplicate, or forbidden change, and undo works`, async () => {
  const { committed, waiting, ...found } = await attack(t, ATTACKS);
  console.log(JSON.stringify({ ...found, committed, waiting }));
  const none = { unbalanced: 0, doubled: 0, uncounted: 0, outside: [], afterClosing: 0, leftover: 0 };
  expect(found).toEqual({ attacks: ATTACKS, ...none });
  expect(committed).toBeGreaterThan(ATTACKS / 50);
  expect(waiting).toBeGreaterThan(ATTACKS / 50);
});
