import { setImmediate } from 'node:timers/promises';
import type { Steps } from '@evenkeel/core/steps';

const TURN_MS = 5;

/** Does long work to its end, with a turn for every other request each few milliseconds. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - since < TURN_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
