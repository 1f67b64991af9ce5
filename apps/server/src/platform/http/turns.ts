import { setImmediate } from 'node:timers/promises';
import type { Steps } from '@evenkeel/core/steps';

const TURN_MS = 3;

/** The queue of long-running tasks that wait for a turn. */
let line: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn of the event loop in which no other long task runs. If each of many long tasks ran in every turn,
 * other requests would wait for all of them.
 */
export function nextTurn(): Promise<unknown> {
  line = line.then(() => setImmediate());
  return line;
}

/**
 * Returns a function that long tasks call between steps. It usually returns undefined, which means that the task may
 * continue. Every few milliseconds, it returns a promise instead, so that other requests can run.
 */
export function breaths(): () => Promise<void> | undefined {
  let since = performance.now();
  const wait = async (): Promise<void> => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < TURN_MS ? undefined : wait());
}

/** Runs a long task to completion. Every few milliseconds, other requests can run. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  const breath = breaths();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const wait = breath();
    if (wait !== undefined) await wait;
  }
}
