import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { usePrinting } from '../hooks/printing.ts';

/** The number of lines above which a form renders only the visible ones. */
const ALL_UP_TO = 60;

export interface DrawnLine {
  index: number;
  /** The empty space before the line, in px. */
  gap: number;
}

export interface DrawnLines {
  /** Whether some lines are not in the document. */
  isPart: boolean;
  lines: DrawnLine[];
  /** The empty space after the last line, in px. */
  after: number;
  /**
   * The ref of a line's element, which measures the line, because line heights differ. The element has its index in
   * `data-index`.
   */
  measure: ((element: Element | null) => void) | undefined;
  /**
   * Call this function with the focused element. The element's line then stays in the document when it is scrolled out
   * of view.
   */
  onFocus: (target: Element) => void;
}

/** Returns the scrolling element around a list, for example the body of a dialog. */
function scrollerOf(list: Element | null): Element | null {
  for (let around = list?.parentElement ?? null; around !== null; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return null;
}

interface DrawnLinesOptions {
  count: number;
  /** The height of a typical line in px. */
  height: number;
  /** The index of the edited line, which stays in the document. */
  kept?: number | undefined;
}

/**
 * Returns the lines to render for a list in a scrolling form: all lines of a short list, and the visible ones of a long
 * list.
 */
export function useDrawnLines(list: RefObject<Element | null>, options: DrawnLinesOptions): DrawnLines {
  const { count, height, kept } = options;
  const isPrinting = usePrinting();
  const isPart = count > ALL_UP_TO && !isPrinting;
  const focused = useRef<number>(undefined);
  const [scrollMargin, setMargin] = useState(0);
  const virtualizer = useVirtualizer({
    count: isPart ? count : 0,
    getScrollElement: () => (isPart ? scrollerOf(list.current) : null),
    estimateSize: useCallback(() => height, [height]),
    // A row without layout has no height yet.
    measureElement: (element) => element.getBoundingClientRect().height || height,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 800, height: 700 },
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = new Set(defaultRangeExtractor(range));
        for (const index of [kept, focused.current]) {
          if (index !== undefined && index >= 0 && index < range.count) indexes.add(index);
        }
        return [...indexes].toSorted((a, b) => a - b);
      },
      [kept],
    ),
  });
  useLayoutEffect(() => {
    const scroller = isPart ? scrollerOf(list.current) : null;
    if (scroller === null || list.current === null) return;
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    setMargin(Math.round(top + scroller.scrollTop));
  }, [isPart, count, list]);
  const drawn = isPart ? virtualizer.getVirtualItems() : [];
  const end = drawn.at(-1)?.end ?? scrollMargin;
  return {
    isPart,
    lines: isPart
      ? drawn.map((item, at) => ({ index: item.index, gap: item.start - (drawn[at - 1]?.end ?? scrollMargin) }))
      : Array.from({ length: count }, (_, index) => ({ index, gap: 0 })),
    after: isPart ? virtualizer.getTotalSize() + scrollMargin - end : 0,
    measure: isPart ? virtualizer.measureElement : undefined,
    onFocus: (target) => {
      const index = target.closest('[data-index]')?.getAttribute('data-index');
      focused.current = index === null || index === undefined ? undefined : Number(index);
    },
  };
}
