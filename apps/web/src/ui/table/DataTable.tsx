import './table.css';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useNarrow } from '../hooks/media.ts';
import { EmptyState, type EmptyStateProps, ErrorState } from '../show/EmptyState.tsx';
import type { Column } from './columns.ts';
import { fitColumns } from './fitColumns.ts';
import { type PhoneRow, RowList } from './RowList.tsx';
import { CHECK_COLUMN, type RowSelection } from './rowSelection.ts';
import { ListSkeleton, Skeleton } from './Skeleton.tsx';
import { TableFrame } from './TableFrame.tsx';
import { TableHead } from './TableHead.tsx';
import { TableView } from './TableView.tsx';
import { useRoom } from './useRoom.ts';
import { isLong, type ReadAll, type RowObject, type Rows, type Sums } from './rows.ts';
import { useListOutput } from './useListOutput.ts';
import { type RowsResult, type SortBy, useRows } from './useRows.ts';

export interface DataTableProps<Row extends RowObject> {
  /** The name of the table, e.g. `Open Invoices`. */
  label: string;
  /** Hoist or memoise: a new array sorts anew. */
  columns: readonly Column<Row>[];
  /** The columns of a file, where it says more of a row than fits on the screen. */
  inFiles?: readonly Column<Row>[] | undefined;
  /** Undefined while loading. A long list comes sorted and filtered. */
  rows: Rows<Row> | undefined;
  /** Hoist: the identity is a memo key. */
  rowId: (row: Row) => string;
  defaultSort?: SortBy;
  /** The sort, where it is kept outside: `{...useAddressSort(…)}`. */
  sort?: SortBy | undefined;
  onSort?: ((sort: SortBy) => void) | undefined;
  /** Words that must all occur in a row. */
  filter?: string;
  /** Shown as `Error! {message}` with Retry; wins over the rows. */
  error?: string | undefined;
  onRetry?: (() => void) | undefined;
  empty: EmptyStateProps;
  onOpen?: ((row: Row) => void) | undefined;
  /** Escape inside the table, e.g. closes the panel beside it. */
  onEscape?: (() => void) | undefined;
  /** The open record. */
  selectedId?: string | undefined;
  density?: 'default' | 'compact' | 'relaxed';
  /** Words of the total row, e.g. `(n) => \`${n} invoices\``. */
  count?: (rows: number) => string;
  /** Quiet words beside the count; of the rows that are left, or the sums of a long list. */
  note?: ReactNode | ((rows: readonly Row[], sums: Sums | undefined) => ReactNode);
  /** Rows are gathered under heads, in the order of their first row. Hoist. */
  groupOf?: (row: Row) => string;
  /** Rows on the sunken ground, e.g. a balance brought forward. */
  isQuiet?: (row: Row) => boolean;
  /** Reads every row, for a file or for paper, while `rows` are not all of them. */
  readAll?: ReadAll<Row> | undefined;
  /** Rows can be selected: `useSelection({ … })`. */
  selection?: RowSelection<Row> | undefined;
  /** Below 768 px: two-line rows instead of a table. */
  phoneRow?: (row: Row) => PhoneRow;
}

const NO_ROWS: readonly never[] = [];

/**
 * The one table: sorting, filtering, keyboard, totals, 50,000 rows, two-line rows on a phone, and its own place for
 * loading, empty and failed. Rows: arrows, Page Up/Down, Home, End; Enter opens; Escape leaves.
 */
export function DataTable<Row extends RowObject>(props: DataTableProps<Row>) {
  const { rowId, filter = '', selection } = props;
  const hasChecks = selection !== undefined;
  const columns = useMemo(
    () => (hasChecks ? [CHECK_COLUMN, ...props.columns] : props.columns),
    [hasChecks, props.columns],
  );
  const narrow = useNarrow();
  const [stable] = useState(() => ({ groupOf: props.groupOf }));
  const result = useRows({
    rows: props.rows ?? NO_ROWS,
    columns,
    rowId,
    filter,
    defaultSort: props.defaultSort,
    sort: props.sort,
    onSort: props.onSort,
    groupOf: stable.groupOf,
    readAll: props.readAll,
  });
  const { shown, sums, count } = result;
  const output = useListOutput(props.label, props.inFiles ?? columns, result);
  const note = typeof props.note === 'function' ? props.note(shown, sums) : props.note;
  const { phoneRow } = props;
  const list = { ...props, columns, result, note, output };
  const hasRows = props.error === undefined && props.rows !== undefined && count > 0;
  const isList = narrow && phoneRow !== undefined;
  return (
    <>
      {!hasRows && <TableInstead {...props} columns={columns} result={result} />}
      {hasRows && (isList ? <RowList {...list} phoneRow={phoneRow} /> : <TableView {...list} />)}
      {selection?.bar(result)}
    </>
  );
}

/** The head with what stands in the place of rows. */
function TableInstead<Row extends RowObject>(props: DataTableProps<Row> & { result: RowsResult<Row> }) {
  const container = useRef<HTMLDivElement>(null);
  const room = useRoom(container);
  const isLoading = props.rows === undefined && props.error === undefined;
  const fitted = fitColumns(props.columns, NO_ROWS, room);
  // Two-line rows have no columns, so neither has what stands for them.
  if (useNarrow() && props.phoneRow !== undefined) {
    return (
      <div className="ek-tw" ref={container}>
        {isLoading ? <ListSkeleton label={props.label} /> : <Instead {...props} />}
      </div>
    );
  }
  return (
    <TableFrame container={container} aria-label={props.label} aria-busy={isLoading} after={<Instead {...props} />}>
      <TableHead columns={fitted} sort={props.result.sort} check={props.selection?.headCheck(props.result)} />
      {isLoading && <Skeleton columns={fitted.map(({ column }) => column)} />}
    </TableFrame>
  );
}

function Instead<Row extends RowObject>({ error, onRetry, rows, filter, empty }: DataTableProps<Row>) {
  if (error !== undefined) return <ErrorState message={error} onRetry={onRetry} />;
  if (rows === undefined) return null;
  const words = filter?.trim() ?? '';
  const isFound = isLong(rows) ? words === '' : rows.length === 0;
  if (!isFound) return <EmptyState title="No results" hint={`No rows match “${words}”.`} />;
  return <EmptyState {...empty} />;
}
