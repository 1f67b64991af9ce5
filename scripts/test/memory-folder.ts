import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const prefix = 'evenkeel-tests-';
const GIB = 2 ** 30;
/** As Linux has it (magic.h). */
const TMPFS = 0x01021994;

/** A run takes some 2 GiB there at most; so much must be left to others. */
const leastFree = 8 * GIB;
const leastMemory = 12 * GIB;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes folders of runs that were killed: they would take memory until the machine restarts. */
function sweep(shared: string): void {
  for (const name of readdirSync(shared)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(shared, name), { recursive: true, force: true });
  }
}

function hasRoom(shared: string): boolean {
  const { type, bavail, bsize } = statfsSync(shared);
  return type === TMPFS && bavail * bsize >= leastFree && freemem() >= leastMemory;
}

/**
 * A folder in memory for what tests write, where the machine has plenty of it (Linux); undefined elsewhere. Hundreds of
 * databases made and dropped within minutes keep a disk's file system looking for free inodes for a tenth of the run.
 * Remove it after.
 */
export function makeMemoryFolder(shared = '/dev/shm'): string | undefined {
  try {
    sweep(shared);
    if (!hasRoom(shared)) return undefined;
    const folder = mkdtempSync(join(shared, `${prefix}${process.pid}-`));
    // PostgreSQL does not run as root: its account makes folders here too, as in the system's own.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return undefined;
  }
}
