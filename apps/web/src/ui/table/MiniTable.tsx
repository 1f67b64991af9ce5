import type { ReactNode } from 'react';

export interface MiniColumn<Row> {
  header: string;
  /** Whether the header is only for screen readers, for example above buttons. */
  isHeaderHidden?: boolean;
  render: (row: Row) => ReactNode;
  /** Whether the column is right-aligned, for amounts and percentages. */
  right?: boolean;
  className?: string;
}

export interface MiniTableProps<Row> {
  label?: string;
  columns: readonly MiniColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The footer: its label, and its amount in the last column. `before` is an amount in the column before that. */
  total?: { label: string; value: ReactNode; before?: ReactNode } | undefined;
  className?: string;
  /** Whether the table has no header, because its rows are self-explanatory. */
  isHeadless?: boolean;
  /** Called when the user clicks anywhere in a row. Keyboard users have a button in the row. */
  onOpen?: (row: Row) => void;
}

const mark = (right: boolean | undefined) => (right === true ? '' : undefined);

/** A small table in a panel or card: a few rows, a total, and no sorting. */
export function MiniTable<Row>(props: MiniTableProps<Row>) {
  const { label, columns, rows, keyOf, total, className, isHeadless, onOpen } = props;
  return (
    <table className={className === undefined ? 'ek-mini' : `ek-mini ${className}`} aria-label={label}>
      {isHeadless !== true && (
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" data-right={mark(column.right)}>
                {column.isHeaderHidden === true ? <span className="ek-vh">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} onClick={onOpen && (() => onOpen(row))}>
            {columns.map((column) => (
              <td key={column.header} className={column.className} data-right={mark(column.right)}>
                {column.render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {total !== undefined && (
        <tfoot>
          <tr>
            <td colSpan={columns.length - (total.before === undefined ? 1 : 2)}>{total.label}</td>
            {total.before !== undefined && <td data-right="">{total.before}</td>}
            <td data-right="">{total.value}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
