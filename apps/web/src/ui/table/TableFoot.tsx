import { cents, sum } from '@evenkeel/core/money';
import type { ReactNode } from 'react';
import { Amount } from '../show/Amount.tsx';
import { type Column, isRight } from './columns.ts';

export interface TableFootProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  count?: (rows: number) => string;
  note?: ReactNode;
}

/** What a column's total shows over the rows that are left. */
export function columnTotal<Row>(column: Column<Row>, rows: readonly Row[]): ReactNode {
  if (column.total === undefined) return null;
  if (column.total !== 'sum') return column.total(rows);
  return <Amount value={sum(rows.map((row) => cents(Number(column.value?.(row) ?? 0))))} />;
}

/** The sticky total row: the count, a quiet note, and each column's total under its figures. */
export function TableFoot<Row>({ columns, rows, count, note }: TableFootProps<Row>) {
  const lead = columns.findIndex((column) => column.kind !== 'action');
  const firstTotal = columns.findIndex((column) => column.total !== undefined);
  const until = firstTotal === -1 ? columns.length : Math.max(firstTotal, lead);
  return (
    <tfoot>
      <tr>
        {lead > 0 && <td colSpan={lead} />}
        {until > lead && (
          <td colSpan={until - lead}>
            {count?.(rows.length)}
            {note !== undefined && <span className="ek-t-note ek-num">{note}</span>}
          </td>
        )}
        {columns.slice(until).map((column) => (
          <td key={column.id} data-right={isRight(column.kind) ? '' : undefined}>
            {columnTotal(column, rows)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
