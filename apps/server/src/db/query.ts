import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { DB } from './types.ts';

/**
 * The query builder. It only writes SQL (typed by the generated schema); a transaction runs it: `tx.rows(db.select…)`
 * or tx.rows(sql<Row>`…`). There is no connection behind it.
 */
export const db = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (inner) => new PostgresIntrospector(inner),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** What can be run: a query of the builder or a raw `sql` statement. */
export interface Runnable<R> {
  compile(builder: Kysely<DB>): CompiledQuery<R>;
}

/** The text and the values of a statement, named so that PostgreSQL prepares it once per connection. */
export function statementOf(query: Runnable<unknown>): { text: string; values: unknown[]; name?: string } {
  const { sql, parameters } = query.compile(db);
  const name = statementName(sql);
  return { text: sql, values: [...parameters], ...(name === undefined ? {} : { name }) };
}

const names = new Map<string, string>();
const MOST_NAMES = 500;

/** Bounded, because statements with lists of varying length have no end of texts. */
function statementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `s${names.size}`;
  names.set(sql, name);
  return name;
}
