import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { usePrinting } from '../hooks/printing.ts';

/** The number of items above which a list renders only the visible rows. */
export const VIRTUAL_ABOVE = 200;

export interface WindowOptions {
  count: number;
  container: RefObject<HTMLElement | null>;
  /** The height of an item in px. All items have the same height. */
  height: number;
  /** The height in px that a sticky header and footer cover. */
  head: number;
  foot: number;
  /** Called with the visible items. */
  onView?: ((first: number, last: number) => void) | undefined;
}

export interface Slice {
  index: number;
  /** The empty space before this item, in px. */
  gap: number;
}

export interface ListWindow {
  virtual: boolean;
  slices: (active: number) => Slice[];
  /** The empty space after the last rendered item, in px. */
  after: number;
  reveal: (index: number) => void;
}

/** Returns the items to render. The active item is always included, so that scrolling doesn't lose the focus. */
export function useListWindow(options: WindowOptions): ListWindow {
  const { count, container, height, head, foot, onView } = options;
  const isPrinting = usePrinting();
  const virtual = count > VIRTUAL_ABOVE && !isPrinting;
  const keep = useRef(0);
  const virtualizer = useVirtualizer({
    count: virtual ? count : 0,
    getScrollElement: () => container.current,
    estimateSize: useCallback(() => height, [height]),
    overscan: 14,
    scrollPaddingStart: head,
    scrollPaddingEnd: foot,
    initialRect: { width: 800, height: 700 },
    rangeExtractor: useCallback((range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      if (keep.current >= 0 && keep.current < range.count) indexes.add(keep.current);
      return [...indexes].toSorted((a, b) => a - b);
    }, []),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  const drawn = virtual ? virtualizer.getVirtualItems() : [];
  const inView = virtual ? virtualizer.range : { startIndex: 0, endIndex: count - 1 };
  const [first, last] = [inView?.startIndex ?? 0, inView?.endIndex ?? 0];
  useEffect(() => onView?.(first, last), [onView, first, last]);
  const end = drawn.at(-1)?.end ?? 0;
  return {
    virtual,
    after: virtual ? virtualizer.getTotalSize() - end : 0,
    slices: (active) => {
      keep.current = active;
      if (!virtual) return Array.from({ length: count }, (_, index) => ({ index, gap: 0 }));
      return drawn.map((item, at) => ({ index: item.index, gap: item.start - (drawn[at - 1]?.end ?? 0) }));
    },
    reveal: (index) => {
      keep.current = index;
      if (virtual) virtualizer.scrollToIndex(index, { align: 'auto' });
      else revealDrawn(container.current, index, { head, foot });
    },
  };
}

function revealDrawn(container: HTMLElement | null, index: number, cover: { head: number; foot: number }) {
  const row = container?.querySelector<HTMLElement>(`[data-item="${index}"]`);
  if (container === null || row === null || row === undefined) return;
  const box = container.getBoundingClientRect();
  const place = row.getBoundingClientRect();
  const above = box.top + cover.head - place.top;
  const below = place.bottom - (box.bottom - cover.foot);
  if (above > 0) container.scrollTop -= above;
  else if (below > 0) container.scrollTop += below;
}
