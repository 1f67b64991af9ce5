import type { Pool, PoolClient } from 'pg';

interface Sent {
  text: string;
  values?: unknown[];
}

interface Wire {
  query: (...args: [string | Sent, ...unknown[]]) => unknown;
}

/** Returns the selects that the pool sends while `work` runs. */
async function selectsOf(pool: Pool, work: () => Promise<unknown>): Promise<Sent[]> {
  const seen: Sent[] = [];
  const undo = new Map<PoolClient, () => void>();
  const watch = (client: PoolClient): void => {
    if (undo.has(client)) return;
    const wire = client as unknown as Wire;
    const { query } = wire;
    undo.set(client, () => {
      wire.query = query;
    });
    wire.query = (...args) => {
      const [statement] = args;
      if (typeof statement === 'object' && /^\s*(select|with)\b/.test(statement.text)) seen.push(statement);
      return query.apply(client, args);
    };
  };
  pool.on('acquire', watch);
  try {
    await work();
  } finally {
    pool.off('acquire', watch);
    for (const restore of undo.values()) restore();
  }
  return seen;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

/** Returns the rows that a plan node read in all its loops, including rows that it filtered out. */
function lookedAt(node: Node): number {
  const rows =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return rows * (node['Actual Loops'] ?? 0);
}

/** Adds up the rows that the included plan nodes read. */
function sumOf(node: Node, counts: (part: Node) => boolean): number {
  return (node.Plans ?? []).reduce((sum, each) => sum + sumOf(each, counts), counts(node) ? lookedAt(node) : 0);
}

interface Counted {
  selects: number;
  rows: number;
}

/**
 * Counts the selects that `work` sends through the pool, and the rows of a table that the selects read. Runs each
 * select again for the company with `explain (analyze)`.
 */
export function rowsRead(
  pool: Pool,
  { companyId, table }: { companyId: number; table: string },
  work: () => Promise<unknown>,
): Promise<Counted> {
  return explained(pool, { companyId, counts: (part) => part['Relation Name'] === table }, work);
}

/** Counts the rows in all tables, joins, sorts, and aggregations. A row counts in every plan node that reads it. */
export function rowsTouched(pool: Pool, companyId: number, work: () => Promise<unknown>): Promise<Counted> {
  return explained(pool, { companyId, counts: () => true }, work);
}

async function explained(
  pool: Pool,
  { companyId, counts }: { companyId: number; counts: (part: Node) => boolean },
  work: () => Promise<unknown>,
): Promise<Counted> {
  const selects = await selectsOf(pool, work);
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.company_id = '${companyId}'`);
    let rows = 0;
    for (const { text, values } of selects) {
      const answer = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        ...(values === undefined ? {} : { values }),
      });
      for (const { Plan } of answer.rows[0]?.['QUERY PLAN'] ?? []) rows += sumOf(Plan, counts);
    }
    return { selects: selects.length, rows };
  } finally {
    await client.query('rollback');
    client.release();
  }
}
