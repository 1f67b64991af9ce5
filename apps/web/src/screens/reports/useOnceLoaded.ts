import { useEffect, useEffectEvent, useState } from 'react';

/** A read that must complete first. */
export interface Needed {
  isLoaded: boolean;
  error: string | undefined;
  retry: () => void;
}

/**
 * Runs a requested action immediately, or once its data has loaded. Selections on a page that is still loading are thus
 * not lost. A failed read is retried.
 */
export function useOnceLoaded<What>({ isLoaded, error, retry }: Needed, act: (all: readonly What[]) => void) {
  const [waiting, wait] = useState<readonly What[]>([]);
  const catchUp = useEffectEvent(() => {
    if (waiting.length === 0) return;
    wait([]);
    act(waiting);
  });
  useEffect(() => {
    if (isLoaded) catchUp();
  }, [isLoaded]);
  return {
    isWaiting: waiting.length > 0,
    ask: (what: What): void => {
      if (isLoaded) return act([what]);
      wait((before) => [...before, what]);
      if (error !== undefined) retry();
    },
  };
}
