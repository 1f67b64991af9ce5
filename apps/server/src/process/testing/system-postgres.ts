import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './installation.ts';

/** Returns the folder that contains Debian's newest PostgreSQL programs, or undefined if there are none. */
export function systemPostgres(): string | undefined {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(home, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** If the tests run as root, returns the account from Debian's package, because PostgreSQL does not run as root. */
function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A PostgreSQL server as an operator runs it: durable, and listening for TCP connections on the loopback address. */
export class Cluster {
  readonly folder: string;
  readonly port: number;
  readonly #bin: string;
  /** Additional environment variables for the server. */
  readonly #env: Readonly<Record<string, string>>;
  #server: ChildProcess | undefined;

  private constructor(place: { folder: string; port: number }, bin: string, env: Readonly<Record<string, string>>) {
    this.folder = place.folder;
    this.port = place.port;
    this.#bin = bin;
    this.#env = env;
  }

  /** Creates a cluster in a new folder. With `beside`, the new cluster is a standby of the given cluster. */
  static async make(
    folder: string,
    bin: string,
    { beside, env = {} }: { beside?: Cluster | undefined; env?: Readonly<Record<string, string>> } = {},
  ): Promise<Cluster> {
    const cluster = new Cluster({ folder, port: await freePort() }, bin, env);
    mkdirSync(folder, { mode: 0o700, recursive: true });
    chmodSync(dirname(folder), 0o755);
    const user = account();
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    if (beside === undefined) {
      cluster.#run('initdb', '-D', folder, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth=trust');
    } else {
      const from = ['-h', '127.0.0.1', '-p', String(beside.port), '-U', 'postgres'];
      cluster.#run('pg_basebackup', ...from, '-D', folder, '-R', '--checkpoint=fast');
    }
    await cluster.start();
    return cluster;
  }

  async start(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', `port=${this.port}`, `unix_socket_directories=${this.folder}`];
    const flags = [...settings, 'max_connections=200', 'hot_standby=on'].flatMap((setting) => ['-c', setting]);
    this.#server = spawn(join(this.#bin, 'postgres'), ['-D', this.folder, ...flags], {
      cwd: '/',
      stdio: 'ignore',
      env: { ...process.env, ...this.#env },
      ...account(),
    });
    for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
      const client = await this.connect().catch(() => undefined);
      if (client !== undefined) return client.end();
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start');
    }
  }

  async connect(database = 'postgres'): Promise<pg.Client> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'postgres', database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Runs statements one after another as a superuser. Returns the rows from the last statement. */
  async sql(...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = await this.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  promote(): void {
    this.#run('pg_ctl', 'promote', '-D', this.folder, '-w');
  }

  /** Stops the server as a power failure does: nothing more is written. */
  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.on('exit', resolve));
    server.kill(signal);
    await ended;
  }

  #run(program: string, ...args: string[]): void {
    execFileSync(join(this.#bin, program), args, { cwd: '/', stdio: 'ignore', ...account() });
  }
}

/** Opens a fixed address whose target can change, like a virtual IP address. */
export async function openAddress(
  first: number,
): Promise<{ port: number; moveTo: (port: number) => void; close: () => void }> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    moveTo: (port) => {
      target = port;
      cut();
    },
    close: () => {
      server.close();
      cut();
    },
  };
}
