import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.mjs';

const server = join(root, 'apps/server/dist');

/** A built Evenkeel that runs as a separate process with its own data directory. */
export interface Evenkeel {
  url: string;
  dataDir: string;
  /** The link that the first start prints. Undefined if a company already exists. */
  firstLink: string | undefined;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

function start(file: string, args: string[], dataDir: string, own: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...own };
  return spawn(process.execPath, [join(server, file), ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

interface Output {
  out: string;
  err: string;
}

function listen(child: ChildProcess): Output {
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return output;
}

const ended = (child: ChildProcess): Promise<number | null> => new Promise((done) => child.on('close', done));

/**
 * Starts the server on an empty installation, with these environment variables, and waits for the last line that the
 * server prints.
 */
export async function startEvenkeel(own: Record<string, string> = {}): Promise<Evenkeel> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-e2e-'));
  // PostgreSQL does not run as root, so its account must have access to the folder.
  await chmod(dataDir, 0o755);
  const child = start('main.js', [], dataDir, own);
  const output = listen(child);
  const end = ended(child);
  const firstLink = await new Promise<string>((done, fail) => {
    const look = (): void => {
      const link = /To register the first one, open (\S+)/.exec(output.out)?.[1];
      if (link !== undefined) done(link);
    };
    child.stdout?.on('data', look);
    void end.then(() => fail(new Error(`Evenkeel did not start:\n${output.out}\n${output.err}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await end;
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: new URL(firstLink).origin, dataDir, firstLink, stop };
}

/** Runs a CLI command while the server is running. Returns the JSON that the command prints. */
export async function evenkeel(dataDir: string, ...args: string[]): Promise<unknown> {
  const child = start('cli.js', args, dataDir);
  const output = listen(child);
  const code = await ended(child);
  if (code !== 0) throw new Error(`evenkeel ${args.join(' ')} ended with ${code}:\n${output.out}\n${output.err}`);
  return JSON.parse(output.out);
}
