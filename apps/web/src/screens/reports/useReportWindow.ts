import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type Key, type RefCallback, type RefObject, useCallback, useMemo, useRef } from 'react';
import { type Slice, VIRTUAL_ABOVE } from '../../ui/table/useWindow.ts';
import type { PageRow } from './reportRows.ts';

export interface ReportWindowOptions {
  rows: readonly PageRow[];
  /** The table, which scrolls within the report's pane. */
  table: RefObject<HTMLTableElement | null>;
  /** The number of rows at the start that are always rendered as the table header. */
  head: number;
  /** The height of a line in px before it is measured. */
  height: number;
  /** The selected amount, whose row stays rendered because the focus returns to the amount. */
  chosen: string | undefined;
  /** Whether the table is rendered only for print, with all rows from the start. */
  isPrinting: boolean;
}

export interface ReportWindow {
  isVirtual: boolean;
  /** The rows to render after the header, with the empty space before each slice. */
  slices: readonly Slice[];
  /** The empty space after the last row, in px. */
  after: number;
  /** Returns the attributes of a rendered row, or an empty object if all rows are rendered. */
  rowProps: (index: number) => RowWindowProps;
  /** Records the focused row, so that scrolling doesn't remove it. */
  onFocus: (event: FocusEvent) => void;
}

/** The attributes of a row in a window. Empty if all rows are rendered. */
export interface RowWindowProps {
  ref?: RefCallback<HTMLTableRowElement>;
  'data-index'?: number;
  'aria-rowindex'?: number;
}

const WITHOUT_WINDOW: RowWindowProps = {};

/**
 * Returns the rows of a report to render. Above 200 rows, these are the visible ones, their sticky headings, the
 * focused row, and the row of the selected amount.
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
    // Rows in a hidden pane have no height.
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

/** Returns the index of the headings above each row, or -1 if there are none. */
function headsAbove(rows: readonly PageRow[]): number[] {
  let last = -1;
  return rows.map(({ look }, index) => {
    if (look === 'heads') last = index;
    return last;
  });
}

/** Returns the index of the row that contains an amount, or -1 if there is none. */
function placeOf(rows: readonly PageRow[], figure: string | undefined): number {
  if (figure === undefined) return -1;
  const key = figure.slice(0, figure.lastIndexOf('/'));
  return rows.findIndex((row) => row.key === key);
}
