import type { Pool } from 'pg';

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: string;
  has_default: boolean;
}

/** The column types that table.ts maps to TypeScript types. A number whose name ends in `_cents` is money. */
const KNOWN = 'int2 int4 int8 numeric text char bool date timestamptz bytea jsonb json _text _int8'.split(' ');

const HEAD = `// Generated from the database schema by \`npm run generate\`; do not edit.

/** Every table with its columns: the type, then "null" where a value may be missing, "default" where a row has one. */
export const schema = {
`;

/**
 * Returns the schema of a migrated database as a constant that both the compiler and the program use (see table.ts).
 */
export async function schemaTypes(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Column>(`
    select c.table_name, c.column_name, c.udt_name, c.is_nullable,
      (c.column_default is not null or c.is_identity = 'YES') as has_default
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    order by c.table_name, c.ordinal_position`);
  const tables = new Map<string, Column[]>();
  for (const row of rows) tables.set(row.table_name, [...(tables.get(row.table_name) ?? []), row]);
  const parts = [...tables].map(([table, columns]) => `  ${table}: {\n${columns.map(field).join('')}  },\n`);
  return `${HEAD}${parts.join('')}} as const;\n`;
}

function field(column: Column): string {
  const { table_name: table, column_name: name, udt_name: type } = column;
  if (!KNOWN.includes(type)) throw new Error(`no TypeScript type for ${type} (${table})`);
  const base = type === 'int8' && name.endsWith('_cents') ? 'cents' : type;
  const isNull = column.is_nullable === 'YES' ? ' null' : '';
  return `    ${name}: '${base}${isNull}${column.has_default ? ' default' : ''}',\n`;
}
