import { dateSpellings, formatDate, parseDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, formatUsd, toPlain } from '@evenkeel/core/money';
import { plainWords } from '@evenkeel/core/words/search';
import type { ReactNode } from 'react';

/** The kind of a column's values: decides alignment, width, sorting and format. */
export type ColumnKind = 'text' | 'amount' | 'number' | 'date' | 'status' | 'action';

export type CellValue = string | number | null | undefined;

export interface Column<Row> {
  id: string;
  /** The head; for `action` columns it is for screen readers only. */
  header: string;
  kind?: ColumnKind;
  /** The value to sort and search by: text, Cents for `amount`, an ISO date for `date`. Absent: neither. */
  value?: (row: Row) => CellValue;
  /** Draws a value; by its kind unless given. */
  render?: (row: Row) => ReactNode;
  /** A css width, e.g. `140px`. */
  width?: string;
  /** In the total row: `sum` of the rows that are left by the filter, or cents that came with them; null: nothing. */
  total?: 'sum' | Cents | null;
  /** Makes the total something to press. */
  wrapTotal?: (total: ReactNode) => ReactNode;
  /** False: no sort button although there is a value. */
  sortable?: boolean;
  /** Quieter text. */
  quiet?: boolean;
  /**
   * The order in which columns give way where there is no room: the higher the sooner, 0 never. By its kind unless
   * given.
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

/** The text of a value as it is shown: what the filter searches. */
export function cellText<Row>(column: Column<Row>, row: Row): string {
  const value = column.value?.(row);
  if (value === null || value === undefined) return '';
  if (column.kind === 'amount') return formatAmount(cents(Number(value)));
  if (column.kind !== 'date') return String(value);
  const date = parseDate(String(value));
  return date === undefined ? String(value) : formatDate(date);
}

const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

/** Numbers as numbers, text as people sort it (`9` before `10`). */
export function compareValues(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a ?? ''), String(b ?? ''));
}

/** The rows by a column's value; what has none comes last either way, and what is alike keeps its order. */
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

/** Row → everything the filter may find in it, in small letters: the shown text, and how else people write it. */
export function searchText<Row>(columns: readonly Column<Row>[], row: Row): string {
  const searched = columns.filter((column) => column.value !== undefined);
  return searched
    .flatMap((column) => [cellText(column, row), ...otherTexts(column, row)])
    .join('\n')
    .toLowerCase();
}

/** An amount with the dollar sign and without commas, a date as ISO and with its zeros. */
function otherTexts<Row>(column: Column<Row>, row: Row): string[] {
  const value = column.value?.(row);
  if (value === null || value === undefined) return [];
  if (column.kind === 'date') return [String(value), String(value).replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1')];
  if (column.kind !== 'amount') return [];
  const amount = cents(Number(value));
  return [formatUsd(amount), toPlain(amount)];
}

/**
 * Returns the rows whose text has every word of `filter`, whatever the letters' case. Words are read as in the search.
 * The texts are asked for only when they are needed.
 */
export function filterRows<Row>(rows: readonly Row[], texts: () => readonly string[], filter: string): readonly Row[] {
  const words = plainWords(filter.toLowerCase()).map((word) => dateSpellings(word.replace('−', '-')));
  if (words.length === 0) return rows;
  const all = texts();
  return rows.filter((_, index) => words.every((word) => word.some((one) => all[index]?.includes(one) === true)));
}
