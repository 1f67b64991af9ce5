import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../platform/db/query.ts';
import { schema } from '../platform/db/types.ts';
import type { Tx } from '../platform/db/tx.ts';

/** An earlier time, as the database sees it. */
export interface Past {
  /** A timestamp with a time zone. Changes at this time and later are excluded. */
  before: string;
  /** The last transaction that was posted before this time, or 0. */
  through: number;
  /** The tables whose rows have changed since. */
  changed: readonly string[];
}

interface Versioned {
  /** The columns that identify a row. */
  key: string;
  /** The columns that reports read. They are read one by one, because a whole row takes eight times as long. */
  columns: string;
}

const PARTS = 'company_id id line_no description deleted account_id profit_center_id location_id';

/** The tables whose earlier versions are stored in past_row. */
const VERSIONED = {
  document: {
    key: 'id',
    columns: `company_id id kind side document_number document_date invoice_date due_date entity_id deleted is_posted
      is_draft total_cents open_cents bank_account_id tax_snapshot tax_account_id sales_tax_scenario_id opening`,
  },
  invoice_line: {
    key: 'id',
    columns: `${PARTS} invoice_id product_id discount_id package_parts quantity taxable line_amount_cents line_tax`,
  },
  payment: {
    key: 'id',
    columns: `company_id id side payment_number payment_date entity_id deleted amount_cents unapplied_cents
      applied_cents discount_account_id`,
  },
  payment_application: {
    key: 'payment_id, document_id, recognition_date',
    columns: `company_id payment_id document_id recognition_date side amount_cents applied_before_cents waived_cents`,
  },
  payment_refund: {
    key: 'refund_id, payment_id',
    columns: 'company_id refund_id payment_id recognition_date amount_cents',
  },
  bank_document: { key: 'id', columns: 'company_id id kind bank_document_number' },
  reconciliation: { key: 'id', columns: 'company_id id statement_date' },
  reconciliation_line: { key: 'line_id', columns: 'company_id line_id reconciliation_id' },
  budget_amount: { key: 'id', columns: 'company_id id account_id profit_center_id month amount_cents' },
} as const satisfies Partial<Record<keyof typeof schema, Versioned>>;

type VersionedTable = keyof typeof VERSIONED;

const versionedTables = Object.keys(VERSIONED) as VersionedTable[];

/** Returns which of these tables have rows that changed at or after a time. */
export function changedSince(before: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array(
      select t.name from unnest(${versionedTables}::text[]) t (name)
      where exists (
        select from past_row v where v.company_id = ${COMPANY} and v.relation = t.name and v.until >= ${before}))`;
}

/** The names of a statement's parameters for the company and the earlier time. */
interface Places {
  company: string;
  before: string;
  through: string;
}

/** Returns the expression for a column of an earlier version `p`. */
function columnOf(name: VersionedTable, column: string): string {
  const [type = ''] = ((schema[name] as Readonly<Record<string, string>>)[column] ?? '').split(' ');
  if (type === 'jsonb') return `nullif(p.content -> '${column}', 'null') as ${column}`;
  return `(p.content ->> '${column}')::${type === 'cents' ? 'int8' : type} as ${column}`;
}

/**
 * Returns a table as it was: the rows that existed and have not changed since, and the earlier versions of the others.
 * An earlier version is the first one that was replaced by a later transaction. The condition `not in` makes PostgreSQL
 * look up each key in a hash table, however the rest of the statement reads the table.
 */
function versioned(name: VersionedTable, { company, before }: Places, isChanged: boolean): string {
  const { key, columns } = VERSIONED[name];
  const all = columns.split(/\s+/);
  const current = `
      select ${all.map((column) => `r.${column}`).join(', ')} from public.${name} r
      where r.company_id = ${company} and r.born < ${before}`;
  if (!isChanged) return `${name} as not materialized (${current})`;
  return `
    past_${name} as materialized (
      select ${all.join(', ')} from (
        select distinct on (p.key collate "C") ${all.map((column) => columnOf(name, column)).join(', ')}
        from public.past_row p
        where p.company_id = ${company} and p.relation = '${name}' and p.until >= ${before} and p.born < ${before}
        order by p.key collate "C", p.kept_at) v),
    ${name} as not materialized (${current} and (${key}) not in (select ${key} from past_${name})
      union all
      select * from past_${name})`;
}

/** Tables whose rows are only added. */
const GROWING: Readonly<Record<string, (places: Places) => string>> = {
  journal_transaction: ({ through }) => `t.id <= ${through}`,
  journal_line: ({ through }) => `t.transaction_id <= ${through}`,
  audit_log: ({ before }) => `t.at < ${before}`,
};

const growing = (name: string, places: Places, condition: string): string => `
    ${name} as not materialized (
      select t.* from public.${name} t where t.company_id = ${places.company} and ${condition})`;

const READS = new RegExp(
  `\\b(?:from|join)\\s+(${[...Object.keys(VERSIONED), ...Object.keys(GROWING)].join('|')})\\b`,
  'g',
);

/** Returns a statement that reads the tables above as they were. */
function asItWas<R>(query: Runnable<R>, { before, through, changed }: Past): Runnable<R> {
  return {
    compile: (compiler) => {
      const compiled = query.compile(compiler);
      const names = [...new Set([...compiled.sql.matchAll(READS)].map(([, name = '']) => name))].toSorted();
      const { parameters } = sql`${COMPANY}`.compile(compiler);
      const next = compiled.parameters.length + 1;
      const places = {
        company: `$${next}::bigint`,
        before: `$${next + 1}::timestamptz`,
        through: `$${next + 2}::bigint`,
      };
      const tables = names.map((name) => {
        const known = versionedTables.find((one) => one === name);
        if (known !== undefined) return versioned(known, places, changed.includes(known));
        return growing(name, places, GROWING[name]?.(places) ?? 'true');
      });
      // All three parameters must be used, or PostgreSQL can't tell their types.
      const all = [...tables, `past_moment as (select ${places.company}, ${places.before}, ${places.through})`].join(
        ',',
      );
      const [, own] = /^\s*with\b(.*)$/s.exec(compiled.sql) ?? [];
      const text = `/* varies */ with ${all}${own === undefined ? ` ${compiled.sql}` : `, ${own}`}`;
      return { ...compiled, sql: text, parameters: [...compiled.parameters, ...parameters, before, through] };
    },
  };
}

/**
 * Returns a transaction that reads documents, payments, budgets, reconciliations, the journal, and the audit log as
 * they were at an earlier time. Names and settings are today's. The totals in ledger_total are also today's: the
 * queries in balances.sql.ts subtract later lines from them.
 */
export function pastTx(tx: Tx, past: Past): Tx {
  const then = <R>(query: Runnable<R>): Runnable<R> => asItWas(query, past);
  return {
    ...tx,
    rows: (query) => tx.rows(then(query)),
    row: (query) => tx.row(then(query)),
    one: (query) => tx.one(then(query)),
    inOrder: () => {
      throw new Error('the past can only be read');
    },
    atEnd: () => {
      throw new Error('the past can only be read');
    },
  };
}
