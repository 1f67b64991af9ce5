import { dateSpellings, formatDate, parseDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, formatUsd, toPlain } from '@evenkeel/core/money';
import { plainWords } from '@evenkeel/core/words/search';
import type { ReactNode } from 'react';

/** The kind of values in a column, which determines alignment, width, sorting, and format. */
export type ColumnKind = 'text' | 'amount' | 'number' | 'date' | 'status' | 'action';

export type CellValue = string | number | null | undefined;

export interface Column<Row> {
  id: string;
  /** The heading. For `action` columns, it is only for screen readers. */
  header: string;
  kind?: ColumnKind;
  /**
   * Returns the value to sort and search by: a string, Cents for `amount`, or an ISO date for `date`. Omitted for a
   * column that can't be sorted or searched.
   */
  value?: (row: Row) => CellValue;
  /** Renders a value. The default depends on the kind. */
  render?: (row: Row) => ReactNode;
  /** A CSS width, for example `140px`. */
  width?: string;
  /** The minimum width in px of a text column without a width. */
  least?: number;
  /** The padding in px of an amount column, in a list whose cells have less padding than usual. */
  pad?: number;
  /**
   * The content of the total row: `sum` for the total of the filtered rows, an amount in cents that came with the rows,
   * or null for nothing.
   */
  total?: 'sum' | Cents | null;
  /** Makes the total clickable. */
  wrapTotal?: (total: ReactNode) => ReactNode;
  /** False removes the sort button from a column with a value. */
  sortable?: boolean;
  /** Whether the text is muted. */
  quiet?: boolean;
  /**
   * The order in which columns are hidden if there is too little space. Columns with a higher rank are hidden first,
   * and rank 0 is never hidden. The default depends on the kind.
   */
  rank?: number;
}

const WIDTHS: Record<ColumnKind, string | undefined> = {
  text: undefined,
  amount: '150px',
  number: '110px',
  date: '116px',
  status: '150px',
  action: '54px',
};

export function columnWidth<Row>(column: Column<Row>): string | undefined {
  return column.width ?? WIDTHS[column.kind ?? 'text'];
}

export function isRight(kind: ColumnKind | undefined): boolean {
  return kind === 'amount' || kind === 'number';
}

/** Returns the displayed text of a value, which the filter searches. */
export function cellText<Row>(column: Column<Row>, row: Row): string {
  const value = column.value?.(row);
  if (value === null || value === undefined) return '';
  if (column.kind === 'amount') return formatAmount(cents(Number(value)));
  if (column.kind !== 'date') return String(value);
  const date = parseDate(String(value));
  return date === undefined ? String(value) : formatDate(date);
}

const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

/** Compares values. Numbers sort numerically, and text in natural order (`9` before `10`). */
export function compareValues(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a ?? ''), String(b ?? ''));
}

/**
 * Sorts the rows by a column. Rows without a value come last in both directions, and rows with equal values keep their
 * order.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { id, desc }: { id: string; desc: boolean },
): readonly Row[] {
  const valueOf = columns.find((column) => column.id === id)?.value;
  if (valueOf === undefined) return rows;
  const keyed = rows.map((row) => ({ row, value: valueOf(row) ?? undefined }));
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined)
      return Number(a.value === undefined) - Number(b.value === undefined);
    return desc ? compareValues(b.value, a.value) : compareValues(a.value, b.value);
  });
  return keyed.map(({ row }) => row);
}

/**
 * Returns everything that the filter can find in a row, in lowercase: the displayed text and other common notations.
 */
export function searchText<Row>(columns: readonly Column<Row>[], row: Row): string {
  const searched = columns.filter((column) => column.value !== undefined);
  return searched
    .flatMap((column) => [cellText(column, row), ...otherTexts(column, row)])
    .join('\n')
    .toLowerCase();
}

/** Returns an amount with the dollar sign and without commas, or a date in ISO format and with leading zeros. */
function otherTexts<Row>(column: Column<Row>, row: Row): string[] {
  const value = column.value?.(row);
  if (value === null || value === undefined) return [];
  if (column.kind === 'date') return [String(value), String(value).replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1')];
  if (column.kind !== 'amount') return [];
  const amount = cents(Number(value));
  return [formatUsd(amount), toPlain(amount)];
}

/**
 * Returns the rows whose text contains every word of `filter`, ignoring case. Words are parsed in the same way as in
 * the search.
 * `texts` is called only when needed.
 */
export function filterRows<Row>(rows: readonly Row[], texts: () => readonly string[], filter: string): readonly Row[] {
  const words = plainWords(filter.toLowerCase()).map((word) => dateSpellings(word.replace('−', '-')));
  if (words.length === 0) return rows;
  const all = texts();
  return rows.filter((_, index) => words.every((word) => word.some((one) => all[index]?.includes(one) === true)));
}
