import type { AccountType } from '@evenkeel/core/books/accounts';
import type { DateOrder, SourceBooks, SourceSystem } from './books.ts';
import type { Table } from './table.ts';

/** A file that was opened: a table for CSV files and sheets, and the text for text files. */
export interface OpenFile {
  /** The name for messages: the file, and the archive or sheet it is in. */
  name: string;
  /** Undefined for sheets of a workbook. */
  text?: string;
  table: () => Table;
  /** Frees the memory of the table after it was read. */
  release: () => void;
  /** The other text files that were chosen together, by name. Journals may include them. */
  others: ReadonlyMap<string, string>;
}

/** The user's answers to questions. */
export interface Choices {
  /** The order of day and month, by file, for files in which it is ambiguous. */
  dateOrder?: Readonly<Record<string, DateOrder>>;
  /** For spreadsheets: the kind of records in a file. */
  kinds?: Readonly<Record<string, string>>;
  /** For spreadsheets: the column for each field, by file. */
  mappings?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Returns the type of the account with this name or label, if a list contains it. */
export type TypeOf = (label: string) => AccountType | undefined;

/** The part of a set of books that one file contains. */
export type FileBooks = Partial<SourceBooks> & {
  /** The lines above a report that could be the name of the company. A renamed report has several. */
  titles?: readonly string[];
  /** For spreadsheets: the kind of records, the headings, and the column of each field that was found. */
  sheet?: SheetFacts;
};

/** The layout of a spreadsheet, which the user may change. Columns count from 0. */
export interface SheetFacts {
  kind: string;
  headings: readonly string[];
  mapping: Readonly<Partial<Record<string, number>>>;
}

/**
 * Reads one format. To add a format, write a Reader and list it in `readers.ts`: see "How to add a source of books" in
 * docs/development.md.
 */
export interface Reader {
  /** A stable name for the format, such as `qbo-journal`. */
  format: string;
  /** The name that users see, such as "QuickBooks Online Journal". */
  label: string;
  system: SourceSystem;
  /** Returns whether the content has this format. May not throw. */
  recognizes: (file: OpenFile, choices: Choices) => boolean;
  /**
   * Whether the file lists accounts. Such files are read first, because some reports depend on the types of accounts.
   */
  isList?: boolean;
  /**
   * Returns the contents. `typeOf` knows the types of accounts from lists. Throws a Refusal that names the row if a sum
   * doesn't agree or a cell can't be read.
   */
  read: (file: OpenFile, choices: Choices, typeOf: TypeOf) => FileBooks;
}
