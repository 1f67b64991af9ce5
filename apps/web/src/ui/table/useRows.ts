import { useDeferredValue, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Column, filterRows, searchText, sortRows } from './columns.ts';
import { isLong, type LongList, type ReadAll, type RowObject, type Rows, type Sums } from './rows.ts';

export interface SortBy {
  id: string;
  desc?: boolean;
}

export type Item<Row> =
  | { kind: 'group'; key: string; label: string }
  | { kind: 'row'; key: string; row: Row; index: number };

export interface RowsOptions<Row extends RowObject> {
  rows: Rows<Row>;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  filter: string;
  defaultSort: SortBy | undefined;
  /** The sort order, if it is stored outside the table, for example in the URL. */
  sort: SortBy | undefined;
  onSort: ((sort: SortBy) => void) | undefined;
  groupOf: ((row: Row) => string) | undefined;
  /** Loads all rows if `rows` isn't complete. */
  readAll: ReadAll<Row> | undefined;
}

export interface RowsResult<Row> {
  /** The rows and group headings in display order. Undefined for rows of a long list that are not loaded yet. */
  items: readonly (Item<Row> | undefined)[];
  /** The filtered rows in display order. For a long list, only the loaded rows. */
  shown: readonly Row[];
  /** The number of filtered rows. */
  count: number;
  /** The totals for a long list, whose rows are not all loaded. */
  sums: Sums | undefined;
  /** Notifies a long list which rows are visible. */
  onView: ((first: number, last: number) => void) | undefined;
  sort: SortBy | undefined;
  toggleSort: (id: string) => void;
  /** Returns all filtered rows in display order. Loads the missing rows of a long list. */
  all: ReadAll<Row>;
  /** Whether some rows are not loaded. */
  isPart: boolean;
  /** Shows these rows as the whole list while `during` runs and until printing has finished. */
  hold: (rows: readonly Row[], during: () => void) => void;
}

/**
 * Returns the searchable text of each row. The text is created only once, on the first search, because this takes a
 * while for 50,000 rows.
 */
function lazyTexts<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): () => readonly string[] {
  let made: readonly string[] | undefined;
  return () => (made ??= rows.map((row) => searchText(columns, row)));
}

const NONE: readonly never[] = [];
const quiet = () => undefined;

/** Filters, sorts, and groups rows. Keep `columns` and `rows` stable between renders, because both are memo keys. */
export function useRows<Row extends RowObject>(options: RowsOptions<Row>): RowsResult<Row> {
  const { columns, rowId, filter, groupOf } = options;
  const [own, setOwn] = useState(options.defaultSort);
  // A URL may specify a column from another list, for example from the previous tab.
  const asked = columns.some((column) => column.id === options.sort?.id) ? options.sort : options.defaultSort;
  const sort = options.onSort === undefined ? own : asked;
  const [held, setHeld] = useState<readonly Row[]>();
  const part = isLong(options.rows) ? options.rows : undefined;
  const long = useMemo(
    () =>
      held === undefined
        ? part
        : { sums: {}, ...part, total: held.length, parts: [{ at: 0, rows: held }], show: quiet },
    [held, part],
  );
  const rows = isLong(options.rows) ? NONE : options.rows;
  const texts = useMemo(() => lazyTexts(rows, columns), [rows, columns]);
  const words = useDeferredValue(filter);
  const found = useMemo(() => filterRows(rows, texts, words), [rows, texts, words]);
  const { id, desc = false } = sort ?? { id: '' };
  const sorted = useMemo(() => sortRows(found, columns, { id, desc }), [found, columns, id, desc]);
  const { items, shown } = useMemo(
    () => (long === undefined ? { items: arrange(sorted, rowId, groupOf), shown: sorted } : spread(long, rowId)),
    [long, sorted, rowId, groupOf],
  );
  const toggle = (column: string): SortBy => ({ id: column, desc: id === column && !desc });
  return {
    items,
    shown,
    count: long?.total ?? shown.length,
    sums: part?.sums,
    onView: long?.show,
    sort,
    all: async (onRead) => (await (part?.all ?? options.readAll)?.(onRead)) ?? shown,
    isPart: part !== undefined || options.readAll !== undefined,
    hold: (all, during) => {
      // On a phone, the browser continues to run code before it has rendered the printout.
      window.addEventListener('afterprint', () => setHeld(undefined), { once: true });
      flushSync(() => setHeld(all));
      during();
    },
    toggleSort: (column) => (options.onSort ?? setOwn)(toggle(column)),
  };
}

/** Returns the rows of a long list at their positions, with gaps for rows that are not loaded. */
function spread<Row>({ total, parts }: LongList<Row>, rowId: (row: Row) => string) {
  const items: (Item<Row> | undefined)[] = [];
  items.length = total;
  for (const { at, rows } of parts) {
    rows.forEach((row, place) => {
      const index = at + place;
      if (index < total) items[index] = { kind: 'row', key: rowId(row), row, index };
    });
  }
  return { items, shown: parts.flatMap(({ rows }) => rows) };
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
