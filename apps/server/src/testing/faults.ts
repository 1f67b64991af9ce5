import type { Pool, PoolClient } from 'pg';

type Ask = (statement: unknown, ...more: unknown[]) => unknown;

/** The error for a full disk, which rejects the statement and its transaction. */
const REFUSED = { text: "do $$ begin raise exception 'no room' using errcode = '53100'; end $$" };

/** `refused`: the database rejects the statement. `lost`: the connection breaks when the statement is sent. */
export type Fault = 'refused' | 'lost';

export interface Faults {
  /** Makes the nth statement from now fail. 0 means that no statement fails. */
  arm(nth: number, fault: Fault): void;
  /** Returns whether the fault has occurred. */
  hasStruck(): boolean;
  end(): void;
}

/** Intercepts every statement that the pool sends to the database. */
export function faultsAt(pool: Pool): Faults {
  let left = 0;
  let kind: Fault = 'refused';
  let hasStruck = false;
  const undo: (() => void)[] = [];
  const seen = new WeakSet<PoolClient>();
  const watch = (client: PoolClient): void => {
    if (seen.has(client)) return;
    seen.add(client);
    const door = client as unknown as { query: Ask; connection: { stream: { destroy: () => void } } };
    const query = door.query;
    door.query = (statement, ...more) => {
      const isHit = left === 1;
      if (left > 0) left -= 1;
      if (!isHit) return query.call(client, statement, ...more);
      hasStruck = true;
      if (kind === 'refused') return query.call(client, REFUSED, ...more.filter((each) => typeof each === 'function'));
      door.connection.stream.destroy();
      return query.call(client, statement, ...more);
    };
    undo.push(() => {
      door.query = query;
    });
  };
  pool.on('acquire', watch);
  return {
    arm: (nth, fault) => {
      left = nth;
      kind = fault;
      hasStruck = false;
    },
    hasStruck: () => hasStruck,
    end: () => {
      pool.off('acquire', watch);
      for (const each of undo) each();
    },
  };
}
