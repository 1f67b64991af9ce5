import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isRight } from './columns.ts';
import type { FittedColumn } from './fitColumns.ts';
import { CHECK_COLUMN } from './rowSelection.ts';
import type { SortBy } from './useRows.ts';

interface TableHeadProps<Row> {
  columns: readonly FittedColumn<Row>[];
  sort: SortBy | undefined;
  /** Omitted if there is nothing to sort. */
  onSort?: ((id: string) => void) | undefined;
  /** The checkbox that selects all rows. */
  check?: ReactNode;
}

/**
 * The column headings. Columns with a value can be sorted, and the sorted column shows its direction. The headings also
 * set the widths of the columns, because Chromium sometimes ignores the widths of `col` elements for one frame.
 */
export function TableHead<Row>({ columns, sort, onSort, check }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ column, width }) =>
          column.id === CHECK_COLUMN.id ? (
            <th key={column.id} scope="col" style={{ width }}>
              {check}
            </th>
          ) : (
            <Head key={column.id} column={column} width={width} sort={sort} onSort={onSort} />
          ),
        )}
      </tr>
    </thead>
  );
}

interface HeadProps<Row> extends FittedColumn<Row> {
  sort: SortBy | undefined;
  onSort: ((id: string) => void) | undefined;
}

function Head<Row>({ column, width, sort, onSort }: HeadProps<Row>) {
  const sorted = sort?.id === column.id ? (sort.desc === true ? 'descending' : 'ascending') : undefined;
  const right = isRight(column.kind) ? '' : undefined;
  if (column.kind === 'action') {
    return (
      <th scope="col" style={{ width }}>
        <span className="ek-vh">{column.header}</span>
      </th>
    );
  }
  const sortable = onSort !== undefined && column.value !== undefined && column.sortable !== false;
  return (
    <th scope="col" data-right={right} aria-sort={sorted} style={{ width }}>
      {sortable ? (
        <button type="button" className="ek-sort" onClick={() => onSort(column.id)}>
          {column.header}
          {sorted === 'ascending' && <IconChevronUp size={14} stroke={1.8} aria-hidden />}
          {sorted === 'descending' && <IconChevronDown size={14} stroke={1.8} aria-hidden />}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}
