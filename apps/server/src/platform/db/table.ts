import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { COMPANY, compiledOnce, type Next, nextOf, type Runnable } from './query.ts';
import { schema } from './types.ts';

type Schema = typeof schema;
type TableName = keyof Schema;
type ColumnOf<T extends TableName> = keyof Schema[T] & string;
type Fields<T extends TableName> = Readonly<Record<string, ColumnOf<T>>>;

interface Values {
  int2: number;
  int4: number;
  int8: number;
  cents: Cents;
  numeric: string;
  text: string;
  char: string;
  bool: boolean;
  date: IsoDate;
  timestamptz: Date;
  bytea: Buffer;
  jsonb: unknown;
  json: unknown;
  _text: readonly string[];
  _int8: readonly number[];
}
type BaseOf<D> = D extends `${infer B} ${string}` ? B : D;
type ValueOf<D> =
  | (BaseOf<D> extends keyof Values ? Values[BaseOf<D>] : never)
  | (D extends `${string} null${string}` ? null : never);
type RowIn<T extends TableName, F extends Fields<T>> = { -readonly [K in keyof F]: ValueOf<Schema[T][F[K]]> };
/** The fields that a new row may omit because the database has a default. */
type OptionalIn<T extends TableName, F extends Fields<T>> = {
  [K in keyof F]: Schema[T][F[K]] extends `${string} ${'null' | 'default'}` ? K : never;
}[keyof F];

/** A row of a table: `type InvoiceRow = RowOf<typeof invoices>`. */
export type RowOf<T> = T extends Table<infer R, never> ? R : never;

/** A value, or an expression such as sql`row_version + 1`. */
type Given<R> = { [K in keyof R]: R[K] | RawBuilder<unknown> };
type New<R, O extends keyof R> = Omit<R, O> & Partial<Pick<R, O>>;
/** A condition on a field: a value, `is null`, or one of an array's values. */
type Where<R> = { [K in keyof R]?: R[K] | readonly NonNullable<R[K]>[] | RawBuilder<unknown> };

interface Find {
  lock?: 'for update' | 'for no key update' | 'for no key update skip locked' | 'for share';
  orderBy?: RawBuilder<unknown>;
  /** A condition `and …` that limits the matching rows. */
  and?: RawBuilder<unknown>;
  /** Additional columns to select, as `, …`. */
  also?: RawBuilder<unknown>;
  /** The clauses `order by … limit …` for a page. */
  page?: RawBuilder<unknown>;
}

/**
 * Describes a table under the program's names: `table('invoice', { id: 'id', dueDate: 'due_date' })`. Columns and types
 * are checked against the schema. The company is implied: every statement on a tenant table reads and writes only rows
 * that belong to the transaction's company.
 */
export function table<const T extends TableName, const F extends Fields<T>>(
  name: T,
  fields: F,
): Table<RowIn<T, F>, OptionalIn<T, F>> {
  return new Table(name, fields);
}

/** A table. `R` is its row type, and `O` is the fields that a new row may omit. */
export class Table<R extends object, O extends keyof R> {
  private readonly name: string;
  private readonly columnOf: ReadonlyMap<string, { column: string; type: string }>;
  private readonly isOfCompany: boolean;
  private readonly drawsIds: boolean;
  private readonly compiled = new Map<string, CompiledQuery>();

  constructor(name: TableName, fields: Readonly<Record<string, string>>) {
    const types: Readonly<Record<string, string>> = schema[name];
    this.name = name;
    this.columnOf = new Map(
      Object.entries(fields).map(([field, column]) => [field, { column, type: types[column]?.split(' ', 1)[0] ?? '' }]),
    );
    this.drawsIds = types['id']?.includes('default') === true;
    this.isOfCompany = 'company_id' in types && !Object.values(fields).includes('company_id');
  }

  /** Returns this table with narrower types, for jsonb columns and codes. */
  typed<X extends Partial<R>>(): Table<Omit<R, keyof X> & X, O & (keyof Omit<R, keyof X> | keyof X)> {
    return this as never;
  }

