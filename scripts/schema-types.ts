import type { Pool } from 'pg';

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: string;
  has_default: boolean;
}

const TYPES: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'ColumnType<string, string | number, string | number>',
  text: 'string',
  char: 'string',
  bool: 'boolean',
  date: 'string',
  timestamptz: 'ColumnType<Date, Date | string, Date | string>',
  bytea: 'Buffer',
  jsonb: 'ColumnType<unknown, string, string>',
  _text: 'string[]',
};

const HEAD = `// Generated from the database schema by \`npm run generate\`; do not edit.
import type { ColumnType, Generated } from 'kysely';
`;

/** The schema of a migrated database as TypeScript: one interface per table, as the query builder wants it. */
export async function schemaTypes(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Column>(`
    select c.table_name, c.column_name, c.udt_name, c.is_nullable,
      (c.column_default is not null or c.is_identity = 'YES') as has_default
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    order by c.table_name, c.ordinal_position`);
  const tables = groupByTable(rows);
  const parts = [...tables].map(
    ([table, columns]) => `export interface ${interfaceName(table)} {\n${fields(columns)}}\n`,
  );
  const all = [...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)};\n`).join('');
  return `${HEAD}\n${parts.join('\n')}\nexport interface DB {\n${all}}\n`;
}

function groupByTable(rows: readonly Column[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>();
  for (const row of rows) tables.set(row.table_name, [...(tables.get(row.table_name) ?? []), row]);
  return tables;
}

function interfaceName(table: string): string {
  return `${table.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Table`;
}

function fields(columns: readonly Column[]): string {
  return columns.map((column) => `  ${column.column_name}: ${fieldType(column)};\n`).join('');
}

function fieldType(column: Column): string {
  const type = TYPES[column.udt_name];
  if (type === undefined) throw new Error(`no TypeScript type for ${column.udt_name} (${column.table_name})`);
  const nullable = column.is_nullable === 'YES' ? withNull(type) : type;
  return column.has_default ? `Generated<${nullable}>` : nullable;
}

function withNull(type: string): string {
  const [, inner] = /^ColumnType<(.*)>$/.exec(type) ?? [];
  if (inner === undefined) return `${type} | null`;
  return `ColumnType<${inner
    .split(', ')
    .map((part) => `${part} | null`)
    .join(', ')}>`;
}
