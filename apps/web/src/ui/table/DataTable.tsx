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
  /** The accessible name of the table, for example `Open Invoices`. */
  label: string;
  /** The columns. Define them outside of components or memoize them, because a new array sorts the rows again. */
  columns: readonly Column<Row>[];
  /** The columns of an exported file, if they differ from the displayed ones. */
  inFiles?: readonly Column<Row>[] | undefined;
  /** Undefined while loading. A long list is already sorted and filtered. */
  rows: Rows<Row> | undefined;
  /** Define this function outside of components, because its identity is a memo key. */
  rowId: (row: Row) => string;
  defaultSort?: SortBy;
  /** The sort order, if it is stored outside the table: `{...useAddressSort(…)}`. */
  sort?: SortBy | undefined;
  onSort?: ((sort: SortBy) => void) | undefined;
  /** Words that must all occur in a row. */
  filter?: string;
  /** Shown as `Error! {message}` with Retry, instead of the rows. */
  error?: string | undefined;
  onRetry?: (() => void) | undefined;
  empty: EmptyStateProps;
  onOpen?: ((row: Row) => void) | undefined;
  /** Called when Escape is pressed in the table, for example to close the panel next to it. */
  onEscape?: (() => void) | undefined;
  /** The ID of the open record. */
  selectedId?: string | undefined;
  density?: 'default' | 'compact' | 'relaxed';
  /** Returns the text of the total row, for example `(n) => \`${n} invoices\``. */
  count?: (rows: number) => string;
  /** A muted note next to the count. A function receives the filtered rows, or the totals of a long list. */
  note?: ReactNode | ((rows: readonly Row[], sums: Sums | undefined) => ReactNode);
  /**
   * Returns the heading of a row's group. Groups are in the order of their first rows. Define this function outside of
   * components.
   */
  groupOf?: (row: Row) => string;
  /** Returns whether a row is muted, for example a balance brought forward. */
  isQuiet?: (row: Row) => boolean;
  /** Loads all rows for a file or for printing, if `rows` isn't complete. */
  readAll?: ReadAll<Row> | undefined;
  /** Makes rows selectable: `useSelection({ … })`. */
  selection?: RowSelection<Row> | undefined;
  /** Returns the two-line layout of a row below 768 px. */
  phoneRow?: (row: Row) => PhoneRow;
}

const NO_ROWS: readonly never[] = [];

/**
 * The table used for all lists, with sorting, filtering, totals, and states for loading, empty, and error. It handles
 * 50,000 rows and shows two-line rows on a phone. Arrow keys, Page Up/Down, Home, and End move between rows. Enter
 * opens a row, and Escape leaves the table.
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
  const { phoneRow } = props;
  const isList = narrow && phoneRow !== undefined;
  const mode = isList ? selection?.mode : undefined;
  const output = useListOutput(props.label, props.inFiles ?? columns, result, mode);
  const note = typeof props.note === 'function' ? props.note(shown, sums) : props.note;
  const list = { ...props, columns, result, note, output };
  const hasRows = props.error === undefined && props.rows !== undefined && count > 0;
  return (
    <>
      {!hasRows && (isList ? <ListInstead {...list} /> : <TableInstead {...list} />)}
      {hasRows && (isList ? <RowList {...list} phoneRow={phoneRow} /> : <TableView {...list} />)}
      {selection?.bar(result)}
    </>
  );
}

type InsteadProps<Row extends RowObject> = DataTableProps<Row> & { result: RowsResult<Row> };

const isLoading = ({ rows, error }: Pick<InsteadProps<RowObject>, 'rows' | 'error'>) =>
  rows === undefined && error === undefined;

/** The content of an empty list on a phone. Two-line rows have no columns. */
function ListInstead<Row extends RowObject>(props: InsteadProps<Row>) {
  return (
    <div className="ek-tw">{isLoading(props) ? <ListSkeleton label={props.label} /> : <Instead {...props} />}</div>
  );
}

/** The table header with the content shown instead of rows. */
function TableInstead<Row extends RowObject>(props: InsteadProps<Row>) {
  const container = useRef<HTMLDivElement>(null);
  const fitted = fitColumns(props.columns, NO_ROWS, useRoom(container));
  return (
    <TableFrame
      container={container}
      aria-label={props.label}
      aria-busy={isLoading(props)}
      after={<Instead {...props} />}
    >
      <TableHead columns={fitted} sort={props.result.sort} check={props.selection?.headCheck(props.result)} />
      {isLoading(props) && <Skeleton columns={fitted.map(({ column }) => column)} />}
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
