import { useState } from 'react';

/** A press that follows an earlier one this closely belongs to it; milliseconds. */
export const SAME_PRESS_MS = 800;

/** Runs an action; undefined when it failed, is under way, or has just succeeded. */
export type Once = <T>(action: () => Promise<T | undefined>) => Promise<T | undefined>;

/**
 * Makes several presses of one button one action. React enables a button only when it draws it, and a dialog stays on
 * the screen while it fades: both are too late to stop a second press. A failed action can be tried again immediately.
 */
export function makeOnce(): Once {
  let isUnderWay = false;
  let succeededAt = -Infinity;
  return async (action) => {
    if (isUnderWay) return undefined;
    if (performance.now() - succeededAt < SAME_PRESS_MS) {
      succeededAt = performance.now();
      return undefined;
    }
    isUnderWay = true;
    try {
      const result = await action();
      if (result !== undefined) succeededAt = performance.now();
      return result;
    } finally {
      isUnderWay = false;
    }
  };
}

/** Returns one guard for as long as a component is on the screen. */
export function useOnce(): Once {
  const [once] = useState(makeOnce);
  return once;
}
