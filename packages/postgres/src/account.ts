import { execFile, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The operating system account that runs PostgreSQL if the app runs as root, because PostgreSQL refuses to run as root.
 */
export interface Account {
  uid: number;
  gid: number;
}

export const ownServer = 'set DATABASE_URL to use your own PostgreSQL server';

/**
 * Returns the account that runs PostgreSQL. Undefined means the app's own account. If the app runs as root, the account
 * is the owner of the existing database or, if there is none, `postgres` or `nobody`, whichever exists first. No
 * accounts are created. Throws a clear message if PostgreSQL could not run because the passwd entry or the account is
 * missing, or because the database belongs to another user.
 */
export async function accountFor(database: { path: string; owner: Account | undefined }): Promise<Account | undefined> {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  if (uid === 0) return database.owner?.uid ? database.owner : await systemAccount();
  requirePasswdEntry(uid);
  if (database.owner && database.owner.uid !== uid) {
    throw new Error(
      `the database in ${database.path} belongs to user ID ${database.owner.uid}, but Evenkeel is ` +
        `running as user ID ${uid}. Start it as the same user as before, or set DATA_DIR to another ` +
        'folder',
    );
  }
  return undefined;
}

function requirePasswdEntry(uid: number): void {
  try {
    userInfo();
  } catch {
    throw new Error(
      `user ID ${uid} is not in /etc/passwd, which PostgreSQL requires. Add an entry, start ` +
        `Evenkeel as another user, or ${ownServer}`,
    );
  }
}

async function systemAccount(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      continue;
    }
  }
  throw new Error(
    "PostgreSQL can't run as root, and this system has no postgres or nobody user. Start " +
      `Evenkeel as an ordinary user, or ${ownServer}`,
  );
}

/** Returns whether the account can enter the directory. Asks the kernel, because mode bits alone are not sufficient. */
export function canEnter(account: Account, directory: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...account, cwd: '/', stdio: 'ignore' });
  if (probe.error) {
    throw new Error(`can't run a program as user ID ${account.uid} (${probe.error.message}): ${ownServer}`);
  }
  return probe.status === 0;
}

/**
 * Returns the options that run PostgreSQL's programs under its account, from a directory that the account can read, and
 * without the app's secrets.
 */
export function spawnOptions(account: Account | undefined): { cwd: string; env: NodeJS.ProcessEnv } & Partial<Account> {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C' };
  for (const name of ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...account, cwd: process.platform === 'win32' ? process.cwd() : '/', env };
}

/** Returns whether a process with this ID exists, regardless of its owner. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
