import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** A process's memory in MB, and its open files and sockets. */
export interface Vitals {
  memory: number;
  descriptors: number;
}

export async function vitalsOf(pid: number): Promise<Vitals> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  return { memory, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

/** The connections to a database, and the number of temporary files that it has written so far. */
export interface Held {
  connections: number;
  temporary: number;
}

export async function heldBy(client: pg.Client): Promise<Held> {
  const { rows } = await client.query<Held>(
    `select (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
       temp_files::int as temporary from pg_stat_database where datname = current_database()`,
  );
  return rows[0] ?? { connections: 0, temporary: 0 };
}

/** Returns a value's growth per sample, by the method of least squares. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [over, under] = values.reduce(
    ([up, down], value, at) => [up + (at - middle) * (value - mean), down + (at - middle) ** 2],
    [0, 0],
  );
  return under === 0 ? 0 : over / under;
}
