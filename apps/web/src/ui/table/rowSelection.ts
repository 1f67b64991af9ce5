import type { KeyboardEvent, ReactNode } from 'react';
import type { Column } from './columns.ts';
import type { RowsResult } from './useRows.ts';

/** The selection in a list's table, created by `useSelection`. Lists without a selection don't load its code. */
export interface RowSelection<Row> {
  has: (id: string) => boolean;
  /** On a phone, whether tapping a row selects it instead of opening it. */
  isMode: boolean;
  /** Toggles the row at `index`. A range starts at the last toggled row. */
  press: (result: RowsResult<Row>, index: number, isRange: boolean) => void;
  /** Handles Space on a row, Ctrl+A, and Escape. Stops the event if it was one of these keys. */
  onKey: (event: KeyboardEvent, result: RowsResult<Row>) => void;
  /** Returns the checkbox for a row. `row` is undefined until it has loaded. */
  rowCheck: (isSelected: boolean, row: Row | undefined) => ReactNode;
  headCheck: (result: RowsResult<Row>) => ReactNode;
  /** Starts or ends the selection mode on a phone. Undefined if a tap always selects a row. */
  mode: { label: string; onClick: () => void } | undefined;
  /** Returns the bar with the count, totals, and actions. */
  bar: (result: RowsResult<Row>) => ReactNode;
}

/** The checkbox column, which is always first and never hidden. */
export const CHECK_COLUMN: Column<object> = {
  id: 'ek-check',
  header: 'Select',
  kind: 'action',
  rank: 0,
  width: '32px',
};
