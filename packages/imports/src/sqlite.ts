// SQLite databases. SQLite runs as WebAssembly, so a hostile file can't reach anything outside the program's memory.
import type { Database, SqlJsStatic, SqlValue } from 'sql.js';
import { refusalAt } from './books.ts';
import type { ImportFile } from './zip.ts';

const MAGIC = 'SQLite format 3\0';

/** Returns whether a file is a SQLite database. */
export const isSqlite = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) === MAGIC;

/** An open database. Its queries throw a Refusal if the file is damaged. */
export interface SqliteFile {
  /** The names of the tables. Views are excluded, because a query of a view runs statements from the file. */
  tables: ReadonlySet<string>;
  /** Returns the rows of a query, one by one. */
  rows: (query: string) => Generator<SqlValue[]>;
  close: () => void;
}

/**
 * Opens a database with SQLite, which the caller loads if one of its files is a database. Throws a Refusal if the
 * database is damaged, or if it is in an archive and SQLite was not loaded.
 */
export function openSqlite({ name, bytes }: ImportFile, program: SqlJsStatic | undefined): SqliteFile {
  if (program === undefined) {
    throw refusalAt(name, 'The archive contains a SQLite database. Choose the database itself instead of the archive.');
  }
  const damaged = (): Error =>
    refusalAt(
      name,
      "The SQLite database can't be read. Close it in GnuCash and choose it again, or save it as XML with File > " +
        'Save As.',
    );
  const database: Database = new program.Database(bytes);
  function* rows(query: string): Generator<SqlValue[]> {
    try {
      const statement = database.prepare(query);
      while (statement.step()) yield statement.get();
      statement.free();
    } catch {
      throw damaged();
    }
  }
  const close = (): void => database.close();
  try {
    database.run('PRAGMA trusted_schema = OFF');
    const names = [...rows("SELECT name FROM sqlite_master WHERE type = 'table'")].map(([table]) => String(table));
    return { tables: new Set(names), rows, close };
  } catch {
    close();
    throw damaged();
  }
}