  /** Returns all fields or the given fields of a table alias, such as `e.id, e.email_address as "emailAddress"`. */
  columns(alias?: string, only: readonly (keyof R & string)[] = this.fields()): RawBuilder<unknown> {
    const prefix = alias === undefined ? '' : `${alias}.`;
    const column = (field: string): string => {
      const name = quoted(this.column(field).column);
      return `${prefix}${name}${name === quoted(field) ? '' : ` as ${quoted(field)}`}`;
    };
    return sql.raw(only.map(column).join(', '));
  }

  /** Selects the matching rows, optionally locked or sorted. */
  find(where: Where<R>, { lock, orderBy, and, also, page }: Find = {}): Runnable<R> {
    const terms = this.termsOf(where);
    const build = (next: Next) => sql<R>`
      select ${this.columns()} ${also ?? sql``} from ${sql.id(this.name)}
      where ${this.condition(terms, next)} ${and ?? sql``}
      ${orderBy === undefined ? sql`` : sql`order by ${orderBy}`} ${page ?? sql``} ${sql.raw(lock ?? '')}`;
    const isPlain = [orderBy, and, also, page].every((part) => part === undefined);
    return isPlain
      ? this.statement(`find ${shapeOf(terms)} ${lock}`, comparedIn(terms), build)
      : build(nextOf(comparedIn(terms)));
  }

  /** Counts the matching rows. */
  count(where: Where<R>, and: RawBuilder<unknown> = sql``): Runnable<{ total: number }> {
    const terms = this.termsOf(where);
    const condition = this.condition(terms, nextOf(comparedIn(terms)));
    return sql<{ total: number }>`select count(*) as total from ${sql.id(this.name)} where ${condition} ${and}`;
  }

  /** Inserts one row. `returning` lists the fields to return. */
  insert<F extends keyof R & string = never>(
    row: Given<New<R, O>>,
    returning: readonly F[] = [],
  ): Runnable<Pick<R, F>> {
    const given = this.given(row);
    const columns = [...(this.isOfCompany ? ['company_id'] : []), ...given.map(({ column }) => column)];
    return this.statement(`insert ${columns.join()} ${returning.join()}`, valuesOf(given), (next) => {
      const values = [...(this.isOfCompany ? [COMPANY] : []), ...given.map(() => next())];
      return sql<Pick<R, F>>`
        insert into ${sql.id(this.name)} (${sql.join(columns.map((column) => sql.id(column)))})
        values (${sql.join(values)}) ${this.returning(returning)}`;
    });
  }

  /**
   * Inserts many rows with a single statement. All rows have the same fields as the first one. The text doesn't depend
   * on the number of rows, except that a single row is inserted without arrays, which takes PostgreSQL half the time.
   * Use it only for company tables, because a distributed table accepts the rows only through a join with the company's
   * ledger head.
   */
  insertMany<F extends keyof R & string = never>(
    rows: readonly New<R, O>[],
    returning: readonly F[] = [],
  ): Runnable<Pick<R, F>> {
    const [only, ...others] = rows;
    if (only !== undefined && others.length === 0) return this.insert(only, returning);
    const fields = this.fieldsOf(rows);
    const shape = `insertMany ${fields.join()} ${returning.join()}`;
    return this.statement(shape, this.cellsOf(rows, fields), (next) => {
      const columns = fields.map((field) => sql.id(this.column(field).column));
      return sql<Pick<R, F>>`
        insert into ${sql.id(this.name)} (company_id, ${sql.join(columns)})
        select h.company_id, ${sql.join(fields.map((field) => this.cell(field)))}
        from ledger_head h, ${this.unnest(fields, next)} where h.company_id = ${COMPANY}
        ${this.answering(fields, returning)}`;
    });
  }

  /**
   * If rows get their IDs here, the statement must return a field. Otherwise, Citus would use COPY, which is rejected.
   */
  private answering(fields: readonly string[], returning: readonly (keyof R & string)[]): RawBuilder<unknown> {
    const getsIds = this.drawsIds && !fields.some((field) => this.column(field).column === 'id');
    return getsIds && returning.length === 0 ? sql`returning company_id` : this.returning(returning);
  }

