import type { Pool, PoolClient } from 'pg';

interface Sent {
  text: string;
  values?: unknown[];
}

interface Wire {
  query: (...args: [string | Sent, ...unknown[]]) => unknown;
}

/** The selects that go through the pool while `work` runs. */
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
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

/** Rows of a table that a plan has looked at, those that it then left out too. */
function rowsOf(node: Node, table: string): number {
  const own =
    node['Relation Name'] === table
      ? ((node['Actual Rows'] ?? 0) +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)) *
        (node['Actual Loops'] ?? 0)
      : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each, table), own);
}

/**
 * How many selects `work` sends through the pool, and how many rows of a table they look at together: each is run again
 * under `explain (analyze)` as the company's.
 */
export async function rowsRead(
  pool: Pool,
  { companyId, table }: { companyId: number; table: string },
  work: () => Promise<unknown>,
): Promise<{ selects: number; rows: number }> {
  const selects = await selectsOf(pool, work);
  const client = await pool.connect();
  try {
    await client.query(`begin; set local app.company_id = '${companyId}'`);
    let rows = 0;
    for (const { text, values } of selects) {
      const explained = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        ...(values === undefined ? {} : { values }),
      });
      for (const { Plan } of explained.rows[0]?.['QUERY PLAN'] ?? []) rows += rowsOf(Plan, table);
    }
    return { selects: selects.length, rows };
  } finally {
    await client.query('rollback');
    client.release();
  }
}
