import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the width of an element in px, or 0 if it is not known yet. */
export function useRoom(element: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return undefined;
    setRoom(found.clientWidth);
    const observer = new ResizeObserver(() => setRoom(found.clientWidth));
    observer.observe(found);
    return () => observer.disconnect();
  }, [element]);
  return room;
}
