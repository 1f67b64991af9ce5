import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { attack } from './testing/attacks.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

// Promise (access): An agent that obeys hostile text changes nothing twice, out of balance, or outside the policy of
// its key. [150 attacks; 10,000 in `npm run torture`]
test('an agent that obeys hostile memos changes nothing twice, out of balance, or outside its policy', async () => {
  const { committed, waiting, ...found } = await attack(t, 150);
  expect(found).toEqual({ attacks: 150, unbalanced: 0, doubled: 0, uncounted: 0, outside: [] });
  // Otherwise, everything was rejected for another reason.
  expect(committed).toBeGreaterThan(5);
  expect(waiting).toBeGreaterThan(5);
});
