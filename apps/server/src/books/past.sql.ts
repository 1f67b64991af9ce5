import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../platform/db/query.ts';
import type { Tx } from '../platform/db/tx.ts';

/** An earlier time, as the database sees it. */
export interface Past {
  /** A timestamp with a time zone. Changes at this time and later are excluded. */
  before: string;
  /** The last transaction that was posted before this time, or 0. */
  through: number;
}

/** The tables whose earlier versions are stored in past_row, with the columns that identify a row. */
const VERSIONED: Readonly<Record<string, string>> = {
  document: 'id',
  invoice_line: 'id',
  payment: 'id',
  payment_application: 'payment_id, document_id, recognition_date',
  payment_refund: 'refund_id, payment_id',
  bank_document: 'id',
  reconciliation: 'id',
  reconciliation_line: 'line_id',
  budget_amount: 'id',
};

/** The names of a statement's parameters for the company and the earlier time. */
interface Places {
  company: string;
  before: string;
  through: string;
}

/**
 * Returns a table as it was: the rows that have not changed since, and the earlier versions of the others. An earlier
 * version is the first one that ended since then. The condition `not in` makes PostgreSQL look up each key in a hash
 * table, however the rest of the statement reads the table.
 */
const versioned = (name: string, key: string, { company, before }: Places): string => `
    past_${name} as materialized (
      select r.* from (
        select distinct on (v.key) v.content, v.born from public.past_row v
        where v.company_id = ${company} and v.relation = '${name}' and v.until >= ${before}
        order by v.key, v.until) p
      cross join lateral jsonb_populate_record(null::public.${name}, p.content) r
      where p.born < ${before}),
    ${name} as not materialized (
      select r.* from public.${name} r
      where r.company_id = ${company} and r.born < ${before} and (${key}) not in (select ${key} from past_${name})
      union all
      select r.* from past_${name} r)`;

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

/** Returns a statement that reads the tables above as they were. The text doesn't depend on the time. */
function asItWas<R>(query: Runnable<R>, { before, through }: Past): Runnable<R> {
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
        const key = VERSIONED[name];
        return key === undefined
          ? growing(name, places, GROWING[name]?.(places) ?? 'true')
          : versioned(name, key, places);
      });
      // All three parameters must be used, or PostgreSQL can't tell their types.
      const all = [...tables, `known as (select ${places.company}, ${places.before}, ${places.through})`].join(',');
      const [, own] = /^\s*with\b(.*)$/s.exec(compiled.sql) ?? [];
      const text = own === undefined ? `with ${all} ${compiled.sql}` : `with ${all}, ${own}`;
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
