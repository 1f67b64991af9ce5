import { setImmediate } from 'node:timers/promises';
import type { Steps } from '@evenkeel/core/steps';

const TURN_MS = 3;

/** Long works that wait for a turn, one behind the other. */
let line: Promise<unknown> = Promise.resolve();

/**
 * A turn of the event loop for this work alone: with a turn for each of many long works in every round of the loop,
 * whoever waits for a round would wait for all of them.
 */
export function nextTurn(): Promise<unknown> {
  line = line.then(() => setImmediate());
  return line;
}

/**
 * Long work calls what this answers between its pieces: undefined while it may go on, and every few milliseconds a wait
 * in which all other requests have their turn.
 */
export function breaths(): () => Promise<void> | undefined {
  let since = performance.now();
  const wait = async (): Promise<void> => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < TURN_MS ? undefined : wait());
}

/** Does long work to its end, with a turn for every other request each few milliseconds. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  const breath = breaths();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const wait = breath();
    if (wait !== undefined) await wait;
  }
}
