import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { openPool } from '@evenkeel/server/platform/db/connect';
import { type EmbeddedDatabase, startEmbedded } from '@evenkeel/postgres/embedded';
import { root, say } from '../../scripts/checkout.mjs';
import { cpuReader } from './cpu.ts';

const run = promisify(execFile);
const program = (name: 'main' | 'cli'): string => join(root, 'apps/server/dist', `${name}.js`);

/** A running production build of Evenkeel with its embedded database. */
export interface RunningServer {
  url: string;
  /** The process ID of the server. */
  pid: number;
  folder: string;
  /** The server's database, for work that bypasses the server. */
  database: EmbeddedDatabase;
  /** Eight connections as the owner of the schema (a superuser), for raw writes and for filling tables. */
  raw: Pool;
  /**
   * Reads the processor time used so far, by process, in microseconds. `others` are the process IDs of other servers to
   * include.
   */
  cpuWith(others: readonly number[]): () => Record<string, number>;
  cpu: () => Record<string, number>;
  /** Runs a command and returns the JSON of its result. */
  command(...words: string[]): Promise<unknown>;
  /** Restores a backup to a new database. */
  restore(file: string): Promise<unknown>;
  stop(): Promise<void>;
}

interface Launched {
  child: ChildProcess;
  url: string;
}

type Environment = Record<string, string>;

/** Starts main.js, with these flags for Node, and waits for its address. */
function launch(environment: Environment, flags: readonly string[] = []): Promise<Launched> {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_LEVEL: 'warn', ...environment };
  const usual = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter(Boolean);
  const child = spawn(process.execPath, [...usual, ...flags, program('main')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 2],
  });
  let out = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${out}`)));
    child.stdout?.on('data', (piece: Buffer) => {
      out += piece.toString();
      const url = /Evenkeel is listening on (http:\S+)/.exec(out)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function command(environment: Environment, words: readonly string[]): Promise<unknown> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const { stdout } = await run(process.execPath, [program('cli'), ...words], { cwd: root, env, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** Starts the built server with a new data directory and full durability. */
export async function startServer(): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-bench-'));
  // PostgreSQL may run as a different user than this process.
  await chmod(folder, 0o755);
  const environment = { DATA_DIR: join(folder, 'data') };
  const { child, url } = await launch(environment);
  const database = await startEmbedded({ dataDir: environment.DATA_DIR, mode: 'tool', log: say });
  const { connection } = database;
  const raw = openPool({ connection, as: 'owner', max: 8 });
  const postmaster = Number((await readFile(join(database.dataPath, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const cpuWith = (others: readonly number[]) => cpuReader({ servers: [child.pid ?? 0, ...others], postmaster });
  return {
    url,
    pid: child.pid ?? 0,
    folder,
    database,
    raw,
    cpuWith,
    cpu: cpuWith([]),
    command: (...words) => command(environment, words),
    restore: (file) => command({ DATA_DIR: join(folder, 'restored') }, ['restore', file]),
    stop: async () => {
      await raw.end();
      await database.stop();
      await end(child);
      await rm(folder, { recursive: true, force: true });
      await rm(database.dataPath, { recursive: true, force: true });
    },
  };
}

/**
 * Waits until the books of every company have been checked, because a server queues the checks that are due when it
 * starts.
 */
export async function checksEnded({ raw }: Pick<RunningServer, 'raw'>): Promise<void> {
  const waiting = `select exists (
    select from company c left join health_run r on r.company_id = c.company_id
    where r.finished_at is null) as waiting`;
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await raw.query<{ waiting: boolean }>(waiting);
    return rows[0]?.waiting !== false;
  };
  while (await isWaiting()) await sleep(200);
}

/** Starts a second server that connects to the same database through `databaseUrl`, with these flags for Node. */
export async function startSecond(first: RunningServer, databaseUrl: string, flags: readonly string[] = []) {
  const environment = { DATA_DIR: join(first.folder, 'second'), DATABASE_URL: databaseUrl };
  const { child, url } = await launch(environment, flags);
  return { url, pid: child.pid ?? 0, stop: () => end(child) };
}
