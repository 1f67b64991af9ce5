import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type Key, type RefCallback, type RefObject, useCallback, useMemo, useRef } from 'react';
import { type Slice, VIRTUAL_ABOVE } from '../../ui/table/useWindow.ts';
import type { PageRow } from './reportRows.ts';

export interface ReportWindowOptions {
  rows: readonly PageRow[];
  /** It scrolls within the report's pane. */
  table: RefObject<HTMLTableElement | null>;
  /** So many rows at the start are always drawn, as the head of the table. */
  head: number;
  /** px that a line has until it is measured. */
  height: number;
  /** The figure that is explained: its row stays drawn, since the focus comes back to it. */
  chosen: string | undefined;
  /** A table that is drawn for paper alone begins with all its rows. */
  isPrinting: boolean;
}

export interface ReportWindow {
  isVirtual: boolean;
  /** The rows to draw after the head, with the empty space to leave before each. */
  slices: readonly Slice[];
  /** px of empty space after the last one. */
  after: number;
  /** For each drawn row of a window; undefined where all are drawn. */
  rowProps: (index: number) => RowWindowProps;
  /** Hears which row has the focus, so that it is not lost by scrolling away. */
  onFocus: (event: FocusEvent) => void;
}

/** Attributes of a row in a window; none where all rows are drawn. */
export interface RowWindowProps {
  ref?: RefCallback<HTMLTableRowElement>;
  'data-index'?: number;
  'aria-rowindex'?: number;
}

const WITHOUT_WINDOW: RowWindowProps = {};

/**
 * The rows of a report to draw: above 200 those in view, and some that must stay. These are the
 * heads above the rows in view, which stick to the top, the row that has the focus and the one that is explained.
 */
export function useReportWindow(options: ReportWindowOptions): ReportWindow {
  const { rows, table, head, height, chosen, isPrinting } = options;
  const isVirtual = rows.length > VIRTUAL_ABOVE && !isPrinting;
  const focused = useRef(-1);
  const headsOf = useMemo(() => headsAbove(rows), [rows]);
  const chosenAt = useMemo(() => placeOf(rows, chosen), [rows, chosen]);
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length - head : 0,
    getScrollElement: () => table.current?.closest('.rp-scroll') ?? null,
    getItemKey: useCallback((item: number): Key => rows[item + head]?.key ?? item, [rows, head]),
    estimateSize: useCallback(() => height, [height]),
    // Rows of a hidden pane have no height.
    measureElement: (row) => row.getBoundingClientRect().height || height,
    overscan: 10,
    initialRect: { width: 800, height: 700 },
    rangeExtractor: useCallback(
      (range: Range) => {
        const kept = [(headsOf[range.startIndex + head] ?? -1) - head, focused.current - head, chosenAt - head];
        const there = kept.filter((item) => item >= 0 && item < range.count);
        return [...new Set([...there, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b);
      },
      [headsOf, chosenAt, head],
    ),
  });
  const drawn = virtualizer.getVirtualItems();
  const measure = virtualizer.measureElement;
  const end = drawn.at(-1)?.end ?? 0;
  return {
    isVirtual,
    slices: isVirtual
      ? drawn.map(({ index, start }, at) => ({ index: index + head, gap: start - (drawn[at - 1]?.end ?? 0) }))
      : rows.slice(head).map((_, index) => ({ index: index + head, gap: 0 })),
    after: isVirtual ? virtualizer.getTotalSize() - end : 0,
    rowProps: (index) => {
      if (!isVirtual) return WITHOUT_WINDOW;
      const place = { 'aria-rowindex': index + 1 };
      return index < head ? place : { ...place, ref: measure, 'data-index': index - head };
    },
    onFocus: ({ target }) => {
      const item = target.closest('tr')?.dataset['index'];
      focused.current = item === undefined ? -1 : Number(item) + head;
    },
  };
}

/** For each row the place of the heads above it; -1 where there are none. */
function headsAbove(rows: readonly PageRow[]): number[] {
  let last = -1;
  return rows.map(({ look }, index) => {
    if (look === 'heads') last = index;
    return last;
  });
}

/** The place of a figure's row; -1 where it has none. */
function placeOf(rows: readonly PageRow[], figure: string | undefined): number {
  if (figure === undefined) return -1;
  const key = figure.slice(0, figure.lastIndexOf('/'));
  return rows.findIndex((row) => row.key === key);
}
