import './selection.css';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useAlerts } from '../alerts/Alerts.tsx';
import type { Words } from '../show/words.ts';
import { cellText, type Column } from './columns.ts';
import { isLong, type RowObject, type Rows } from './rows.ts';
import type { RowSelection } from './rowSelection.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { HeadCheck, RowCheck } from './SelectionChecks.tsx';
import type { RowsResult } from './useRows.ts';

export interface SelectionOptions<Row extends RowObject> {
  /** `rows`, `columns`, `rowId` and `filter` are those of the table. */
  rows: Rows<Row> | undefined;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  filter?: string;
  /** The rows are those read so far: one that is not among them may still be there. */
  isPart?: boolean;
  words: Words;
  /** Ids of the amount columns that the bar sums. */
  sums?: readonly string[];
  /** Buttons of the bar. */
  actions?: (rows: readonly Row[], clear: () => void) => ReactNode;
}

type Chosen<Row> = ReadonlyMap<string, Row>;

/**
 * Rows selected by id. The selection survives sorting, filtering, paging and re-reading, and holds each row as it was
 * read last. A row that a whole list no longer has leaves it.
 */
export function useSelection<Row extends RowObject>(options: SelectionOptions<Row>): RowSelection<Row> {
  const { columns, rowId, words } = options;
  const alerts = useAlerts();
  const [chosen, setChosen] = useState<Chosen<Row>>(() => new Map());
  const [mode, setMode] = useState(false);
  const [isReading, setReading] = useState(false);
  const anchor = useRef<string>(undefined);
  const { rows, isPart = false, filter = '' } = options;
  const current = useMemo(
    () => renewed(chosen, hereOf(rows, isPart || (isLong(rows) && filter.trim() !== '')), rowId),
    [chosen, rows, isPart, filter, rowId],
  );
  if (current.size < chosen.size) setChosen(current);
  const set = (wanted: readonly Row[], on: boolean) =>
    setChosen((old) => {
      const next = new Map(old);
      for (const row of wanted) {
        if (on) next.set(rowId(row), row);
        else next.delete(rowId(row));
      }
      return next;
    });
  const clear = () => {
    setChosen(new Map());
    setMode(false);
    anchor.current = undefined;
  };
  const readAll = (result: RowsResult<Row>, use: (all: readonly Row[]) => void) => {
    if (isReading) return;
    setReading(true);
    result
      .all(() => undefined)
      .then(use)
      .catch(() => alerts.error(`Error Selecting ${words.many}`))
      .finally(() => setReading(false));
  };
  const press = (result: RowsResult<Row>, index: number, isRange: boolean) => {
    const item = result.items[index];
    if (item?.kind !== 'row') return;
    const { key } = item;
    const on = !current.has(key);
    const first = isRange ? result.items.findIndex((one) => one?.key === anchor.current) : -1;
    const from = anchor.current;
    anchor.current = key;
    const [low, high] = first === -1 ? [index, index] : [Math.min(first, index), Math.max(first, index)];
    const between = result.items.slice(low, high + 1);
    if (!between.includes(undefined)) return set(rowsOf(between), on);
    // Rows between the two are not here yet. Places may have moved meanwhile, so the ends are found by id.
    readAll(result, (all) => {
      const ends = [from, key].map((id) => all.findIndex((row) => rowId(row) === id)).toSorted((a, b) => a - b);
      const [start = -1, end = -1] = ends;
      if (start >= 0) set(all.slice(start, end + 1), on);
    });
  };
  const toggleShown = (result: RowsResult<Row>) =>
    set(
      result.shown,
      result.shown.some((row) => !current.has(rowId(row))),
    );
  const onKey = (event: KeyboardEvent, result: RowsResult<Row>) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.matches('textarea, select, input:not([type="checkbox"])')) return;
    const index = target.dataset['item'];
    if (event.key === ' ' && index !== undefined) press(result, Number(index), event.shiftKey);
    else if (event.key === 'Escape' && current.size > 0) clear();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) set(result.shown, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const named = columns.find((column) => (column.kind ?? 'text') === 'text' && column.value !== undefined);
  const shownOf = (result: RowsResult<Row>) => result.shown.filter((row) => current.has(rowId(row))).length;
  const isMode = mode || current.size > 0;
  return {
    has: (id) => current.has(id),
    isMode,
    press,
    onKey,
    rowCheck: (isSelected, row) => (
      <RowCheck isSelected={isSelected} name={row && (named === undefined ? rowId(row) : cellText(named, row))} />
    ),
    headCheck: (result) => (
      <HeadCheck result={result} selected={shownOf(result)} words={words} onToggle={() => toggleShown(result)} />
    ),
    modeButton: () => (
      <button type="button" className="ek-link ek-sel-mode" onClick={isMode ? clear : () => setMode(true)}>
        {isMode ? 'Done' : 'Select'}
      </button>
    ),
    bar: (result) => (
      <SelectionBar
        {...options}
        selected={[...current.values()]}
        shown={shownOf(result)}
        result={result}
        isReading={isReading}
        onAll={() => readAll(result, (all) => set(all, true))}
        onClear={clear}
      />
    ),
  };
}

function rowsOf<Row>(items: RowsResult<Row>['items']): Row[] {
  return items.flatMap((item) => (item?.kind === 'row' ? [item.row] : []));
}

interface Here<Row> {
  rows: readonly Row[];
  /** A row that is not among them is gone. */
  isWhole: boolean;
}

/** The rows that are here; undefined while they load. */
function hereOf<Row>(rows: Rows<Row> | undefined, isPart: boolean): Here<Row> | undefined {
  if (rows === undefined) return undefined;
  // The table itself filters a list that is not long, so `rows` are all of it.
  if (!isLong(rows)) return { rows, isWhole: !isPart };
  const loaded = rows.parts.flatMap((part) => part.rows);
  return { rows: loaded, isWhole: !isPart && loaded.length >= rows.total };
}

/** The chosen rows as they are now, without those that are gone. */
function renewed<Row>(chosen: Chosen<Row>, here: Here<Row> | undefined, rowId: (row: Row) => string): Chosen<Row> {
  if (chosen.size === 0 || here === undefined) return chosen;
  const now = new Map(here.isWhole ? [] : chosen);
  for (const row of here.rows) {
    const id = rowId(row);
    if (chosen.has(id)) now.set(id, row);
  }
  return now;
}
