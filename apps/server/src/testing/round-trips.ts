import type { Pool, PoolClient } from 'pg';

interface Wire {
  write: (...args: unknown[]) => unknown;
  on(event: 'data', listener: () => void): void;
  off(event: 'data', listener: () => void): void;
}

function wireOf(client: PoolClient): Wire {
  return (client as unknown as { connection: { stream: Wire } }).connection.stream;
}

/**
 * Counts the round trips of all code that uses the pool. A round trip begins with the first write after a response.
 * Statements that are sent together share a round trip.
 */
export async function countRoundTrips(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  let trips = 0;
  const watched = new Set<Wire>();
  const undo: (() => void)[] = [];
  const watch = (client: PoolClient): void => {
    const wire = wireOf(client);
    if (watched.has(wire)) return;
    watched.add(wire);
    let isAnswered = true;
    const write = wire.write;
    wire.write = (...args: unknown[]) => {
      if (isAnswered) trips += 1;
      isAnswered = false;
      return write.apply(wire, args);
    };
    const heard = (): void => {
      isAnswered = true;
    };
    wire.on('data', heard);
    undo.push(() => {
      wire.off('data', heard);
      wire.write = write;
    });
  };
  pool.on('acquire', watch);
  await work();
  pool.off('acquire', watch);
  for (const each of undo) each();
  return trips;
}
