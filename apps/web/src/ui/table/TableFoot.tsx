import { cents, sum } from '@evenkeel/core/money';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionMenu } from '../overlay/ActionMenu.tsx';
import { Amount } from '../show/Amount.tsx';
import { ICON_SMALL } from '../show/icons.ts';
import { type Column, isRight } from './columns.ts';
import type { ListOutput } from './useListOutput.ts';
import type { RowsResult } from './useRows.ts';

export interface TableFootProps<Row> {
  columns: readonly Column<Row>[];
  result: RowsResult<Row>;
  count?: (rows: number) => string;
  note?: ReactNode;
  /** Saves and prints the filtered list. */
  output: ListOutput;
}

/** Returns the total of a column over the filtered rows. A long list provides its own total. */
export function columnTotal<Row>(column: Column<Row>, result: RowsResult<Row>): ReactNode {
  const total = plainTotal(column, result);
  return total === null || total === false ? total : (column.wrapTotal?.(total) ?? total);
}

function plainTotal<Row>(column: Column<Row>, { shown, sums }: RowsResult<Row>): ReactNode {
  if (column.total === undefined) return null;
  if (sums !== undefined) return sums[column.id] !== undefined && <Amount value={cents(sums[column.id] ?? 0)} />;
  if (column.total !== 'sum') return <Amount value={column.total} />;
  const total = sum(shown.map((row) => cents(Number(column.value?.(row) ?? 0))));
  return column.kind === 'number' ? total.toLocaleString('en-US') : <Amount value={total} />;
}

/** The sticky total row with the count, a muted note, and each column's total below its amounts. */
export function TableFoot<Row>({ columns, result, count, note, output }: TableFootProps<Row>) {
  const lead = columns.findIndex((column) => column.kind !== 'action');
  const firstTotal = columns.findIndex((column) => column.total !== undefined);
  const until = firstTotal === -1 ? columns.length : Math.max(firstTotal, lead);
  return (
    <tfoot>
      <tr>
        {lead > 0 && <td colSpan={lead} />}
        {until > lead && (
          <td colSpan={until - lead}>
            {count?.(result.count)}
            {note !== undefined && <span className="ek-t-note ek-num">{note}</span>}
            {output.isOwn && <ListMenu output={output} />}
            {output.progress !== undefined && (
              <span className="ek-t-note ek-num" role="status">
                {output.progress}
              </span>
            )}
          </td>
        )}
        {columns.slice(until).map((column) => (
          <td key={column.id} data-right={isRight(column.kind) ? '' : undefined}>
            {columnTotal(column, result)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** The ⋯ menu of a list that isn't on a page. */
export function ListMenu({ output: { actions } }: { output: ListOutput }) {
  return (
    <ActionMenu
      position="top-end"
      actions={actions}
      button={
        <button type="button" className="ek-t-csv" aria-label="List actions">
          <IconDots {...ICON_SMALL} />
        </button>
      }
    />
  );
}
