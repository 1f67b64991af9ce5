/** A record or a class of records. */
export type RowObject = object;

/** Sums of a list by the ids of its columns, in cents. */
export type Sums = Readonly<Record<string, number>>;

/**
 * A list that is too long to be read whole: rows come part by part for what is in view, sorted and searched where they
 * are kept.
 */
export interface LongList<Row> {
  total: number;
  sums: Sums;
  /** The loaded parts: rows from a position of the list on. The first part is always loaded. */
  parts: readonly { at: number; rows: readonly Row[] }[];
  /** Says which places are in view; keep it stable, the table calls it as it scrolls. */
  show: (first: number, last: number) => void;
  /** Reads every row as the list is searched and sorted now. */
  all?: ReadAll<Row>;
}

/** Reads every row of a list whose rows are not all here, and says how many it has. */
export type ReadAll<Row> = (onRead: (rows: number) => void) => Promise<readonly Row[]>;

/** The rows of a list: all of them, or those of a long one that are in view. */
export type Rows<Row> = readonly Row[] | LongList<Row>;

export function isLong<Row>(rows: Rows<Row> | undefined): rows is LongList<Row> {
  return rows !== undefined && 'parts' in rows;
}
