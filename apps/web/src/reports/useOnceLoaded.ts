import { useEffect, useEffectEvent, useState } from 'react';

/** What must be there first, as a read tells it. */
export interface Needed {
  isLoaded: boolean;
  error: string | undefined;
  retry: () => void;
}

/**
 * Does what is asked for at once, or as soon as what it needs is there: whoever clicks on a page that still loads has
 * clicked. The last one counts. What had failed to load is read again.
 */
export function useOnceLoaded<What>({ isLoaded, error, retry }: Needed, act: (what: What) => void) {
  const [waiting, wait] = useState<{ what: What }>();
  const catchUp = useEffectEvent(() => {
    if (waiting === undefined) return;
    wait(undefined);
    act(waiting.what);
  });
  useEffect(() => {
    if (isLoaded) catchUp();
  }, [isLoaded]);
  return {
    isWaiting: waiting !== undefined,
    ask: (what: What): void => {
      if (isLoaded) return act(what);
      wait({ what });
      if (error !== undefined) retry();
    },
  };
}
