// Starts the system's own PostgreSQL (Debian's) in a temporary folder for tests, and stops it after the tests.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMain, root } from '../checkout.mjs';
import { findTool } from './tools.ts';

/** A running server (EVENKEEL_TEST_SERVER) and a function that stops it, or the reason why there is none. */
export type SystemPostgres = { missing: string } | { missing?: never; url: string; stop: () => Promise<void> };

/** Returns the account from Debian's package if this process is root, because PostgreSQL refuses to run as root. */
function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Test data does not have to survive a power failure. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'listen_addresses=',
];

/**
 * Creates a database in a temporary folder with the system's PostgreSQL. Starts it on a socket in the folder, with
 * these additional environment variables.
 */
export async function startSystemPostgres(variables: Record<string, string> = {}): Promise<SystemPostgres> {
  const tool = findTool('postgres');
  if (tool.missing !== undefined) return tool;
  const bin = dirname(realpathSync(tool.path));
  const user = account();
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-system-postgres-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user) chownSync(data, user.uid, user.gid);
  const env = { ...process.env, ...variables };
  const options = { cwd: '/', stdio: 'ignore', env, ...user } as const;
  const made = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-sync'];
  execFileSync(join(bin, 'initdb'), made, options);
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', data, ...flags], options);
  const ended = new Promise((done) => server.on('exit', done));
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const isReady = join(bin, 'pg_isready');
  for (let tries = 0; !isAnswering(isReady, data); tries += 1) {
    if (server.exitCode !== null || tries > 100) {
      await stop();
      throw new Error(`${tool.path} did not start`);
    }
    await sleep(100);
  }
  return { url: `postgres://postgres@${encodeURIComponent(data)}:5432`, stop };
}

function isAnswering(isReady: string, host: string): boolean {
  try {
    execFileSync(isReady, ['-h', host, '-p', '5432'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs vitest on the server's tests with this database. Returns its exit code. */
async function runTests(args: string[]): Promise<number> {
  const postgres = await startSystemPostgres();
  if (postgres.missing !== undefined) {
    console.log(postgres.missing);
    return 1;
  }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, EVENKEEL_TEST_SERVER: postgres.url };
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'server', ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const code = await new Promise<number | null>((done) => child.on('exit', done));
  await postgres.stop();
  return code ?? 1;
}

if (isMain(import.meta.url)) process.exitCode = await runTests(process.argv.slice(2));
