import { useState } from 'react';

/** The time in ms within which a second press counts as part of the first. */
export const SAME_PRESS_MS = 800;

/**
 * Counts a double-click as one click when the first click replaces the button with another one or switches it to
 * another record.
 */
export function singly(act: () => void): (click: { detail: number }) => void {
  return ({ detail }) => (detail > 1 ? undefined : act());
}

/** Combines several presses of one button into one action. */
export interface Once {
  /** Runs an action. Returns undefined if the action failed, is in progress, or has just succeeded. */
  run: <T>(action: () => Promise<T | undefined>) => Promise<T | undefined>;
  /** Returns whether a press now belongs to an action that is in progress or has just succeeded. */
  isTaken: () => boolean;
  /** Makes the next press a new action, because the user changed what the button does. */
  renew: () => void;
}

/**
 * Returns a guard against repeated presses of a button. React disables a button only when it renders the button, and a
 * dialog stays on the screen while it fades. Both are too late to stop a second press. A failed action can be tried
 * again immediately.
 */
export function makeOnce(): Once {
  let isUnderWay = false;
  let succeededAt = -Infinity;
  const isTaken = (): boolean => {
    if (isUnderWay) return true;
    const isRepeated = performance.now() - succeededAt < SAME_PRESS_MS;
    if (isRepeated) succeededAt = performance.now();
    return isRepeated;
  };
  return {
    isTaken,
    run: async (action) => {
      if (isTaken()) return undefined;
      isUnderWay = true;
      try {
        const result = await action();
        if (result !== undefined) succeededAt = performance.now();
        return result;
      } finally {
        isUnderWay = false;
      }
    },
    renew: () => void (succeededAt = -Infinity),
  };
}

/**
 * Returns a function that checks whether a press repeats the previous one: the same action within the time of one
 * press.
 */
export function makeRepeats(): (action: string) => boolean {
  let last: { action: string; at: number } | undefined;
  return (action) => {
    const before = last;
    last = { action, at: performance.now() };
    return before !== undefined && before.action === action && Math.abs(last.at - before.at) < SAME_PRESS_MS;
  };
}

/** Returns the same guard for as long as a component is mounted. */
export function useOnce(): Once {
  const [once] = useState(makeOnce);
  return once;
}
