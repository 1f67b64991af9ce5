/** A record. */
export type RowObject = object;

/** Totals for a list by column ID, in cents. */
export type Sums = Readonly<Record<string, number>>;

/**
 * A list that is too long to load completely. The server sorts and searches it, and the visible rows load page by page.
 */
export interface LongList<Row> {
  total: number;
  sums: Sums;
  /** The loaded pages, each with its position in the list. The first page is always loaded. */
  parts: readonly { at: number; rows: readonly Row[] }[];
  /** Reports which rows are visible. Keep the function stable, because the table calls it while scrolling. */
  show: (first: number, last: number) => void;
  /** Loads all rows that match the current search, in the current sort order. */
  all?: ReadAll<Row>;
}

/** Loads all rows of a partly loaded list and reports its progress. */
export type ReadAll<Row> = (onRead: (rows: number) => void) => Promise<readonly Row[]>;

/** The rows of a list: all of them, or the visible rows of a long list. */
export type Rows<Row> = readonly Row[] | LongList<Row>;

export function isLong<Row>(rows: Rows<Row> | undefined): rows is LongList<Row> {
  return rows !== undefined && 'parts' in rows;
}
