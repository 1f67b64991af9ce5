import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseInUse, startEmbedded } from './embedded.ts';
import { World, eventually, isRoot, isRunning, postmasterPid } from './testing/world.ts';
import type { App, Answer } from './testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.make();
}, 60_000);
afterAll(async () => {
  await world.remove();
}, 60_000);

const isLinux = process.platform === 'linux';
const idOf = (flag: '-u' | '-g', name: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
const nobody = () => ({ uid: idOf('-u', 'nobody'), gid: idOf('-g', 'nobody') });
const pathOf = (app: App) => app.started.dataPath ?? '';

/** Writes a postmaster.pid with this process ID, as a server leaves behind after a power failure. */
async function leavePidFile(dataPath: string, pid: number): Promise<void> {
  const lines = [pid, dataPath, 1_700_000_000, 5432, dataPath, '', '  1234567         1', 'ready   '];
  await writeFile(join(dataPath, 'postmaster.pid'), `${lines.join('\n')}\n`);
}

/** Starts a PostgreSQL server that no Evenkeel process owns. */
async function startUnowned(dataPath: string): Promise<ChildProcess> {
  const bin = join(dirname(dirname((await world.links())[0] ?? '')), 'bin', 'postgres');
  const { uid, gid } = await stat(dataPath);
  const options = { cwd: '/', stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) } as const;
  const server = spawn(bin, ['-D', dataPath, '-k', dataPath, '-c', 'listen_addresses='], options);
  const pidFile = () => readFile(join(dataPath, 'postmaster.pid'), 'utf8').catch(() => '');
  expect(await eventually(async () => /ready/.test(await pidFile()))).toBe(true);
  return server;
}

