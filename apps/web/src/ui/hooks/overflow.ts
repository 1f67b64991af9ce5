import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react';

/**
 * Returns the number of steps by which an element's content must shrink to fit: 0 if everything fits, or else 1 or 2.
 * Render less with each step. `words` is the content's text. If it changes, the content is measured again.
 */
export function useOverflow(element: RefObject<HTMLElement | null>, words: string): 0 | 1 | 2 {
  const [room, setRoom] = useState(0);
  const [known, setKnown] = useState<{ words: string; needed: readonly number[] }>({ words, needed: [] });
  const needed = known.words === words ? known.needed : [];
  const [first = 0, second = 0] = needed;
  const steps = room >= first ? 0 : room >= second ? 1 : 2;
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return undefined;
    const measure = () => (found.clientWidth === room ? undefined : setRoom(found.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  });
  const check = useEffectEvent(() => {
    const found = element.current;
    if (found === null || steps === 2 || found.scrollWidth <= found.clientWidth) return;
    setKnown({ words, needed: [...needed.slice(0, steps), found.scrollWidth] });
  });
  // Runs after every render, because amounts in the content change its width. Each step is measured only once.
  useLayoutEffect(() => check());
  return steps;
}
