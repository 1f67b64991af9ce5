import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { attack } from './testing/attacks.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

// Promise (access): An agent that obeys hostile text makes no duplicate or unbalanced change and no change outside its
// key's policy. [150 attacks; 10,000 in `npm run torture`]
test('an agent that obeys hostile memos makes no duplicate, unbalanced, or forbidden change', async () => {
  const { committed, waiting, ...found } = await attack(t, 150);
  const none = { unbalanced: 0, doubled: 0, uncounted: 0, outside: [], afterClosing: 0, leftover: 0 };
  expect(found).toEqual({ attacks: 150, ...none });
  // If no changes got this far, the attacks might have been rejected for other reasons.
  expect(committed).toBeGreaterThan(5);
  expect(waiting).toBeGreaterThan(5);
}, 240_000);
