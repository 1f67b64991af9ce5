import type { KeyboardEvent, ReactNode } from 'react';
import type { Column } from './columns.ts';
import type { RowsResult } from './useRows.ts';

/**
 * The selection of a list as its table sees it. `useSelection` makes one; a list without it does not load its code.
 */
export interface RowSelection<Row> {
  has: (id: string) => boolean;
  /** On a phone: a tap on a row selects it and does not open it. */
  isMode: boolean;
  /** Turns the row at `index` over; a range reaches from the row pressed before. */
  press: (result: RowsResult<Row>, index: number, isRange: boolean) => void;
  /** Space on a row, Ctrl+A and Escape; stops the event when it was one of them. */
  onKey: (event: KeyboardEvent, result: RowsResult<Row>) => void;
  /** The box of a row; undefined while the row is on its way. */
  rowCheck: (isSelected: boolean, row: Row | undefined) => ReactNode;
  headCheck: (result: RowsResult<Row>) => ReactNode;
  /** Begins and ends selecting on a phone. */
  modeButton: () => ReactNode;
  /** The count, sums and actions. */
  bar: (result: RowsResult<Row>) => ReactNode;
}

/** The column of the check boxes: always first, and it never gives way. */
export const CHECK_COLUMN: Column<object> = {
  id: 'ek-check',
  header: 'Select',
  kind: 'action',
  rank: 0,
  width: '32px',
};
