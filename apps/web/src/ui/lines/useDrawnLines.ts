import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { usePrinting } from '../hooks/printing.ts';

/** Lines of a form beyond this many are drawn only in view. */
const ALL_UP_TO = 60;

export interface DrawnLine {
  index: number;
  /** px of empty space before it. */
  gap: number;
}

export interface DrawnLines {
  /** True when not all lines are in the document. */
  isPart: boolean;
  lines: DrawnLine[];
  /** px of empty space after the last. */
  after: number;
  /** The ref of a line's element, which tells its index as `data-index`: lines differ in height. */
  measure: ((element: Element | null) => void) | undefined;
  /** Call with what has got the focus: its line stays in the document when it is scrolled out of view. */
  onFocus: (target: Element) => void;
}

/** The element that scrolls around a list, e.g. the body of a dialog. */
function scrollerOf(list: Element | null): Element | null {
  for (let around = list?.parentElement ?? null; around !== null; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return null;
}

interface DrawnLinesOptions {
  count: number;
  /** px of a usual line. */
  height: number;
  /** The line in work, which stays in the document. */
  kept?: number | undefined;
}

/** The lines to draw of a list inside a scrolling form: all of a short list, those in view of a long one. */
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
    // A row that is not laid out has no height yet.
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
