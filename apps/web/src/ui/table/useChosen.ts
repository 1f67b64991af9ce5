import { useMemo, useRef, useState } from 'react';
import { useAlerts } from '../alerts/Alerts.tsx';
import { isLong, type RowObject, type Rows } from './rows.ts';
import type { RowsResult } from './useRows.ts';

/**
 * A selection stored outside the table, for example in a form. It contains IDs, including the IDs of rows that are not
 * loaded yet.
 */
export interface KeptSelection {
  ids: readonly string[];
  onChange: (ids: readonly string[]) => void;
}

export interface ChosenOptions<Row extends RowObject> {
  rows: Rows<Row> | undefined;
  rowId: (row: Row) => string;
  filter: string;
  isPart: boolean;
  /** The message shown if the missing rows can't be loaded. */
  failed: string;
  kept?: KeptSelection | undefined;
}

type Chosen<Row> = ReadonlyMap<string, Row>;

/**
 * Returns the selected rows by ID, in their last loaded version. A row that a complete list no longer contains is
 * removed.
 */
export function useChosen<Row extends RowObject>({ rows, rowId, filter, isPart, failed, kept }: ChosenOptions<Row>) {
  const alerts = useAlerts();
  const [chosen, setChosen] = useState<Chosen<Row>>(() => new Map());
  const [isReading, setReading] = useState(false);
  const anchor = useRef<string>(undefined);
  const ids = kept?.ids;
  const current = useMemo(() => {
    const here = hereOf(rows, isPart, filter);
    return ids === undefined ? renewed(chosen, here, rowId) : among(here, ids, rowId);
  }, [chosen, ids, rows, isPart, filter, rowId]);
  if (kept === undefined && current.size < chosen.size) setChosen(current);
  const set = (wanted: readonly Row[], on: boolean) => {
    if (kept !== undefined) return kept.onChange(turned(kept.ids, wanted.map(rowId), on));
    setChosen((old) => {
      const next = new Map(old);
      for (const row of wanted) {
        if (on) next.set(rowId(row), row);
        else next.delete(rowId(row));
      }
      return next;
    });
  };
  const clear = () => {
    if (kept === undefined) setChosen(new Map());
    else kept.onChange([]);
    anchor.current = undefined;
  };
  const readAll = (result: RowsResult<Row>, use: (all: readonly Row[]) => void) => {
    if (isReading) return;
    setReading(true);
    result
      .all(() => undefined)
      .then(use)
      .catch(() => alerts.error(failed))
      .finally(() => setReading(false));
  };
  const press = ({ items, ...result }: RowsResult<Row>, index: number, isRange: boolean) => {
    const item = items[index];
    if (item?.kind !== 'row') return;
    const on = !current.has(item.key);
    const from = isRange ? anchor.current : undefined;
    anchor.current = item.key;
    const first = from === undefined ? index : items.findIndex((one) => one?.key === from);
    const between = items.slice(Math.min(first, index), Math.max(first, index) + 1);
    const isHere = first >= 0 && !between.includes(undefined);
    if (isHere) return set(rowsOf(between), on);
    // The start of the range is no longer in a fully loaded list, for example because of a filter.
    if (!items.includes(undefined)) return set([item.row], on);
    // Positions may have changed in the meantime, so the ends of the range are found by ID.
    readAll({ items, ...result }, (all) => {
      const ends = [from, item.key].map((id) => all.findIndex((row) => rowId(row) === id));
      if (ends.includes(-1)) throw new Error('A row at the start or end of the selection no longer exists');
      set(all.slice(Math.min(...ends), Math.max(...ends) + 1), on);
    });
  };
  return { current, set, clear, readAll, press, isReading };
}

/** Returns the IDs after other IDs have been added or removed. */
function turned(ids: readonly string[], wanted: readonly string[], on: boolean): string[] {
  const others = ids.filter((id) => !wanted.includes(id));
  return on ? [...others, ...wanted] : others;
}

/** Returns the loaded rows with these IDs. */
function among<Row>(here: Here<Row> | undefined, ids: readonly string[], rowId: (row: Row) => string): Chosen<Row> {
  const wanted = new Set(ids);
  const rows = here?.rows.filter((row) => wanted.has(rowId(row))) ?? [];
  return new Map(rows.map((row) => [rowId(row), row]));
}

function rowsOf<Row>(items: RowsResult<Row>['items']): Row[] {
  return items.flatMap((item) => (item?.kind === 'row' ? [item.row] : []));
}

interface Here<Row> {
  rows: readonly Row[];
  /** Whether the rows are complete, so that a missing row no longer exists. */
  isWhole: boolean;
}

/** Returns the loaded rows, or undefined until they have loaded. */
function hereOf<Row>(rows: Rows<Row> | undefined, isPart: boolean, filter: string): Here<Row> | undefined {
  if (rows === undefined) return undefined;
  // The table itself filters a list that isn't long, so `rows` is complete.
  if (!isLong(rows)) return { rows, isWhole: !isPart };
  const loaded = rows.parts.flatMap((part) => part.rows);
  return { rows: loaded, isWhole: !isPart && filter.trim() === '' && loaded.length >= rows.total };
}

/** Returns the selected rows with current data, and omits rows that no longer exist. */
function renewed<Row>(chosen: Chosen<Row>, here: Here<Row> | undefined, rowId: (row: Row) => string): Chosen<Row> {
  if (chosen.size === 0 || here === undefined) return chosen;
  const now = new Map(here.isWhole ? [] : chosen);
  for (const row of here.rows) {
    const id = rowId(row);
    if (chosen.has(id)) now.set(id, row);
  }
  return now;
}