  /** Updates the matching rows. */
  update<F extends keyof R & string = never>(
    where: Where<R>,
    changes: Partial<Given<R>>,
    returning: readonly F[] = [],
  ): Runnable<Pick<R, F>> {
    const given = this.given(changesOf(changes, where));
    const terms = this.termsOf(where);
    const shape = `update ${given.map(({ column }) => column).join()} ${shapeOf(terms)} ${returning.join()}`;
    return this.statement(shape, [...valuesOf(given), ...comparedIn(terms)], (next) => {
      const set = given.map(({ column }) => sql`${sql.id(column)} = ${next()}`);
      const condition = this.condition(terms, next);
      return sql<Pick<R, F>>`
        update ${sql.id(this.name)} set ${sql.join(set)} where ${condition} ${this.returning(returning)}`;
    });
  }

  /**
   * Updates many rows with a single statement. The fields in `by` identify each row, and the other fields are changed.
   */
  updateMany(rows: readonly Partial<R>[], by: readonly (keyof R & string)[]): Runnable<unknown> {
    const fields = this.fieldsOf(rows);
    const finds = new Set<string>(by);
    const source = this.unnest(fields, nextOf(this.cellsOf(rows, fields)));
    const equals = (field: string, left: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`${left} = ${this.cell(field)}`;
    const id = (field: string): RawBuilder<unknown> => sql.id(this.column(field).column);
    const set = fields.filter((field) => !finds.has(field)).map((field) => equals(field, id(field)));
    const found = by.map((field) => equals(field, sql`t.${id(field)}`));
    return sql`
      update ${sql.id(this.name)} t set ${sql.join(set)} from ${source}
      where ${sql.join([sql`t.company_id = ${COMPANY}`, ...found], sql` and `)}`;
  }

  /** Selects whether any row of the company, in any table, refers to this row. Must run while this row is locked. */
  isUsed(id: number): Runnable<{ used: boolean }> {
    return sql<{ used: boolean }>`select record_is_used(${this.name}::regclass, ${COMPANY}, ${id}) as used`;
  }

  /** Returns a field's column, for an `order by` clause or a condition. */
  ref(field: keyof R & string): RawBuilder<unknown> {
    return sql.id(this.column(field).column);
  }

  delete(where: Where<R>): Runnable<unknown> {
    const terms = this.termsOf(where);
    return sql`delete from ${sql.id(this.name)} where ${this.condition(terms, nextOf(comparedIn(terms)))}`;
  }

  /**
   * Compiles a statement only once for each shape. A statement with expressions is compiled each time, because its text
   * depends on them.
   */
  private statement<X>(shape: string, values: readonly unknown[], build: (next: Next) => RawBuilder<X>): Runnable<X> {
    return values.some(isExpression)
      ? build(nextOf(values))
      : compiledOnce<X>(this.compiled as Map<string, CompiledQuery<X>>, shape, values, build);
  }

  /** Returns an array for each field, with the field's values in all rows. */
  private cellsOf(rows: readonly object[], fields: readonly string[]): unknown[][] {
    return fields.map((field) => {
      const { type } = this.column(field);
      return rows.map((row) => cellOf(type, (row as Record<string, unknown>)[field] ?? null));
    });
  }

  /** Returns arrays as a source of columns `r.<field>`. */
  private unnest(fields: readonly string[], next: Next): RawBuilder<unknown> {
    const columns = fields.map((field) => {
      const { type } = this.column(field);
      return sql`${next()}::${sql.raw(ARRAYS[type] ?? type)}[]`;
    });
    return sql`unnest(${sql.join(columns)}) as r (${sql.join(fields.map((field) => sql.id(field)))})`;
  }

  private cell(field: string): RawBuilder<unknown> {
    const { type } = this.column(field);
    return sql`r.${sql.id(field)}${sql.raw(CASTS[type] ?? '')}`;
  }

  private fields(): (keyof R & string)[] {
    return [...this.columnOf.keys()] as (keyof R & string)[];
  }

  /** Returns the fields of this table that the first row has. */
  private fieldsOf([first = {}]: readonly object[]): string[] {
    return Object.entries(first).flatMap(([field, value]) =>
      value !== undefined && this.columnOf.has(field) ? [field] : [],
    );
  }

  private column(field: string): { column: string; type: string } {
    const found = this.columnOf.get(field);
    if (found === undefined) throw new Error(`${this.name} has no field ${field}`);
    return found;
  }

  /** Returns the columns for a row or a change. Fields of other tables are ignored. */
  private given(row: object): { column: string; value: unknown }[] {
    return Object.entries(row).flatMap(([field, value]: [string, unknown]) => {
      const found = this.columnOf.get(field);
      if (found === undefined || value === undefined) return [];
      return [{ column: found.column, value: isExpression(value) ? value : parameter(found.type, value) }];
    });
  }

  private termsOf(where: Where<R>): Term[] {
    return Object.entries(where).flatMap(([field, value]: [string, unknown]) =>
      value === undefined ? [] : [{ ...this.column(field), value }],
    );
  }

  private condition(terms: readonly Term[], next: Next): RawBuilder<unknown> {
    const found = terms.map(({ column, type, value }) => {
      if (value === null) return sql`${sql.id(column)} is null`;
      if (Array.isArray(value)) return sql`${sql.id(column)} = any(${next()}::${sql.raw(ARRAYS[type] ?? type)}[])`;
      return sql`${sql.id(column)} = ${next()}`;
    });
    const all = this.isOfCompany ? [sql`company_id = ${COMPANY}`, ...found] : found;
    if (all.length === 0) throw new Error(`a statement without a condition on ${this.name}`);
    return sql.join(all, sql` and `);
  }

  private returning(fields: readonly (keyof R & string)[]): RawBuilder<unknown> {
    return fields.length === 0 ? sql`` : sql`returning ${this.columns(undefined, fields)}`;
  }
}

/** Types whose arrays are sent as another type, with the expression that converts an element back. */
const ARRAYS: Readonly<Record<string, string>> = {
  cents: 'int8',
  char: 'text',
  jsonb: 'text',
  json: 'text',
  _text: 'text',
};
const CASTS: Readonly<Record<string, string>> = {
  char: '::"char"',
  jsonb: '::jsonb',
  json: '::json',
  _text: '::text[]',
};

/** JSON that is already text, which is stored unchanged. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A column that must have a value, be null, or have one of an array's values. */
interface Term {
  column: string;
  type: string;
  value: unknown;
}

const shapeOf = (terms: readonly Term[]): string =>
  terms
    .map(({ column, value }) => `${column}${value === null ? ' is null' : Array.isArray(value) ? ' any' : ''}`)
    .join();

const valuesOf = (given: readonly { value: unknown }[]): unknown[] => given.map(({ value }) => value);

/** Returns the values that the column is compared with. Null is part of the statement's text. */
const comparedIn = (terms: readonly Term[]): unknown[] => valuesOf(terms).filter((value) => value !== null);

/**
 * Returns the changes without the values in the condition, so that a key column isn't set to the value it already has.
 */
function changesOf(changes: object, where: object): object {
  const found = new Map(Object.entries(where));
  return Object.fromEntries(Object.entries(changes).filter(([field, value]) => found.get(field) !== value));
}

function quoted(name: string): string {
  return `"${name}"`;
}

function isExpression(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'toOperationNode' in value;
}

/** Converts a value for the driver. JSON becomes text, because the driver treats arrays differently. */
function parameter(type: string, value: unknown): unknown {
  if ((type !== 'jsonb' && type !== 'json') || value === null) return value;
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Converts a parameter inside an array. A list of strings uses PostgreSQL's array format. */
function cellOf(type: string, value: unknown): unknown {
  if (type !== '_text' || !Array.isArray(value)) return parameter(type, value);
  return `{${value.map((text) => `"${String(text).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
