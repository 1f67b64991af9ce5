import type { AccountType } from '@evenkeel/core/books/accounts';
import type { DateOrder, SourceBooks, SourceSystem } from './books.ts';
import type { SqliteFile } from './sqlite.ts';
import type { Table } from './table.ts';

/** An opened file: a table for a CSV file or a sheet, and text for a text file. */
export interface OpenFile {
  /** The name for use in messages: the file, and the archive or sheet that contains the data. */
  name: string;
  /** The first 64 KB of the text. Undefined for sheets in a workbook. */
  head?: string;
  /** Returns the whole text. */
  text: () => string;
  table: () => Table;
  /** Opens a SQLite database, which the caller closes. Undefined for other files. */
  database?: () => SqliteFile;
  /** Frees the file's memory after it has been read. */
  release: () => void;
  /** The other text files that were chosen together with this file, by name. Journals may include these files. */
  others: ReadonlyMap<string, string>;
}

/** The user's answers to questions. */
export interface Choices {
  /** The order of day and month for each file in which it is ambiguous. */
  dateOrder?: Readonly<Record<string, DateOrder>>;
  /** For spreadsheets: the kind of records in each file. */
  kinds?: Readonly<Record<string, string>>;
  /** For spreadsheets: the column of each field in each file. */
  mappings?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Returns the type of the account with this name or label, if a list contains the account. */
export type TypeOf = (label: string) => AccountType | undefined;

/** The part of the books that one file contains. */
export type FileBooks = Partial<SourceBooks> & {
  /** The lines above a report that may be the company's name. A report that was renamed has several of these lines. */
  titles?: readonly string[];
  /** For spreadsheets: the kind of records, the headings, and the column that was found for each field. */
  sheet?: SheetFacts;
};

/** The layout of a spreadsheet, which the user may change. Columns are counted from 0. An unknown kind is empty. */
export interface SheetFacts {
  kind: string;
  headings: readonly string[];
  mapping: Readonly<Partial<Record<string, number>>>;
  /** The first rows below the headings. Missing in summaries that were stored before the rows were read. */
  samples?: readonly (readonly string[])[];
}

/**
 * A reader for one format. To add a format, write a Reader and list it in `readers.ts`: see "How to add a source of
 * books" in docs/development.md.
 */
export interface Reader {
  /** A stable name for the format, such as `qbo-journal`. */
  format: string;
  /** The name that users see, such as "QuickBooks Online Journal". */
  label: string;
  system: SourceSystem;
  /** Returns whether the content has this format. Must not throw. */
  recognizes: (file: OpenFile, choices: Choices) => boolean;
  /**
   * Whether the file lists accounts. Files with account lists are read first, because some reports depend on account
   * types.
   */
  isList?: boolean;
  /** Whether the file is read as text instead of as a table. */
  isText?: boolean;
  /**
   * Returns the contents of a file. `typeOf` returns account types from lists. Throws a Refusal with the row if a total
   * is wrong or a cell can't be read.
   */
  read: (file: OpenFile, choices: Choices, typeOf: TypeOf) => FileBooks;
}
