import type { ReactNode } from 'react';

export interface MiniColumn<Row> {
  header: string;
  /** The head is for screen readers alone, e.g. of buttons. */
  isHeaderHidden?: boolean;
  render: (row: Row) => ReactNode;
  /** Amounts and percentages. */
  right?: boolean;
  className?: string;
}

export interface MiniTableProps<Row> {
  label?: string;
  columns: readonly MiniColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The foot: its words, then its figure in the last column; `before` is a figure in the one before that. */
  total?: { label: string; value: ReactNode; before?: ReactNode } | undefined;
  className?: string;
  /** The rows say by themselves what they are: there is no head. */
  isHeadless?: boolean;
  /** A click anywhere in a row; the keyboard has a button in it. */
  onOpen?: (row: Row) => void;
}

const mark = (right: boolean | undefined) => (right === true ? '' : undefined);

/** A small table in a panel or card: a few rows, no sorting, a total. */
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
