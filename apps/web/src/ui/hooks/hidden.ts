import { type RefObject, useCallback, useEffect, useState } from 'react';

/**
 * Returns whether a row that scrolls sideways has content to the right of its visible part. `content` is a value that
 * changes with the content.
 */
export function useHidden(row: RefObject<HTMLElement | null>, content: string | number | undefined) {
  const [hasMore, setMore] = useState(false);
  const measure = useCallback(() => {
    const { current } = row;
    setMore(current !== null && current.scrollWidth - current.clientWidth - current.scrollLeft > 1);
  }, [row]);
  useEffect(() => {
    measure();
    if (row.current === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [row, measure, content]);
  return { hasMore, onScroll: measure };
}
