import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const prefix = 'evenkeel-tests-';
const GIB = 2 ** 30;
/** The number of the in-memory file system in Linux (magic.h). */
const TMPFS = 0x01021994;

/**
 * The minimum free space in the folder, in bytes. A run uses at most about 2 GiB, and the rest remains for other
 * programs.
 */
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

/** Removes the folders of killed runs. Otherwise, these folders would use memory until the machine restarts. */
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
 * Returns a folder in memory for test data if the machine has enough memory (Linux), and undefined otherwise. On a
 * disk, creating and dropping hundreds of databases within minutes makes the file system search for free inodes for a
 * tenth of the run. The caller must remove the folder.
 */
export function makeMemoryFolder(shared = '/dev/shm'): string | undefined {
  try {
    sweep(shared);
    if (!hasRoom(shared)) return undefined;
    const folder = mkdtempSync(join(shared, `${prefix}${process.pid}-`));
    // PostgreSQL does not run as root, so its account must be able to create folders here, as it can in the system's
    // folder.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return undefined;
  }
}