describe('rejected starts', { timeout: 60_000 }, () => {
  it("rejects a second server on the same directory and reports the first one's process ID", async () => {
    const dataDir = await world.madeDir();
    const first = await world.start({ dataDir });
    expect(first.started.error).toBeUndefined();
    const second = await world.start({ dataDir });
    expect(second.started.error).toMatch(
      /^DatabaseInUse: another Evenkeel process \(\d+\) is using this data directory/,
    );
    expect(second.started.pid).toBe(first.pid);
    expect((await first.ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await first.stop();
  });

  it('rejects a second server within one process', async () => {
    const dataDir = await world.madeDir();
    const first = await startEmbedded({ dataDir, mode: 'server', log: () => undefined });
    const second = startEmbedded({ dataDir, mode: 'server', log: () => undefined });
    await expect(second).rejects.toSatisfy((error) => error instanceof DatabaseInUse && error.pid === process.pid);
    await first.stop();
  });

  it('rejects a database from PostgreSQL 17 and does not change it', async () => {
    const dataDir = await world.madeDir();
    const app = await world.start({ dataDir });
    await app.stop();
    const versionFile = join(pathOf(app), 'PG_VERSION');
    await writeFile(versionFile, '17\n');
    const { started } = await world.start({ dataDir });
    expect(started.error).toMatch(/created by PostgreSQL 17, but this version of Evenkeel includes PostgreSQL 18/);
    expect(await readFile(versionFile, 'utf8')).toBe('17\n');
    expect(await postmasterPid(pathOf(app))).toBe(0);
  });

  it('rejects a pgdata folder that is not a database, and does not change the file in it', async () => {
    const dataDir = await world.dataDir();
    await mkdir(join(dataDir, 'pgdata'), { recursive: true });
    await writeFile(join(dataDir, 'pgdata', 'letter.txt'), 'dear books');
    const { started } = await world.start({ dataDir });
    expect(started.error).toMatch(/is not empty and is not a PostgreSQL database/);
    expect(await readdir(join(dataDir, 'pgdata'))).toEqual(['letter.txt']);
  });

  if (isLinux) {
    it.each([
      ['/proc/evenkeel', /can't create a folder at \/proc\/evenkeel/],
      ['/proc/evenkeel/books/data', /can't create a folder at \/proc\/evenkeel/],
      ['/proc', /can't write to \/proc/],
      ['/etc/passwd', /\/etc\/passwd is a file, not a folder/],
      ['/etc/passwd/data', /\/etc\/passwd is a file, not a folder/],
    ])('immediately rejects a data directory at %s with a one-line message', async (dataDir, words) => {
      const { started } = await world.start({ dataDir });
      expect(started.error).toMatch(words);
      expect(started.error).toMatch(/^Error: DATA_DIR: [^\n]+$/);
    });
  }

  it('rejects a PG_BIN without PostgreSQL and names the folder', async () => {
    const dataDir = await world.dataDir();
    const { started } = await world.start({ dataDir, env: { PG_BIN: '/usr/share' } });
    expect(started.error).toMatch(/PG_BIN: PostgreSQL can't run from \/usr\/share/);
    expect(existsSync(join(dataDir, 'pgdata'))).toBe(false);
  });

  it('rejects an unknown PostgreSQL setting with PostgreSQL’s own message', async () => {
    const dataDir = await world.madeDir();
    const options = { dataDir, mode: 'server', log: () => undefined, settings: { work_mem: 'plenty' } } as const;
    await expect(startEmbedded(options)).rejects.toThrow(/could not start[\s\S]*work_mem/);
  });

  if (isRoot) {
    it('rejects a user ID without a passwd entry, and suggests DATABASE_URL', async () => {
      const user = { uid: 54_321, gid: 54_321 };
      const dataDir = await world.dataDir({ user });
      const { started } = await world.start({ dataDir, user });
      expect(started.error).toMatch(/user ID 54321 is not in \/etc\/passwd.*DATABASE_URL/);
      expect(existsSync(join(dataDir, 'pgdata'))).toBe(false);
    });

    it('another user cannot create an empty database if root already has one', async () => {
      const dataDir = await world.dataDir();
      const app = await world.start({ dataDir });
      await app.stop();
      const owner = (await stat(pathOf(app))).uid;
      const user = owner === nobody().uid ? { uid: 1, gid: 1 } : nobody();
      const { started } = await world.start({ dataDir, user });
      expect(started.error).toMatch(
        new RegExp(`belongs to user ID ${owner}, but Evenkeel is running as user ID ${user.uid}`),
      );
    });
  }
});

describe('the embedded database', { timeout: 60_000 }, () => {
  it('the first start creates a durable database on a private socket, and the second start finds it', async () => {
    const dataDir = await world.dataDir();
    const first = await startEmbedded({ dataDir, mode: 'server', log: () => undefined });
    const client = new pg.Client(first.connection);
    await client.connect();
    expect((await client.query('select 1 as one, current_user::text as role')).rows).toEqual([{ one: 1, role: 'app' }]);
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name = any($1) order by name`,
      [['data_checksums', 'fsync', 'full_page_writes', 'listen_addresses', 'synchronous_commit', 'server_encoding']],
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    });
    expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700);
    await client.query('create table kept (n int); insert into kept values (42)');
    await client.end();
    await Promise.all([first.stop(), first.stop()]);
    expect(await postmasterPid(first.dataPath)).toBe(0);

    const second = await world.start({ dataDir });
    expect((await second.ask('select n from kept')).rows).toEqual([{ n: 42 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['pgdata', 'postgres.log']);
    await second.stop();
  });

  it('on startup, Evenkeel creates library links that a blocked install script did not create', async () => {
    const links = await world.links();
    for (const link of links) await unlink(link).catch(() => undefined);
    const starts = await Promise.all([1, 2, 3].map(async () => world.start({ dataDir: await world.dataDir() })));
    expect(starts.map(({ started }) => started.error)).toEqual([undefined, undefined, undefined]);
    for (const link of links) expect((await lstat(link)).isSymbolicLink() && existsSync(link)).toBe(true);
    await Promise.all(starts.map((app) => app.stop()));
  });

  it('PostgreSQL runs from PG_BIN if the platform has no package', async () => {
    const bare = await world.dataDir();
    await mkdir(bare);
    await copyFile(world.program, join(bare, 'app.mjs'));
    const PG_BIN = join(dirname(dirname((await world.links())[0] ?? '')), 'bin');
    const app = await world.start({ dataDir: join(bare, 'data'), program: join(bare, 'app.mjs'), env: { PG_BIN } });
    expect((await app.ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await app.stop();
  });

  it('a tool can join a running server, which keeps running when the tool ends', async () => {
    const dataDir = await world.madeDir();
    const server = await world.start({ dataDir });
    const pid = await postmasterPid(pathOf(server));
    const tool = await world.start({ dataDir, mode: 'tool' });
    await tool.ask('create table made_by_tool (n int)');
    await tool.stop();
    expect(await postmasterPid(pathOf(server))).toBe(pid);
    expect((await server.ask('select count(*)::int as n from made_by_tool')).rows).toEqual([{ n: 0 }]);
    await server.stop();
    expect(await isRunning(pid)).toBe(false);
  });

  it('a tool starts the server if necessary, and waits for a second tool before ending', async () => {
    const dataDir = await world.madeDir();
    const first = await world.start({ dataDir, mode: 'tool' });
    const pid = await postmasterPid(pathOf(first));
    const second = await world.start({ dataDir, mode: 'tool' });
    let hasStopped = false;
    const stopped = first.stop().then(() => (hasStopped = true));
    expect((await second.ask('select pg_sleep(0.5), 7 as n')).rows).toMatchObject([{ n: 7 }]);
    expect(hasStopped).toBe(false);
    await second.stop();
    await stopped;
    expect(await isRunning(pid)).toBe(false);
  });

  // Promise (start): A second Evenkeel process on the same data directory prints the first one's process ID and exits
  // with code 1. [1 of 10 wins]
  it('exactly one of 10 simultaneous first starts succeeds, and the others report its process ID', async () => {
    const dataDir = await world.dataDir();
    const apps = await Promise.all(Array.from({ length: 10 }, () => world.start({ dataDir })));
    const winners = apps.filter(({ started }) => started.connection);
    expect(winners).toHaveLength(1);
    const losers = apps.filter((app) => app !== winners[0]);
    const refusal = expect.stringMatching(/^DatabaseInUse/);
    expect(losers.map(({ started }) => started)).toEqual(losers.map(() => ({ error: refusal, pid: winners[0]?.pid })));
    expect((await winners[0]?.ask('select 1 as one'))?.rows).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['pgdata', 'postgres.log']);
    await winners[0]?.stop();
  });

  it('the socket is in a short private folder if the path exceeds 85 bytes, and a tool finds it', async () => {
    const dataDir = join(await world.dataDir(), 'x'.repeat(60), 'y'.repeat(60));
    const server = await world.start({ dataDir });
    const host = server.started.connection?.host ?? '';
    expect(Buffer.byteLength(host)).toBeLessThan(85);
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    const tool = await world.start({ dataDir, mode: 'tool' });
    expect(tool.started.connection?.host).toBe(host);
    expect((await tool.ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await tool.stop();
    await server.stop();
    await rm(host, { recursive: true });
  });
});

/** Returns the process that PostgreSQL forked with this title. */
async function childOf(postmaster: number, title: RegExp): Promise<number> {
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim().split(/\s+/);
  for (const pid of children) if (title.test(await readFile(`/proc/${pid}/cmdline`, 'utf8'))) return Number(pid);
  throw new Error(`no child ${String(title)}`);
}

describe('after a crash', { timeout: 60_000 }, () => {
  it('after a kill -9 of the app, PostgreSQL stops, and the next start has every committed row', async () => {
    const dataDir = await world.madeDir();
    const app = await world.start({ dataDir });
    await app.ask('create table kept as select generate_series(1, 1000) as n');
    const pid = await postmasterPid(pathOf(app));
    await app.kill();
    expect(await eventually(async () => !(await isRunning(pid)))).toBe(true);
    expect(await postmasterPid(pathOf(app))).toBe(0);
    const next = await world.start({ dataDir });
    expect((await next.ask('select count(*)::int as n from kept')).rows).toEqual([{ n: 1000 }]);
    await next.stop();
  });

  it('startup right after a kill -9 of the app waits for the old server to stop and takes over', async () => {
    const dataDir = await world.madeDir();
    let app = await world.start({ dataDir });
    await app.ask('create table kept (n int)');
    for (const n of [1, 2, 3, 4, 5]) {
      expect((await app.ask(`insert into kept values (${n})`)).error).toBeUndefined();
      app.child.kill('SIGKILL');
      app = await world.start({ dataDir });
      expect(app.started.error).toBeUndefined();
    }
    expect((await app.ask('select sum(n)::int as n from kept')).rows).toEqual([{ n: 15 }]);
    await app.stop();
  });

  it('PostgreSQL is restarted under the same lock after it crashes', async () => {
    const dataDir = await world.madeDir();
    const app = await world.start({ dataDir });
    await app.ask('create table kept as select 42 as n');
    const pid = await postmasterPid(pathOf(app));
    process.kill(pid, 'SIGKILL');
    const isBack = async () => (await app.ask('select n from kept')).rows?.[0]?.['n'] === 42;
    expect(await eventually(isBack)).toBe(true);
    const holds = async () => (await world.start({ dataDir })).started.pid === app.pid;
    expect(await eventually(holds)).toBe(true);
    await app.stop();
    expect(await postmasterPid(pathOf(app))).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'an old server that cannot stop is killed, and the next start succeeds',
    async () => {
      const dataDir = await world.madeDir();
      const app = await world.start({ dataDir });
      await app.ask('create table kept as select 42 as n');
      const checkpointer = await childOf(await postmasterPid(pathOf(app)), /checkpointer/);
      process.kill(checkpointer, 'SIGSTOP');
      await app.kill();
      const next = await world.start({ dataDir });
      expect((await next.ask('select n from kept')).rows).toEqual([{ n: 42 }]);
      await next.stop();
    },
  );

  it('Ctrl-C in the terminal reaches the app but not its PostgreSQL', async () => {
    const app = await world.start({ dataDir: await world.madeDir() });
    const pid = await postmasterPid(pathOf(app));
    process.kill(-app.pid, 'SIGINT');
    expect((await app.ask('select pg_sleep(0.3), 1 as one')).rows).toMatchObject([{ one: 1 }]);
    expect(await isRunning(pid)).toBe(true);
    await app.stop();
  });

  it('an interrupted creation does not count as a database, and the next start removes its leftovers', async () => {
    const dataDir = await world.dataDir();
    const child = world.spawn({ dataDir });
    const litter = async () => (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('pgdata'));
    expect(await eventually(async () => (await litter()).length > 0)).toBe(true);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(await litter()).toEqual([expect.stringMatching(new RegExp(`^pgdata\\.init-${child.pid}-`))]);
    const next = await world.start({ dataDir });
    expect((await next.ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await litter()).toEqual(['pgdata']);
    await next.stop();
  });

  it('a postmaster.pid is outdated if its process ID belongs to another program', async () => {
    const dataDir = await world.madeDir();
    const app = await world.start({ dataDir });
    await app.stop();
    const { uid, gid } = await stat(pathOf(app));
    const stranger = spawn('sleep', ['600'], { cwd: '/', ...(isRoot ? { uid, gid } : {}) });
    await leavePidFile(pathOf(app), stranger.pid ?? 0);
    const next = await world.start({ dataDir });
    expect(next.started.error).toBeUndefined();
    expect(next.started.logged).toEqual([
      `Removed an old postmaster.pid: process ${stranger.pid} now belongs to another program`,
    ]);
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
    await next.stop();
  });

  it('a postmaster.pid that is empty or names a dead process does not prevent the next start', async () => {
    const dataDir = await world.madeDir();
    const app = await world.start({ dataDir });
    await app.stop();
    const { uid, gid } = await stat(pathOf(app));
    const dead = spawn('true', isRoot ? { uid, gid } : {});
    await new Promise((resolve) => dead.once('exit', resolve));
    await leavePidFile(pathOf(app), dead.pid ?? 0);
    if (isRoot) execFileSync('chown', [`${uid}:${gid}`, join(pathOf(app), 'postmaster.pid')]);
    const second = await world.start({ dataDir });
    expect(second.started.error).toBeUndefined();
    await second.stop();
    await writeFile(join(pathOf(app), 'postmaster.pid'), '');
    execFileSync('touch', ['-d', '1 minute ago', join(pathOf(app), 'postmaster.pid')]);
    const third = await world.start({ dataDir });
    expect(third.started.error).toBeUndefined();
    await third.stop();
  });

  it('a running server without a lock is an orphan, which is stopped and replaced', async () => {
    const dataDir = await world.dataDir();
    const app = await world.start({ dataDir });
    await app.ask('create table kept as select 42 as n');
    await app.stop();
    const path = pathOf(app);
    const orphan = await startUnowned(path);
    const next = await world.start({ dataDir });
    expect(next.started.logged?.[0]).toBe(
      `Stopping PostgreSQL (process ${orphan.pid}) because its Evenkeel process is gone`,
    );
    expect(orphan.exitCode).toBe(0);
    expect(await postmasterPid(path)).not.toBe(orphan.pid);
    expect((await next.ask('select n from kept')).rows).toEqual([{ n: 42 }]);
    await next.stop();
  });

  it('a new server without a lock is left to the app that started it, which may still take the lock', async () => {
    const dataDir = await world.dataDir();
    const app = await world.start({ dataDir });
    await app.stop();
    const server = await startUnowned(pathOf(app));
    const starting = world.start({ dataDir });
    const owner = new pg.Client({
      ...app.started.connection,
      database: 'postgres',
      application_name: 'evenkeel server 4242',
    });
    await owner.connect();
    // The test takes the lock after the second start has already checked it. A server counts as new for only 3 s, even
    // on a slow machine.
    const looked = `select from pg_stat_activity where application_name like 'evenkeel %' and pid <> pg_backend_pid()
      union all select where clock_timestamp() - pg_postmaster_start_time() > interval '1.5 seconds'`;
    while ((await owner.query(looked)).rowCount === 0) await sleep(5);
    await owner.query('select pg_advisory_lock(1702260069, 1)');
    expect((await starting).started).toMatchObject({ error: expect.stringMatching(/^DatabaseInUse/), pid: 4242 });
    await owner.end();
    server.kill('SIGINT');
    expect(await eventually(() => server.exitCode === 0)).toBe(true);
  });
});

if (isRoot && isLinux) {
  describe('started as root', { timeout: 60_000 }, () => {
    const owner = async (answer: Answer) => (await stat(answer.dataPath ?? '')).uid;

    it("root's database is inside a 0755 data directory and is owned by postgres or nobody", async () => {
      const dataDir = await world.dataDir();
      const app = await world.start({ dataDir });
      expect(app.started.dataPath).toBe(join(dataDir, 'pgdata'));
      expect(await owner(app.started)).toBeGreaterThan(0);
      await app.stop();
    });

    // Promise (start): Evenkeel runs as root in a directory that only root can enter, and as a normal user. [32 cases]
    it("for 0700 directories, root's databases are in /var/lib/evenkeel, and the output says so", async () => {
      const folders = [await world.dataDir({ mode: 0o700 }), await world.dataDir({ mode: 0o700 })];
      const apps = await Promise.all(folders.map((dataDir) => world.start({ dataDir })));
      const bases = apps.map((app) => dirname(pathOf(app)));
      for (const base of bases) expect(base).toMatch(/^\/var\/lib\/evenkeel\/[0-9a-f]{16}$/);
      expect(bases[0]).not.toBe(bases[1]);
      expect(apps[0]?.started.logged?.[0]).toContain(bases[0]);
      expect((await apps[0]?.ask('create table kept as select 42 as n'))?.error).toBeUndefined();
      await Promise.all(apps.map((app) => app.stop()));
      const again = await world.start({ dataDir: folders[0] ?? '' });
      expect((await again.ask('select n from kept')).rows).toEqual([{ n: 42 }]);
      await again.stop();
    });

    it("a copy of the binaries runs if root's installation is under a 0700 directory", async () => {
      const dataDir = await world.dataDir({ mode: 0o700 });
      await chmod(world.root, 0o700);
      try {
        const app = await world.start({ dataDir });
        expect(app.started.error).toBeUndefined();
        const program = execFileSync('readlink', [`/proc/${await postmasterPid(pathOf(app))}/exe`], {
          encoding: 'utf8',
        });
        expect(program).toMatch(/^\/var\/lib\/evenkeel\/postgresql-linux-[^/]+\/native\/bin\/postgres/);
        expect((await app.ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
        await app.stop();
      } finally {
        await chmod(world.root, 0o755);
      }
    });

    it('root can start Evenkeel with a umask of 077 and a private data directory', async () => {
      const dataDir = await world.dataDir();
      const app = await world.start({ dataDir, umask: 0o077 });
      expect((await app.ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      await app.stop();
    });

    it('rejects a moved private directory until its database is moved as well', async () => {
      const dataDir = await world.dataDir({ mode: 0o700 });
      const app = await world.start({ dataDir });
      await app.ask('create table kept as select 42 as n');
      await app.stop();
      const moved = `${dataDir}-moved`;
      await rename(dataDir, moved);
      const refused = await world.start({ dataDir: moved });
      const target = /move (\S+) to (\S+),/.exec(refused.started.error ?? '');
      expect(target?.[1]).toBe(pathOf(app));
      await rename(target?.[1] ?? '', target?.[2] ?? '');
      const next = await world.start({ dataDir: moved });
      expect((await next.ask('select n from kept')).rows).toEqual([{ n: 42 }]);
      expect(basename(dirname(pathOf(next)))).not.toBe(basename(dirname(pathOf(app))));
      await next.stop();
    });

    it('root continues as the normal user who owns the existing database', async () => {
      const user = nobody();
      const dataDir = await world.dataDir({ user });
      const first = await world.start({ dataDir, user });
      await first.stop();
      const app = await world.start({ dataDir });
      expect(app.started.error).toBeUndefined();
      expect((await stat(`/proc/${await postmasterPid(pathOf(app))}`)).uid).toBe(user.uid);
      await app.stop();
    });
  });

  describe('started as a normal user', { timeout: 60_000 }, () => {
    it('PostgreSQL runs as the normal user, and its data survives a kill -9 of the app', async () => {
      const user = nobody();
      const dataDir = await world.dataDir({ user });
      const app = await world.start({ dataDir, user });
      expect(app.started.error).toBeUndefined();
      await app.ask('create table kept as select 42 as n');
      const pid = await postmasterPid(pathOf(app));
      expect((await stat(`/proc/${pid}`)).uid).toBe(user.uid);
      await app.kill();
      expect(await eventually(async () => !(await isRunning(pid)))).toBe(true);
      const next = await world.start({ dataDir, user });
      expect((await next.ask('select n from kept')).rows).toEqual([{ n: 42 }]);
      await next.stop();
    });

    it('the binaries are copied into the data directory if missing links cannot be created in place', async () => {
      for (const link of await world.links()) await unlink(link).catch(() => undefined);
      const user = nobody();
      const dataDir = await world.dataDir({ user });
      const app = await world.start({ dataDir, user });
      expect(app.started.error).toBeUndefined();
      expect((await readdir(dataDir)).sort()).toEqual([
        'pgdata',
        'postgres.log',
        expect.stringMatching(/^postgresql-/),
      ]);
      await app.stop();
    });
  });
}
