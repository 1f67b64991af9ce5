import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';

/** Compiles `sql` statements to text and values, without a connection. A transaction runs the statements. */
const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (inner) => new PostgresIntrospector(inner),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A runnable statement, either from a table (table.ts) or raw `sql`. */
export interface Runnable<R> {
  compile(compiler: Kysely<object>): CompiledQuery<R>;
}

const company = Symbol('company');

/** The placeholder for the company whose transaction runs the statement. */
export const COMPANY = sql.val<unknown>(company);

/** A statement in the driver's format. */
export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
}

/**
 * Returns the text and values of a statement. The statement gets a name, so that PostgreSQL prepares it once per
 * connection.
 * `companyId` replaces COMPANY. A statement with COMPANY can't run without it.
 */
export function statementOf(query: Runnable<unknown>, companyId?: number): Statement {
  const { sql: text, parameters } = query.compile(compiler);
  const values = parameters.map((value) => {
    if (value !== company) return value;
    if (companyId === undefined) throw new Error('the statement needs a company');
    return companyId;
  });
  const name = statementName(text);
  return { text, values, ...(name === undefined ? {} : { name }) };
}

/** The position of a value in a statement that is compiled only once. */
class Place {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

/** Returns the next value of a statement, or the value's position while the statement is compiled. */
export type Next = () => unknown;

export function nextOf(values: readonly unknown[]): Next {
  const rest = values.values();
  return () => rest.next().value;
}

/**
 * Returns a statement whose text depends only on its shape. Its text is built and compiled once and then taken from
 * `known`, because compiling costs this process more than sending the statement. `build` must use all values in the
 * order in which they are given.
 */
export function compiledOnce<R>(
  known: Map<string, CompiledQuery<R>>,
  shape: string,
  values: readonly unknown[],
  build: (next: Next) => RawBuilder<R>,
): Runnable<R> & OperationNodeSource {
  return {
    compile: () => {
      let compiled = known.get(shape);
      if (compiled === undefined) {
        compiled = build(nextOf(values.map((_, at) => new Place(at)))).compile(compiler);
        known.set(shape, compiled);
      }
      const { parameters } = compiled;
      return { ...compiled, parameters: parameters.map((each) => (each instanceof Place ? values[each.at] : each)) };
    },
    // Used if the statement is part of another statement.
    toOperationNode: () => build(nextOf(values)).toOperationNode(),
  };
}

/**
 * Marks a statement whose text depends on a user's request, such as a sort order or search words. The statement gets no
 * name, because there can be any number of such statements and a connection keeps every named statement.
 */
export const VARIES = sql.raw('/* varies */');

const names = new Map<string, string>();
const MOST_NAMES = 500;

/**
 * The program has a limited number of statements without this mark. If the maximum is exceeded, the text of a statement
 * depends on requests by mistake.
 */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES || text.includes('/* varies */')) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Returns a query that selects one row as a jsonb value. It becomes part of the single query that reads all data. Every
 * table in that query adds cost, even if it isn't read.
 */
export function asJson<F>(row: RawBuilder<F>): RawBuilder<F> {
  return sql<F>`(select to_jsonb(x) from (${row}) x)`;
}

/**
 * Returns the list that a query in parentheses selects for these IDs. If the list of IDs is empty, returns an empty
 * list and omits the query.
 */
export function listOf(ids: readonly unknown[], list: RawBuilder<unknown>): RawBuilder<unknown> {
  return ids.length === 0 ? sql`'[]'::jsonb` : sql`coalesce(${list}, '[]'::jsonb)`;
}

/**
 * Assigns `count` IDs from a sequence in advance, so that the response is known before the commit. Returns the IDs as a
 * jsonb list.
 */
export function takeIds(sequence: string, count: number): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(nextval(${sql.lit(sequence)})), '[]') from generate_series(1, ${count}::int))`;
}

const taking =
  /\(select coalesce\(jsonb_agg\(nextval\('(\w+)'\)\), '\[\]'\) from generate_series\(1, \$(\d+)::int\)\)/g;

/** The IDs that a statement assigns while it reads tables, and the separate statement that assigns them. */
export interface Drawn {
  /** Assigns all IDs. Returns one row with a list for each sequence. */
  draw: Statement;
  /** Returns the statement with the lists of IDs filled in. */
  with(lists: readonly (readonly number[])[]): Statement;
}

/**
 * Splits a statement that assigns IDs while it reads tables. On Citus, such a statement would run on the server that
 * stores the rows, whose sequence starts at a different value, so the IDs would be out of order. A separate statement
 * assigns them first.
 */
export function drawnApart({ text, values }: Statement): Drawn | undefined {
  const all = [...text.matchAll(taking)].map(([, sequence = '', place = '0']) => ({ sequence, at: Number(place) - 1 }));
  const rest = text.replaceAll(taking, '');
  if (all.length === 0 || !/\bfrom\b/.test(rest)) return undefined;
  const lists = all.map(({ sequence, at }, no) => {
    const count = Number(values[at]);
    return `(select coalesce(jsonb_agg(nextval('${sequence}')), '[]') from generate_series(1, ${count})) as "${no}"`;
  });
  const given = text.replaceAll(taking, '$$$2::jsonb');
  return {
    draw: { text: `select ${lists.join(', ')}`, values: [] },
    with: (drawn) => {
      const filled = [...values];
      for (const [no, { at }] of all.entries()) filled[at] = JSON.stringify(drawn[no]);
      const name = statementName(given);
      return { text: given, values: filled, ...(name === undefined ? {} : { name }) };
    },
  };
}
