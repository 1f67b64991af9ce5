import './selection.css';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Words } from '../show/words.ts';
import { cellText, type Column } from './columns.ts';
import type { RowObject, Rows } from './rows.ts';
import type { RowSelection } from './rowSelection.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { HeadCheck, RowCheck } from './SelectionChecks.tsx';
import { type KeptSelection, useChosen } from './useChosen.ts';
import type { RowsResult } from './useRows.ts';
import { isKey } from '../keys/keys.ts';

export interface SelectionOptions<Row extends RowObject> {
  /** The table's `rows`, `columns`, `rowId`, and `filter`. */
  rows: Rows<Row> | undefined;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  filter?: string;
  /** Whether the rows are only those loaded so far, in which case a missing row may still exist. */
  isPart?: boolean;
  words: Words;
  /** The IDs of the amount columns that the bar adds up. */
  sums?: readonly string[];
  /** A selection stored outside the table, for example in a form. On a phone, a tap then always selects a row. */
  kept?: KeptSelection | undefined;
  /** Returns the buttons in the bar. */
  actions?: (rows: readonly Row[], clear: () => void) => ReactNode;
}

/**
 * Manages rows selected by ID. The selection survives sorting, filtering, paging, and reloading. A row that a complete
 * list no longer contains is removed. For a partly loaded list, the screen clears the selection after an action.
 */
export function useSelection<Row extends RowObject>(options: SelectionOptions<Row>): RowSelection<Row> {
  const { rows, columns, rowId, words, filter = '', isPart = false, kept } = options;
  const [mode, setMode] = useState(false);
  const chosen = useChosen({ rows, rowId, filter, isPart, failed: `Error Selecting ${words.many}`, kept });
  const { current, set, press, readAll, isReading } = chosen;
  const clear = () => {
    chosen.clear();
    setMode(false);
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
    if (isKey(event, 'select') && index !== undefined) press(result, Number(index), event.shiftKey);
    else if (isKey(event, 'close') && current.size > 0 && kept === undefined) clear();
    else if (isKey(event, 'selectAll')) set(result.shown, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const named = columns.find((column) => (column.kind ?? 'text') === 'text' && column.value !== undefined);
  const shownOf = (result: RowsResult<Row>) => result.shown.filter((row) => current.has(rowId(row))).length;
  const isMode = mode || current.size > 0 || kept !== undefined;
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
    mode:
      kept === undefined
        ? isMode
          ? { label: 'Done', onClick: clear }
          : { label: 'Select', onClick: () => setMode(true) }
        : undefined,
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
