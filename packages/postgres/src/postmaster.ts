import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, link, lstat, mkdir, mkdtemp, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive, spawnOptions } from './account.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Place } from './cluster.ts';

const run = promisify(execFile);

/** The server's data from `postmaster.pid`: lines 1, 4, 5 (or 6 on TCP), and 8. */
export interface Postmaster {
  pid: number;
  host: string;
  port: number;
  isReady: boolean;
}

/** Reads `postmaster.pid`. Returns undefined if the file is missing or incomplete. */
export async function readPostmaster(dataPath: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataPath, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, host: lines[4] || lines[5] || '', port: Number(lines[3]) || 0, isReady: lines[7] === 'ready' };
}

/**
 * Returns 'yes' if the process is the data directory's PostgreSQL, 'no' if it is another program, or 'unknown' if this
 * can't be determined.
 */
export async function worksIn(pid: number, dataPath: string): Promise<'yes' | 'no' | 'unknown'> {
  if (process.platform === 'win32') return 'unknown';
  if (process.platform !== 'linux') return /postgres/.test(await commandOf(pid)) ? 'yes' : 'no';
  try {
    const [folder, data] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dataPath)]);
    return folder.dev === data.dev && folder.ino === data.ino ? 'yes' : 'no';
  } catch {
    // A kernel thread or a finished process has no working folder, and another user's process can't be inspected.
    const unreadable = await readlink(`/proc/${pid}/cwd`).catch((error: unknown) => error);
    const isForbidden = unreadable instanceof Error && 'code' in unreadable && unreadable.code === 'EACCES';
    return isForbidden ? 'unknown' : 'no';
  }
}

