import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function with a stable identity that calls the latest `run`. Use it only for events. */
export function useStable<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}

function isSame(one: object, other: object): boolean {
  const [fields, others] = [Object.entries(one), Object.entries(other)];
  return (
    fields.length === others.length &&
    fields.every(([name, value], at) => name === others[at]?.[0] && Object.is(value, others[at][1]))
  );
}

/** Returns the previous object while the next one has the same fields with the same values. */
export function useSame<Value extends object | null | undefined>(next: Value): Value {
  const held = useRef(next);
  if (!isSame(held.current ?? {}, next ?? {}) || !held.current !== !next) held.current = next;
  return held.current;
}
