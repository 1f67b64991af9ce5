import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useDeferredValue, useMemo } from 'react';
import { type Column, compareValues, filterRows, searchText } from './columns.ts';

/** A record or a class of records; TanStack Table takes nothing else. */
export type RowObject = object;

export interface SortBy {
  id: string;
  desc?: boolean;
}

export type Item<Row> =
  { kind: 'group'; key: string; label: string } | { kind: 'row'; key: string; row: Row; index: number };

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

export interface RowsOptions<Row extends RowObject> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  filter: string;
  defaultSort: SortBy | undefined;
  groupOf: ((row: Row) => string) | undefined;
}

export interface RowsResult<Row> {
  /** Rows and group heads in the order shown. */
  items: Item<Row>[];
  /** The rows left by the filter, in the order shown. */
  shown: readonly Row[];
  sort: SortBy | undefined;
  toggleSort: (id: string) => void;
}

function useColumnDefs<Row extends RowObject>(columns: readonly Column<Row>[]) {
  return useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map((column) =>
        helper.accessor((row: Row) => column.value?.(row) ?? undefined, {
          id: column.id,
          header: column.header,
          sortUndefined: 'last',
          sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id)),
        }),
      ),
    );
  }, [columns]);
}

/** The searched texts of all rows, made once and only when something is searched: 50,000 rows take a while. */
function lazyTexts<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): () => readonly string[] {
  let made: readonly string[] | undefined;
  return () => (made ??= rows.map((row) => searchText(columns, row)));
}

/** Filters, sorts and groups. Keep `columns` and `rows` stable between renders: both are memo keys. */
export function useRows<Row extends RowObject>(options: RowsOptions<Row>): RowsResult<Row> {
  const { rows, columns, rowId, filter, groupOf } = options;
  const texts = useMemo(() => lazyTexts(rows, columns), [rows, columns]);
  const words = useDeferredValue(filter);
  const data = useMemo(() => filterRows(rows, texts, words), [rows, texts, words]);
  const sorting: SortingState = options.defaultSort === undefined ? [] : [{ desc: false, ...options.defaultSort }];
  const table = useTable({
    features,
    columns: useColumnDefs(columns),
    data,
    getRowId: rowId,
    enableSortingRemoval: false,
    enableMultiSort: false,
    initialState: { sorting },
  });
  const model = table.getRowModel().rows;
  const shown = useMemo(() => model.map((row) => row.original), [model]);
  const items = useMemo(() => arrange(shown, rowId, groupOf), [shown, rowId, groupOf]);
  return {
    items,
    shown,
    sort: table.state.sorting[0],
    toggleSort: (id) => {
      const column = table.getColumn(id);
      column?.toggleSorting(column.getIsSorted() === 'asc');
    },
  };
}

function arrange<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  groupOf: ((row: Row) => string) | undefined,
): Item<Row>[] {
  if (groupOf === undefined) {
    return rows.map((row, index) => ({ kind: 'row', key: rowId(row), row, index }));
  }
  const items: Item<Row>[] = [];
  let index = 0;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const label = groupOf(row);
    const members = groups.get(label);
    if (members === undefined) groups.set(label, [row]);
    else members.push(row);
  }
  for (const [label, members] of groups) {
    items.push({ kind: 'group', key: `group ${label}`, label });
    for (const row of members) items.push({ kind: 'row', key: rowId(row), row, index: index++ });
  }
  return items;
}