async function commandOf(pid: number): Promise<string> {
  return await run('ps', ['-o', 'comm=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

/**
 * Removes the pid file and the socket's lock of a stopped server if its process ID now belongs to another program. The
 * file is moved aside first. If the file turns out to be from another process that started in the meantime, the file is
 * moved back.
 */
export async function removeStale(dataPath: string, stale: Postmaster): Promise<void> {
  const path = join(dataPath, 'postmaster.pid');
  const aside = `${path}.stale-${process.pid}`;
  try {
    await rename(path, aside);
    const isStale = Number((await readFile(aside, 'utf8')).split('\n')[0]) === stale.pid;
    if (!isStale) await link(aside, path);
    else if (stale.host.startsWith('/')) await rm(join(stale.host, `.s.PGSQL.${stale.port}.lock`), { force: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST')))
      throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/**
 * Removes a pid file that a power failure left empty, because it would prevent PostgreSQL from starting. A new file is
 * kept.
 */
export async function removeEmpty(dataPath: string): Promise<void> {
  const path = join(dataPath, 'postmaster.pid');
  const found = await stat(path).catch(() => undefined);
  if (found?.size === 0 && Date.now() - found.mtimeMs > 10_000) await rm(path, { force: true });
}

/**
 * A PostgreSQL server that this process started. The server stops when `lifeline` ends, which also happens when this
 * process dies.
 */
export interface Started {
  pid: number;
  host: string;
  port: number;
  /** Resolves when the server's process has ended, and never rejects. */
  ended: Promise<void>;
  /**
   * Requests a fast shutdown and waits for it. After 8 s, requests an immediate shutdown, after which the next start
   * runs a recovery.
   */
  stop(): Promise<void>;
  /** Returns the last lines that this start wrote to the log. */
  lastWords(): Promise<string>;
}

// The shell is replaced by PostgreSQL, so the server keeps the shell's process ID. Before that, the shell starts a
// second, detached shell that waits for the end of the pipe. A line in the pipe means that the server is already gone.
// A server that does not stop within 8 s (during a recovery, it may never stop) is stopped immediately, and the next
// start runs a recovery.
const posixGuard = `( ( read -r gone <&3 || {
  kill -INT $$
  for second in 1 2 3 4 5 6 7 8; do sleep 1; kill -0 $$ || exit; done
  kill -QUIT $$
} ) 2>/dev/null & )
exec 3<&- "$@"`;

const windowsGuard = `process.stdin.on('data', () => process.exit()).on('end', () =>
  require('child_process').spawnSync(process.argv[1], ['stop', '-D', process.argv[2], '-m', 'fast']))`;

/** Starts PostgreSQL on the data directory, detached from the app's terminal so that Ctrl-C does not reach it first. */
export async function launch(
  place: Place,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
): Promise<Started> {
  const { host, port, args: listen } = await chooseAddress(place);
  const safe = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', logging_collector: 'off' };
  const pairs = Object.entries({ ...safe, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(join(place.base, 'postgres.log'));
  try {
    const command = [binaries.postgres, '-D', place.dataPath, '-p', String(port), ...listen, ...pairs];
    const { server, lifeline } =
      process.platform === 'win32'
        ? spawnOnWindows(command, place, binaries.pgCtl)
        : spawnGuarded(command, place, log.fd);
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()).once('error', () => resolve()));
    lifeline.on('error', () => undefined);
    void ended.then(() => lifeline.end('gone\n', () => lifeline.destroy()));
    const stop = async () => {
      lifeline.destroy();
      const isSlow = await Promise.race([ended.then(() => false), sleep(8000, true, { ref: false })]);
      if (isSlow) server.kill('SIGQUIT');
      await ended;
    };
    return { pid: server.pid ?? 0, host, port, ended, stop, lastWords: () => tail(log.path, log.size) };
  } finally {
    await log.close();
  }
}

interface Spawned {
  server: ChildProcess;
  lifeline: Writable;
}

function spawnGuarded(command: string[], place: Place, logFd: number): Spawned {
  const options = { ...spawnOptions(place.account), detached: true };
  const args = ['-c', posixGuard, 'evenkeel-database', ...command];
  const server = spawn('/bin/sh', args, { ...options, stdio: ['ignore', 'ignore', logFd, 'pipe'] });
  const lifeline = server.stdio[3];
  if (!(lifeline instanceof Writable)) throw new Error('PostgreSQL was started without its lifeline');
  return { server, lifeline };
}

function spawnOnWindows([program = '', ...args]: string[], place: Place, pgCtl: string): Spawned {
  const options = { ...spawnOptions(place.account), detached: true, windowsHide: true };
  const server = spawn(program, args, { ...options, stdio: 'ignore' });
  const guard = ['-e', windowsGuard, pgCtl, place.dataPath];
  const { stdin } = spawn(process.execPath, guard, { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
  return { server, lifeline: stdin };
}

/** Requests a fast shutdown of a server that another process started. */
export function interrupt(pid: number, dataPath: string, binaries: Binaries): void {
  if (process.platform === 'win32') spawn(binaries.pgCtl, ['stop', '-D', dataPath, '-m', 'fast'], { stdio: 'ignore' });
  else if (isAlive(pid)) process.kill(pid, 'SIGINT');
}

async function chooseAddress(place: Place): Promise<{ host: string; port: number; args: string[] }> {
  if (process.platform === 'win32') {
    const port = await freePort();
    return { host: '127.0.0.1', port, args: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='] };
  }
  const host = await socketFolder(place);
  const args = ['-k', host, '-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700'];
  return { host, port: 5432, args };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Returns the data directory, which is private (0700), or a private folder with a short path if the directory's path is
 * too long. A socket's path is limited to about 100 bytes.
 */
async function socketFolder(place: Place): Promise<string> {
  if (Buffer.byteLength(place.dataPath) <= 85) return place.dataPath;
  const uid = place.account?.uid ?? process.getuid?.() ?? 0;
  const name = `evenkeel-${uid}-${createHash('sha256').update(place.dataPath).digest('hex').slice(0, 16)}`;
  const root = Buffer.byteLength(tmpdir()) <= 40 ? tmpdir() : '/tmp';
  const usual = join(root, name);
  if (await isPrivate(usual, uid)) return usual;
  const made = await mkdir(usual, { mode: 0o700 }).then(
    () => usual,
    // Another user already uses the default name. Any name works, because postmaster.pid contains it.
    () => mkdtemp(join(root, 'evenkeel-')),
  );
  if (place.account) await chown(made, place.account.uid, place.account.gid);
  return made;
}

async function isPrivate(path: string, uid: Account['uid']): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
}

/** Opens PostgreSQL's log for appending. A log that is larger than 10 MB is renamed first. */
async function openLog(path: string) {
  const grown = await stat(path).catch(() => undefined);
  if (grown && grown.size > 10_000_000) await rename(path, `${path}.old`);
  const file = await open(path, 'a', 0o600);
  const { size } = await file.stat();
  return { path, size, fd: file.fd, close: () => file.close() };
}

async function tail(path: string, from: number): Promise<string> {
  const text = (await readFile(path).catch(() => Buffer.alloc(0))).subarray(from).toString('utf8').trim();
  return text.split('\n').slice(-6).join('\n');
}
