import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';

/** Turns `sql` statements into text and values. There is no connection behind it; a transaction runs them. */
const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (inner) => new PostgresIntrospector(inner),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A runnable statement: a statement of a table (table.ts) or a raw `sql` one. */
export interface Runnable<R> {
  compile(compiler: Kysely<object>): CompiledQuery<R>;
}

const company = Symbol('company');

/** Stands in a statement for the company of the transaction that runs it. */
export const COMPANY = sql.val<unknown>(company);

/** A statement as the driver takes it. */
export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
}

/**
 * The text and the values of a statement, named so that PostgreSQL prepares it once per connection. `companyId` takes
 * COMPANY's place; a statement that names it cannot run without one.
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

/**
 * Stands in a statement whose text depends on what a person asks for: the order of a list, the words of a search.
 * Such a statement has no name, because there is no end of such texts and a connection keeps every named one.
 */
export const VARIES = sql.raw('/* varies */');

const names = new Map<string, string>();
const MOST_NAMES = 500;

/** All other texts are as many as the program has; the bound is for a mistake with them. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES || text.includes('/* varies */')) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

// Pieces of the one query that answers all facts: values of type jsonb. Each table in it costs, also an unread one.

/** A query of one row as one value. */
export function asJson<F>(row: RawBuilder<F>): RawBuilder<F> {
  return sql<F>`(select to_jsonb(x) from (${row}) x)`;
}

/** The list that a query in brackets answers for these ids, without the query where there are none. */
export function listOf(ids: readonly unknown[], list: RawBuilder<unknown>): RawBuilder<unknown> {
  return ids.length === 0 ? sql`'[]'::jsonb` : sql`coalesce(${list}, '[]'::jsonb)`;
}

/** So many ids of a sequence, taken ahead so that the answer is known before the commit: a list of type jsonb. */
export function takeIds(sequence: string, count: number): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(nextval(${sql.lit(sequence)})), '[]') from generate_series(1, ${count}::int))`;
}

const taking =
  /\(select coalesce\(jsonb_agg\(nextval\('(\w+)'\)\), '\[\]'\) from generate_series\(1, \$(\d+)::int\)\)/g;

/** Ids that a statement takes while it reads tables, and the statement that takes the ids instead. */
export interface Drawn {
  /** Takes all ids; answers one row with a list for each. */
  draw: Statement;
  /** The statement with the lists that were drawn. */
  with(lists: readonly (readonly number[])[]): Statement;
}

/**
 * On Citus a statement that reads tables runs beside the rows, where a sequence counts from elsewhere: ids would be no
 * longer in the order in which they were given. They are drawn by a statement of their own, which comes before.
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
