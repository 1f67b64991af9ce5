import type { Pool } from 'pg';

/**
 * Raw PostgreSQL writing the same rows: copies of the tables without row-level security, triggers, foreign keys, hash
 * chain and monthly totals, and one function call per invoice that makes the bare inserts.
 */
export type RawKind = 'bare' | 'indexed';

/** The tables that one invoice writes, in writing order. */
export const writtenTables = [
  'invoice',
  'invoice_line',
  'journal_transaction',
  'journal_line',
  'audit_log',
  'idempotency',
] as const;
type Table = (typeof writtenTables)[number];
type Row = Record<string, unknown>;

/** What an invoice that was posted over HTTP left behind, by table. */
export type Written = Record<Table, Row[]>;

const whereIs: Record<Table, string> = {
  invoice: 't.id = $2',
  invoice_line: 't.invoice_id = $2',
  journal_transaction: "t.source_type = 'invoice' and t.source_id = $2",
  journal_line: `t.transaction_id in (select j.id from public.journal_transaction j
    where j.company_id = t.company_id and j.source_type = 'invoice' and j.source_id = $2)`,
  audit_log: "t.subject_type = 'invoice' and t.subject_id = $2",
  idempotency: "(t.reply::jsonb ->> 'id')::bigint = $2",
};

/** The rows of one invoice in every table, in the order of their keys. */
export async function readWritten(pool: Pool, companyId: number, invoiceId: number): Promise<Written> {
  const read = async (table: Table): Promise<Row[]> => {
    const rows = await pool.query<{ row: Row }>(
      `select to_jsonb(t) as row from public.${table} t where t.company_id = $1 and ${whereIs[table]}
       order by ${table === 'idempotency' ? 't.key' : 't.id'}`,
      [companyId, invoiceId],
    );
    return rows.rows.map(({ row }) => row);
  };
  const entries = await Promise.all(writtenTables.map(async (table) => [table, await read(table)] as const));
  return Object.fromEntries(entries) as Written;
}

/** Columns that differ from call to call; all others are constants in the function. */
const changing: Record<Table, Record<string, string>> = {
  invoice: { company_id: 'company', customer_id: 'customer', id: 'invoice_id', invoice_number: 'invoice_id::text' },
  invoice_line: { company_id: 'company', id: 'nextval(@line)', invoice_id: 'invoice_id' },
  journal_transaction: {
    company_id: 'company',
    id: 'transaction_id',
    posting_no: 'transaction_id',
    source_id: 'invoice_id',
    created_at: 'clock_timestamp()',
  },
  journal_line: {
    company_id: 'company',
    id: 'nextval(@journal_line)',
    transaction_id: 'transaction_id',
    entity_id: 'customer',
  },
  audit_log: {
    company_id: 'company',
    id: 'nextval(@audit)',
    at: 'clock_timestamp()',
    subject_id: 'invoice_id',
    after: 'reply::jsonb',
  },
  idempotency: { company_id: 'company', key: 'request_key', reply: 'reply', created_at: 'clock_timestamp()' },
};

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

function insertOf(schema: string, table: Table, rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const sequence = (expression: string): string => expression.replace(/@(\w+)/, `'${schema}.$1_id'`);
  const values = rows.map((row) => {
    const cells = columns.map((column) => sequence(changing[table][column] ?? literal(row[column])));
    return `(${cells.join(', ')})`;
  });
  const names = columns.map((column) => `"${column}"`).join(', ');
  return `insert into ${schema}.${table} (${names}) values ${values.join(', ')};`;
}

/** Creates the raw tables and their function, after the rows that the invoice wrote. */
export async function createRaw(pool: Pool, kind: RawKind, written: Written): Promise<void> {
  const schema = `bench_${kind}`;
  const key = (table: Table): string => (table === 'idempotency' ? 'company_id, key' : 'company_id, id');
  const tables = writtenTables.map((table) =>
    kind === 'indexed'
      ? `create table ${schema}.${table} (like public.${table} including defaults including indexes);`
      : `create table ${schema}.${table} (like public.${table} including defaults, primary key (${key(table)}));`,
  );
  const sequences = ['invoice', 'line', 'journal_line', 'transaction', 'audit'].map(
    (name) => `create sequence ${schema}.${name}_id;`,
  );
  const inserts = writtenTables.map((table) => insertOf(schema, table, written[table]));
  await pool.query(`
    create schema ${schema};
    ${sequences.join('\n')}
    ${tables.join('\n')}
    create function ${schema}.post_invoice(company bigint, customer bigint, request_key text, reply text)
    returns bigint language plpgsql as $body$
    declare
      invoice_id bigint := nextval('${schema}.invoice_id');
      transaction_id bigint := nextval('${schema}.transaction_id');
    begin
      ${inserts.join('\n')}
      return invoice_id;
    end $body$`);
}

/** One invoice: one prepared call, committed by itself. */
export function postRaw(
  pool: Pool,
  kind: RawKind,
  { companyId, customerId, key, reply }: { companyId: number; customerId: number; key: string; reply: string },
): Promise<unknown> {
  return pool.query({
    name: `post_${kind}`,
    text: `select bench_${kind}.post_invoice($1, $2, $3, $4)`,
    values: [companyId, customerId, key, reply],
  });
}
