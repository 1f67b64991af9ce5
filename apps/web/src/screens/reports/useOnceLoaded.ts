import { useEffect, useEffectEvent, useState } from 'react';

/** A read that must complete before the action runs. */
export interface Needed {
  isLoaded: boolean;
  error: string | undefined;
  retry: () => void;
}

/**
 * Runs a requested action immediately, or as soon as its data has loaded, so that clicks on a page that is still
 * loading are not lost. Retries a failed read.
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
