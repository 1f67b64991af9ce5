// SQLite databases, read with SQLite's WebAssembly build. A file can reach nothing outside of its own memory.
import type { Database, SqlJsStatic, SqlValue } from 'sql.js';
import { refusalAt } from './books.ts';
import type { ImportFile } from './zip.ts';

const MAGIC = 'SQLite format 3\0';

let program: SqlJsStatic | undefined;

/** Returns whether a file is a SQLite database. */
export const isSqlite = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) === MAGIC;

/**
 * Loads SQLite if one of the files is a database. Reading is synchronous and loading is not, so this must be awaited
 * before files are read. Databases in archives are rejected unless SQLite is already loaded.
 */
export async function loadSqlite(files: readonly ImportFile[]): Promise<void> {
  if (program !== undefined || !files.some(({ bytes }) => isSqlite(bytes))) return;
  const { default: load } = await import('sql.js');
  program = await load();
}

/** An open database. Its queries throw a Refusal if the file is damaged. */
export interface SqliteFile {
  /** The names of the tables. Views are left out, because a query of a view runs statements from the file. */
  tables: ReadonlySet<string>;
  /** Returns the rows of a query, one by one. */
  rows: (query: string) => Generator<SqlValue[]>;
  close: () => void;
}

/** Opens a database. Throws a Refusal if it is damaged, or if it was in an archive. */
export function openSqlite({ name, bytes }: ImportFile): SqliteFile {
  if (program === undefined) {
    throw refusalAt(name, 'The archive contains a SQLite database. Choose the database itself instead of the archive.');
  }
  const damaged = (): Error =>
    refusalAt(
      name,
      "The SQLite database can't be read. Close it in GnuCash and choose it again, or save it as XML with File > Save As.",
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
