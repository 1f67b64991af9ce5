import type pg from 'pg';

/** A table in a backup. */
export interface TableShape {
  name: string;
  columns: string[];
  /** Whether the table has rows for each company, which are protected by row-level security. */
  isTenant: boolean;
}

/**
 * Tables that are recreated instead of restored: totals, live lines, the search index, sessions, known networks, links,
 * challenges, limits, and the list of migrations.
 */
const LEFT_OUT = [
  'document_open_sum',
  'journal_live',
  'migration',
  'passkey_challenge',
  'rate_limit',
  'search_entry',
  'session',
  'sign_in_place',
  'token',
];

/** Tables whose references are checked by a trigger instead of a foreign key. */
const GUARDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['journal_line', ['journal_transaction']],
  // The trigger rejects a line that reverses a marked line. A line that was reversed on another date can be marked, so
  // marks must be restored last.
  ['reconciliation_line', ['journal_line']],
]);

/** Returns every table with its columns. Parents come before the tables that refer to them. */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape & { parents: string[] }>(
    `select c.relname as name, c.relrowsecurity as "isTenant",
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       coalesce((select array_agg(distinct p.relname::text) from pg_constraint k join pg_class p on p.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '{}') as parents
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
     order by c.relname`,
    [LEFT_OUT],
  );
  return inOrder(rows.map((row) => ({ ...row, parents: [...row.parents, ...(GUARDED.get(row.name) ?? [])] })));
}

function inOrder(tables: readonly (TableShape & { parents: string[] })[]): TableShape[] {
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: TableShape[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ parents }) => parents.every((parent) => !waiting.has(parent)));
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns, isTenant } of ready) {
      waiting.delete(name);
      ordered.push({ name, columns, isTenant });
    }
  }
  return ordered;
}

export async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name');
  return rows.map(({ name }) => name);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function copyOutText({ name, columns, isTenant }: TableShape, companyId: number | undefined): string {
  const where = isTenant && companyId !== undefined ? ` where company_id = ${companyId}` : '';
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}${where}) to stdout`;
}

export function copyInText({ table, columns }: { table: string; columns: readonly string[] }): string {
  return `copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin`;
}

/** While FORCE is on, even the owner can't use COPY, so FORCE is turned off and on again within one transaction. */
export async function forceSecurity(
  client: pg.Client,
  tables: readonly TableShape[],
  isForced: boolean,
): Promise<void> {
  for (const { name, isTenant } of tables) {
    if (!isTenant) continue;
    await client.query(`alter table ${quoted(name)} ${isForced ? '' : 'no '}force row level security`);
  }
}

/** Sets the sequences so that new rows get IDs after the restored ones. */
export async function moveSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column,
       pg_get_serial_sequence(format('%I', c.relname), a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`,
  );
  for (const { table, column, sequence } of rows) {
    // A statement never uses both a sequence and tables, because a distributed statement would use the sequence on the
    // servers that store the rows.
    const { rows: found } = await client.query<{ highest: number | null }>(
      `select max(${quoted(column)}) as highest from ${quoted(table)}`,
    );
    await client.query(`select setval($1, greatest($2::bigint, (select last_value from ${sequence})))`, [
      sequence,
      found[0]?.highest,
    ]);
  }
}
