import { useEffect, useEffectEvent, useState } from 'react';

/** A read that must be there first. */
export interface Needed {
  isLoaded: boolean;
  error: string | undefined;
  retry: () => void;
}

/**
 * Does what is asked for at once, or as soon as what it needs is there, then all of it: whoever clicks on a page that
 * still loads has clicked. A failed read is repeated.
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
