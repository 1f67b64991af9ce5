import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The processes whose processor time is read: the servers' own, and PostgreSQL's first one with all its children. */
export interface Processes {
  servers: readonly number[];
  postmaster: number;
}

/** Fields of /proc/<pid>/stat behind the name, which may contain blanks; [] when the process is gone. */
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

// Places behind the name: 1 parent, 11 user, 12 system, 13 and 14 the same of children that have ended.
function postgresTicks(postmaster: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((fields) => Number(fields[1]) === postmaster);
  const own = ticksOf(statOf(postmaster), 11, 12, 13, 14);
  return children.reduce((sum, fields) => sum + ticksOf(fields, 11, 12), own);
}

/** Answers a reader of processor time so far, in microseconds, by process. Only Linux tells of other processes. */
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
