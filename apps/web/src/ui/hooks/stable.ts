import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same from one drawing to the next and runs as it was drawn last: for events alone. */
export function useStable<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
