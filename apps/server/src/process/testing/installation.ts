import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { rolldown } from 'rolldown';
import { serverRoot } from '../../platform/root.ts';

/** The time limit for a test that starts many processes on a busy machine. The default in vitest is 60 s. */
export const PATIENCE_MS = process.env['TORTURE'] === undefined ? 180_000 : 1_800_000;

/** An Evenkeel program in a separate process. */
export interface Program {
  child: ChildProcess;
  pid: number;
  out(): string;
  err(): string;
  /** Resolves with the exit code, or null after a signal. */
  ended: Promise<number | null>;
  /** Waits until stdout contains the pattern. Rejects if the program ends without it. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface Server extends Program {
  /** The address, as `http://127.0.0.1:PORT`. */
  address: string;
  kill(): Promise<void>;
  /** Sends SIGTERM. Returns the exit code and the milliseconds until the exit. */
  stop(): Promise<{ code: number | null; milliseconds: number }>;
}

type Environment = Readonly<Record<string, string>>;

/**
 * An Evenkeel installation: both bundled programs and the data folders, all in one temporary folder. `remove` kills all
 * running processes. Each PostgreSQL stops when its Evenkeel server stops.
 */
export class Installation {
  readonly root: string;
  readonly #programs: Program[] = [];
  readonly #closers: (() => Promise<unknown>)[] = [];
  #count = 0;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<Installation> {
    const root = await mkdtemp(join(tmpdir(), 'ek-'));
    // PostgreSQL does not run as root, and its account needs access to the folder.
    await chmod(root, 0o755);
    const folder = join(root, 'apps/server');
    await mkdir(folder, { recursive: true });
    for (const name of ['migrations', 'assets']) await symlink(join(serverRoot(), name), join(folder, name));
    await symlink(join(serverRoot(), '../../node_modules'), join(root, 'node_modules'));
    bundled ??= mkdtemp(join(tmpdir(), 'ek-dist-')).then(bundle);
    await cp(await bundled, join(folder, 'dist'), { recursive: true });
    const made = new Installation(root);
    // Kills the programs if the test process ends without cleaning up.
    process.once('exit', () => made.#programs.forEach(({ child }) => child.kill('SIGKILL')));
    return made;
  }

  /** Returns a data folder that does not exist yet. */
  dataDir(): string {
    return join(this.root, `data${(this.#count += 1)}`);
  }

  /** Registers a function that runs when everything is removed, before the files are deleted. */
  atEnd(close: () => Promise<unknown>): void {
    this.#closers.unshift(close);
  }

  run(file: 'main.js' | 'cli.js', args: readonly string[], environment: Environment): Program {
    const program = spawnProgram(join(this.root, 'apps/server/dist', file), args, { cwd: this.root, environment });
    this.#programs.push(program);
    return program;
  }

  /** Starts the server (on a free port by default) and waits until it listens. */
  async start(environment: Environment): Promise<Server> {
    const program = this.run('main.js', [], { PORT: '0', ...environment });
    const [, url = ''] = await program.says(/Evenkeel is listening on (http:\S+)/);
    const address = `http://127.0.0.1:${new URL(url).port}`;
    const kill = async (): Promise<void> => {
      program.child.kill('SIGKILL');
      await program.ended;
    };
    const stop = async () => {
      const began = performance.now();
      program.child.kill('SIGTERM');
      return { code: await program.ended, milliseconds: performance.now() - began };
    };
    return { ...program, address, kill, stop };
  }

  /** Runs a CLI command until it ends. `result` is the JSON from stdout. */
  async cli(environment: Environment, ...args: string[]) {
    const program = this.run('cli.js', args, environment);
    const code = await program.ended;
    const result: unknown = program.out() === '' ? undefined : JSON.parse(program.out());
    return { code, result, err: program.err() };
  }

  async remove(): Promise<void> {
    for (const close of this.#closers) await close().catch(() => undefined);
    for (const { child } of this.#programs) child.kill('SIGKILL');
    await Promise.all(this.#programs.map(({ ended }) => ended));
    for (let count = 1; count <= this.#count; count += 1)
      await gone(await postmasterPid(join(this.root, `data${count}`)));
    await rm(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

/** The programs, which are bundled once for all test files in this process. */
let bundled: Promise<string> | undefined;

/** Bundles the programs with the settings in scripts/build/ensure-built.mjs. Returns the folder. */
async function bundle(dir: string): Promise<string> {
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const source = join(serverRoot(), 'src');
  const made = await rolldown({
    input: {
      main: join(source, 'main.ts'),
      cli: join(source, 'cli.ts'),
      'draw.worker': join(source, 'platform/pdf/draw.worker.ts'),
      'read.worker': join(source, 'features/banking/read.worker.ts'),
      'books.worker': join(source, 'across/moving/books.worker.ts'),
    },
    platform: 'node',
    external: (id) => !/^(\.{0,2}\/|[a-z]:[\\/]|@evenkeel\/|(kysely|zod)(\/|$))/i.test(id),
    logLevel: 'silent',
  });
  await made.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
  await made.close();
  return dir;
}

function spawnProgram(
  path: string,
  args: readonly string[],
  { cwd, environment }: { cwd: string; environment: Environment },
): Program {
  const env = { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', TZ: 'Pacific/Auckland', ...environment };
  const child = spawn(process.execPath, [path, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    let isOver = false;
    void ended.then(() => (isOver = true));
    for (;;) {
      const last = isOver;
      const found = pattern.exec(out);
      if (found !== null) return found;
      if (last) throw new Error(`the program ended without ${String(pattern)}:\n${out}\n${err}`);
      await sleep(10);
    }
  };
  return { child, pid: child.pid ?? 0, out: () => out, err: () => err, ended, says };
}

/**
 * Returns a free port outside the system's ephemeral range. Another connection could take a port in that range while a
 * test restarts its program.
 */
export async function freePort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768 60999');
  const first = Number.parseInt(range, 10);
  const lowest = first > 20_000 ? 10_000 : 1024;
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (first - lowest));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function postmasterLines(dataDir: string): Promise<string[]> {
  const text = await readFile(join(dataDir, 'pgdata/postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n').map((line) => line.trim());
}

/** Returns the process ID of a data directory's PostgreSQL, or 0 if there is none. */
export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await postmasterLines(dataDir))[0] ?? 0);
}

/** Returns the process ID of a data directory's PostgreSQL if it accepts connections. */
export async function readyPostmaster(dataDir: string): Promise<number | undefined> {
  const lines = await postmasterLines(dataDir);
  return lines[7] === 'ready' ? Number(lines[0]) : undefined;
}

/** Connects directly to the embedded database as its owner and superuser. */
export async function ownerOf(dataDir: string): Promise<pg.Client> {
  const host = (await postmasterLines(dataDir))[4] ?? '';
  const client = new pg.Client({ host, port: 5432, user: 'app', database: 'evenkeel' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Returns whether the process is running. A process that has ended does not count as running, even if its parent has
 * not collected it yet.
 */
export async function isRunning(pid: number): Promise<boolean> {
  if (pid === 0) return false;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state !== '' && !/\) Z /.test(state);
}

/** Waits up to 15 s for the process to end. Returns whether it did. */
export async function gone(pid: number): Promise<boolean> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(20)) {
    if (!(await isRunning(pid))) return true;
  }
  return false;
}
