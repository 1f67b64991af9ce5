import type { Pool } from 'pg';

/**
 * The kinds of raw PostgreSQL tables for the same rows. They are copies of Evenkeel's tables, but without row-level
 * security, triggers, foreign keys, the hash chain, and totals. For each invoice, one function call runs only the
 * inserts. 'bare' tables have only primary keys and get IDs from sequences. 'equal' tables have the same indexes as
 * Evenkeel's. They get numbers and journal IDs without gaps from one row per company, which stays locked until the
 * commit, like the ledger head.
 */
export type RawKind = 'bare' | 'equal';

/** The tables that one invoice writes to, in writing order. */
export const writtenTables = [
  'document',
  'invoice_line',
  'journal_transaction',
  'journal_line',
  'audit_log',
  'idempotency',
] as const;
type Table = (typeof writtenTables)[number];
type Row = Record<string, unknown>;

/** The rows that a posted invoice wrote, by table. */
export type Written = Record<Table, Row[]>;

const whereIs: Record<Table, string> = {
  document: 't.id = $2',
  invoice_line: 't.invoice_id = $2',
  journal_transaction: "t.source_type = 'invoice' and t.source_id = $2",
  journal_line: `t.transaction_id in (select j.id from public.journal_transaction j
    where j.company_id = t.company_id and j.source_type = 'invoice' and j.source_id = $2)`,
  audit_log: "t.subject_type = 'invoice' and t.subject_id = $2",
  idempotency: `t.audit_id in (select a.id from public.audit_log a
    where a.company_id = t.company_id and a.subject_type = 'invoice' and a.subject_id = $2)`,
};

/** Reads the rows of one invoice from every table, in key order. */
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

/** The columns whose values differ between calls. All others are constants in the function. */
const changing: Record<Table, Record<string, string>> = {
  document: {
    company_id: 'company',
    entity_id: 'customer',
    id: 'invoice_id',
    document_number: 'document_number::text',
  },
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
    id: '@journal_line',
    transaction_id: 'transaction_id',
    entity_id: 'customer',
  },
  audit_log: {
    company_id: 'company',
    id: 'audit_id',
    at: 'clock_timestamp()',
    subject_id: 'invoice_id',
    after: 'reply::json',
  },
  idempotency: { company_id: 'company', key: 'request_key', audit_id: 'audit_id', created_at: 'clock_timestamp()' },
};

/** Returns a SQL constant. Objects are jsonb. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

interface Kind {
  schema: string;
  /** Additional statements. */
  extra: string;
  key: (table: Table) => string;
  /** Returns the ID of a journal line by its index. */
  lineId: (index: number) => string;
  /** Sets transaction_id, document_number, and first_line. */
  numbers: string;
}

const kinds: Record<RawKind, Kind> = {
  bare: {
    schema: 'bench_bare',
    extra: `create sequence bench_bare.journal_line_id; create sequence bench_bare.transaction_id;`,
    key: (table) => `, primary key (${table === 'idempotency' ? 'company_id, key' : 'company_id, id'})`,
    lineId: () => "nextval('bench_bare.journal_line_id')",
    numbers: `transaction_id := nextval('bench_bare.transaction_id'); document_number := invoice_id;`,
  },
  equal: {
    schema: 'bench_equal',
    extra: `create table bench_equal.ledger_head (like public.ledger_head including indexes,
        next_invoice_number bigint not null default 10001) with (fillfactor = 10);
      insert into bench_equal.ledger_head select * from public.ledger_head;`,
    key: () => ' including indexes',
    lineId: (index) => `first_line + ${index}`,
    numbers: `update bench_equal.ledger_head h set next_transaction_id = h.next_transaction_id + 1,
        next_posting_no = h.next_posting_no + 1, next_invoice_number = h.next_invoice_number + 1,
        next_line_id = h.next_line_id + @lines
      where h.company_id = company
      returning h.next_transaction_id - 1, h.next_invoice_number - 1, h.next_line_id - @lines
      into transaction_id, document_number, first_line;`,
  },
};

function insertOf({ schema, lineId }: Kind, table: Table, rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row, index) => {
    const cells = columns.map((column) => {
      const expression = changing[table][column];
      if (expression === undefined) return literal(row[column]);
      return expression.replace('@journal_line', lineId(index)).replace(/@(\w+)/, `'${schema}.$1_id'`);
    });
    return `(${cells.join(', ')})`;
  });
  const names = columns.map((column) => `"${column}"`).join(', ');
  return `insert into ${schema}.${table} (${names}) values ${values.join(', ')};`;
}

/** Creates the raw tables and their function from the rows that the invoice wrote. The companies must already exist. */
export async function createRaw(pool: Pool, name: RawKind, written: Written): Promise<void> {
  const kind = kinds[name];
  const { schema } = kind;
  const tables = writtenTables.map(
    (table) => `create table ${schema}.${table} (like public.${table} including defaults${kind.key(table)});`,
  );
  const sequences = ['invoice', 'line', 'audit'].map((each) => `create sequence ${schema}.${each}_id;`);
  const inserts = writtenTables.map((table) => insertOf(kind, table, written[table]));
  const lines = String(written.journal_line.length);
  await pool.query(`
    create schema ${schema};
    ${sequences.join('\n')}
    ${kind.extra}
    ${tables.join('\n')}
    create function ${schema}.post_invoice(company bigint, customer bigint, request_key text, reply text)
    returns bigint language plpgsql as $body$
    declare
      invoice_id bigint := nextval('${schema}.invoice_id');
      audit_id bigint := nextval('${schema}.audit_id');
      transaction_id bigint;
      document_number bigint;
      first_line bigint;
    begin
      ${kind.numbers.replaceAll('@lines', lines)}
      ${inserts.join('\n')}
      return invoice_id;
    end $body$`);
}

/** Posts one invoice with one prepared call and its own commit. */
export function postRaw(
  pool: Pool,
  kind: RawKind,
  { companyId, customerId, key, reply }: { companyId: number; customerId: number; key: string; reply: string },
): Promise<unknown> {
  return pool.query({
    name: `post_${kind}`,
    text: `select ${kinds[kind].schema}.post_invoice($1, $2, $3, $4)`,
    values: [companyId, customerId, key, reply],
  });
}
