import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RowsResult } from './useRows.ts';
import { isKey, type Pressed } from '../keys/keys.ts';

export interface RowKeysOptions<Row> {
  items: RowsResult<Row>['items'];
  container: RefObject<HTMLElement | null>;
  /** Scrolls an item into view before the item takes the focus. */
  reveal: (itemIndex: number) => void;
  /**
   * The ID of the open record. Its row scrolls into view when the record opens, and when a saved record first appears
   * in the list. The row takes the focus when the record's panel closes.
   */
  selectedId: string | undefined;
  onOpen: ((row: Row) => void) | undefined;
  onEscape: (() => void) | undefined;
}

export interface RowKeys {
  /** The index of the item that Tab reaches. */
  active: number;
  setActive: (itemIndex: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

const PAGE_ROWS = 12;

/**
 * Moves the focused row with the arrow keys, Page Up and Down, Home, and End. Enter opens the row, and Escape leaves
 * the table.
 */
export function useRowKeys<Row>(options: RowKeysOptions<Row>): RowKeys {
  const { items, container, reveal, selectedId } = options;
  const [wanted, setActive] = useState(0);
  const opened = selectedId === undefined ? -1 : items.findIndex((item) => item?.key === selectedId);
  const show = useEffectEvent(() => {
    reveal(opened);
    setActive(opened);
  });
  const isThere = opened >= 0;
  useEffect(() => {
    if (isThere) show();
  }, [selectedId, isThere]);
  const before = useRef(selectedId);
  useEffect(() => {
    const isClosed = before.current !== undefined && selectedId === undefined;
    before.current = selectedId;
    // The focus was in the panel that closed.
    if (!isClosed || document.activeElement !== document.body) return;
    container.current?.querySelector<HTMLElement>('[data-active-row]')?.focus({ preventScroll: true });
  }, [container, selectedId]);
  const toFocus = useRef(false);
  const active = nearestRow(items, wanted, 1);

  useEffect(() => {
    if (!toFocus.current) return;
    // In a long list, the row may appear several updates later, after scrolling.
    const row = container.current?.querySelector<HTMLElement>('[data-active-row]');
    if (row === null || row === undefined) return;
    toFocus.current = false;
    row.focus({ preventScroll: true });
  });

  const move = (to: number, step: 1 | -1) => {
    const next = nearestRow(items, Math.max(0, Math.min(items.length - 1, to)), step);
    if (next === active) return;
    toFocus.current = true;
    reveal(next);
    setActive(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isKey(event, 'close')) return options.onEscape?.();
    if (!(event.target instanceof HTMLElement) || event.target.dataset['activeRow'] === undefined) return;
    const item = items[active];
    if (isKey(event, 'open') && item?.kind === 'row') options.onOpen?.(item.row);
    else if (!moveByKey(event, { active, last: items.length - 1, move })) return;
    event.preventDefault();
  };
  return { active, setActive, onKeyDown };
}

interface Moves {
  active: number;
  last: number;
  move: (to: number, step: 1 | -1) => void;
}

function moveByKey(event: Pressed, { active, last, move }: Moves): boolean {
  if (isKey(event, 'down')) move(active + 1, 1);
  else if (isKey(event, 'up')) move(active - 1, -1);
  else if (isKey(event, 'pageDown')) move(active + PAGE_ROWS, 1);
  else if (isKey(event, 'pageUp')) move(active - PAGE_ROWS, -1);
  else if (isKey(event, 'first')) move(0, 1);
  else if (isKey(event, 'last')) move(last, -1);
  else return false;
  return true;
}

/**
 * Returns the index of the nearest row, searching first in the direction of travel and then in the opposite direction.
 * An item that isn't loaded yet counts as a row.
 */
function nearestRow(items: RowsResult<unknown>['items'], index: number, step: 1 | -1): number {
  const isRow = (at: number) => items[at]?.kind !== 'group';
  const start = Math.max(0, Math.min(items.length - 1, index));
  for (let at = start; at >= 0 && at < items.length; at += step) if (isRow(at)) return at;
  for (let at = start; at >= 0 && at < items.length; at -= step) if (isRow(at)) return at;
  return -1;
}
