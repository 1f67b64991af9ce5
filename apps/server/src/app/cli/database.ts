import { dirname } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { type Connection, openPool } from '../../platform/db/connect.ts';
import { startEmbedded } from '@evenkeel/postgres/embedded';
import { tablesToSpread } from '../../platform/db/citus.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { OpenDatabase } from './command.ts';

interface Reached {
  connection: Connection;
  /** A description of where the books are, without a password: a folder, or a database on a server. */
  books: string;
  stop: () => Promise<void>;
}

/**
 * Connects to the configured database. Returns the connection, a description of where the books are, and a function
 * that releases the database. In `server` mode, an embedded database belongs to the caller.
 */
export async function reach(config: Config, mode: 'server' | 'tool', say: (line: string) => void): Promise<Reached> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) {
    const database = await startEmbedded({ dataDir, mode, log: say });
    return { connection: database.connection, books: dirname(database.dataPath), stop: () => database.stop() };
  }
  const { host, pathname } = new URL(databaseUrl);
  const books = `the database ${pathname.slice(1)} on ${host === '' ? 'this machine' : host}`;
  return { connection: { connectionString: databaseUrl }, books, stop: async () => undefined };
}

/** Returns a database that is opened and migrated on first use and closed at the end. */
export function lazyDatabase(config: Config, say: (line: string) => void) {
  let opened: Promise<OpenDatabase> | undefined;
  const closers: (() => Promise<void>)[] = [];
  const open = async (): Promise<OpenDatabase> => {
    const { connection, stop } = await reach(config, 'tool', say);
    closers.push(stop);
    for (const name of await migrate(connection)) say(`Applied migration ${name}`);
    const whole = await tablesToSpread(connection);
    if (whole.length > 0) say(`These tables are not distributed yet: ${whole.join(', ')}. Run evenkeel distribute`);
    // A command can take a long time if the books are large.
    const patience = { statementMs: 600_000, lockMs: 60_000, answerMs: 602_000, connectMs: 15_000 };
    const pool = openPool({ connection, as: 'runtime', max: 4, patience });
    closers.push(() => pool.end());
    return { connection, pool };
  };
  return {
    database: () => (opened ??= open()),
    close: async () => {
      for (const close of closers.reverse()) await close();
    },
  };
}
