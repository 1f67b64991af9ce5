import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The processes whose processor time is measured: the servers, and PostgreSQL's postmaster with its children. */
export interface Processes {
  servers: readonly number[];
  postmaster: number;
}

/**
 * Returns the fields in /proc/<pid>/stat after the name, which may contain spaces. Returns [] if the process has ended.
 */
function statOf(pid: string | number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const ticksOf = (fields: readonly string[], ...places: number[]): number =>
  places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0);

// The fields after the name: 1 is the parent, 11 the user time, 12 the system time, and 13 and 14 the same times for
// children that have ended.
function postgresTicks(postmaster: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((fields) => Number(fields[1]) === postmaster);
  const own = ticksOf(statOf(postmaster), 11, 12, 13, 14);
  return children.reduce((sum, fields) => sum + ticksOf(fields, 11, 12), own);
}

/**
 * Returns a function that reads the processor time by process, in microseconds. Only Linux reports the time of other
 * processes.
 */
export function cpuReader({ servers, postmaster }: Processes): () => Record<string, number> {
  if (process.platform !== 'linux') return () => ({});
  const tick = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return () => {
    const { user, system } = process.cpuUsage();
    return {
      'load generator': user + system,
      server: servers.reduce((sum, pid) => sum + ticksOf(statOf(pid), 11, 12), 0) * tick,
      PostgreSQL: postgresTicks(postmaster) * tick,
    };
  };
}
