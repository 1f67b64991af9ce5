import type { Pool, PoolClient } from 'pg';

interface Wire {
  on(event: 'commandComplete', listener: (message: { text: string }) => void): void;
  off(event: 'commandComplete', listener: (message: { text: string }) => void): void;
}

function wireOf(client: PoolClient): Wire {
  return (client as unknown as { connection: Wire }).connection;
}

/** Counts the statements that go through the pool, and the rows that they return or change. */
export async function countStatements(
  pool: Pool,
  work: () => Promise<unknown>,
): Promise<{ statements: number; rows: number }> {
  const seen = { statements: 0, rows: 0 };
  const watched = new Set<Wire>();
  const hear = ({ text }: { text: string }): void => {
    seen.statements += 1;
    seen.rows += Number(/\d+$/.exec(text)?.[0] ?? 0);
  };
  const watch = (client: PoolClient): void => {
    const wire = wireOf(client);
    if (watched.has(wire)) return;
    watched.add(wire);
    wire.on('commandComplete', hear);
  };
  pool.on('acquire', watch);
  await work();
  pool.off('acquire', watch);
  for (const wire of watched) wire.off('commandComplete', hear);
  return seen;
}
