import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { accountFor, canEnter, isAlive, spawnOptions } from './account.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { makeFolder, requireWritable } from './folder.ts';

const run = promisify(execFile);
const sharedHome = '/var/lib/evenkeel';
const passwordFile = 'evenkeel.password';

/**
 * The location of a database and the account that owns it. `base` also contains the database's log, and `copyTo`
 * contains a copy of the binaries.
 */
export interface Place {
  base: string;
  dataPath: string;
  copyTo: string;
  isElsewhere: boolean;
  account: Account | undefined;
}

/**
 * Determines the location of a data directory's database: inside the directory, or in `/var/lib/evenkeel/<hash of the
 * resolved path>` if PostgreSQL's account cannot enter the directory (root with a private directory). An existing
 * database stays where it is.
 */
export async function locate(dataDir: string): Promise<Place> {
  const isRoot = process.getuid?.() === 0;
  await makeFolder('DATA_DIR', dataDir, isRoot ? 0o711 : 0o700);
  const home = await realpath(dataDir);
  const elsewhere = join(sharedHome, createHash('sha256').update(home).digest('hex').slice(0, 16));
  const existing = [home, elsewhere].find((base) => existsSync(join(base, 'pgdata')));
  const account = await accountFor(await ownerOf(join(existing ?? home, 'pgdata')));
  const copyTo = isRoot ? sharedHome : home;
  if (existing) requireEntry(account, existing);
  const base = existing ?? (!account || canEnter(account, home) ? home : elsewhere);
  if (!existing) await requireWritable('DATA_DIR', home);
  if (base === home) await requireNotMoved(home, base);
  else await makeElsewhere(home, base);
  return { base, dataPath: join(base, 'pgdata'), copyTo, isElsewhere: base !== home, account };
}

async function ownerOf(path: string): Promise<{ path: string; owner: Account | undefined }> {
  const found = await stat(path).catch(() => undefined);
  return { path, owner: found && { uid: found.uid, gid: found.gid } };
}

function requireEntry(account: Account | undefined, base: string): void {
  if (!account || canEnter(account, join(base, 'pgdata'))) return;
  throw new Error(
    `PostgreSQL runs as user ID ${account.uid} and can no longer open ${base}. Restore the ` +
      'execute permission on every folder above the database (chmod o+x)',
  );
}

const noteIn = (home: string) => join(home, 'pgdata.location');

/**
 * Creates the folder, and writes a note with the database's location to the data directory, so that a moved directory
 * never silently starts with an empty database.
 */
async function makeElsewhere(home: string, base: string): Promise<void> {
  await makeFolder('DATA_DIR', base, 0o755);
  // Sets the modes regardless of the umask. The database is private, but the path to it doesn't have to be.
  for (const folder of [sharedHome, base]) await chmod(folder, 0o755);
  await requireNotMoved(home, base);
  await writeFile(noteIn(home), `${base}\n`);
}

async function requireNotMoved(home: string, base: string): Promise<void> {
  const noted = (await readFile(noteIn(home), 'utf8').catch(() => '')).trim();
  if (!noted || noted === base || existsSync(join(base, 'pgdata'))) return;
  throw new Error(
    `the database for ${home} was created in ${noted} before this directory was moved or copied. ` +
      `Stop Evenkeel and move ${join(noted, 'pgdata')} to ${join(base, 'pgdata')}, ` +
      `or delete ${noteIn(home)} to start with an empty database`,
  );
}

/**
 * Creates the database if there is none. The database is created in a separate folder, which is then renamed, so that
 * an incomplete database is never used. Throws if the database has another major version. Removes leftovers from
 * interrupted starts.
 */
export async function initialise(place: Place, binaries: Binaries, make: { sync: boolean }): Promise<void> {
  await sweep(place.base);
  const versionFile = join(place.dataPath, 'PG_VERSION');
  const found = await readdir(place.dataPath).catch(() => []);
  if (found.length > 0 && !existsSync(versionFile)) {
    throw new Error(`${place.dataPath} is not empty and is not a PostgreSQL database. Move it to another location`);
  }
  if (found.length === 0) await create(place, binaries, make);
  const version = await readFile(versionFile, 'utf8');
  if (version.trim() === String(binaries.major)) return;
  throw new Error(
    `the database in ${place.dataPath} was created by PostgreSQL ${version.trim()}, but this ` +
      `version of Evenkeel includes PostgreSQL ${binaries.major}. Make a backup with the earlier ` +
      'version of Evenkeel, and restore it into a new DATA_DIR',
  );
}

const makingNow = new Set<string>();

async function create(place: Place, binaries: Binaries, make: { sync: boolean }): Promise<void> {
  const fresh = `pgdata.init-${process.pid}-${randomBytes(4).toString('hex')}`;
  const path = join(place.base, fresh);
  makingNow.add(fresh);
  try {
    await mkdir(path, { mode: 0o700 });
    if (place.account) await chown(path, place.account.uid, place.account.gid);
    await runInitdb(path, { place, binaries, sync: make.sync });
    await rename(path, place.dataPath);
    // Without this sync, a power failure could undo the rename after data was already written to the books.
    if (make.sync) await Promise.all([syncFolder(place.base), syncFolder(dirname(place.base))]);
  } catch (error) {
    // Another process may have created its database first. The existing database can be used just as well.
    if (!existsSync(join(place.dataPath, 'PG_VERSION'))) throw error;
  } finally {
    await rm(path, { recursive: true, force: true });
    makingNow.delete(fresh);
  }
}

async function runInitdb(path: string, how: { place: Place; binaries: Binaries; sync: boolean }): Promise<void> {
  const secret = process.platform === 'win32' ? randomBytes(24).toString('base64url') : undefined;
  const secretPath = `${path}.password`;
  if (secret) await writeFile(secretPath, secret, { mode: 0o600 });
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const auth = secret ? ['--auth=scram-sha-256', `--pwfile=${secretPath}`] : ['--auth=trust'];
  const args = ['-D', path, '-U', 'app', '-E', 'UTF8', ...locale, ...auth, '--data-checksums', '--no-instructions'];
  try {
    await run(how.binaries.initdb, how.sync ? args : [...args, '--no-sync'], spawnOptions(how.place.account));
    if (secret) await rename(secretPath, join(path, passwordFile));
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`the database could not be created in ${how.place.base}: ${said || String(error)}`, {
      cause: error,
    });
  } finally {
    if (secret) await rm(secretPath, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Removes a leftover folder from an interrupted start if its process is gone or the folder is an hour old. */
async function sweep(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = /^pgdata\.init-(\d+)/.exec(name)?.[1];
    if (pid === undefined || makingNow.has(name)) continue;
    const path = join(base, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    if (age < 3_600_000 && Number(pid) !== process.pid && isAlive(Number(pid))) continue;
    // If the app was killed, its initdb may still be writing. initdb fails when its files are deleted.
    const patient = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
    await rm(path, patient).catch(() => undefined);
  }
}

/**
 * Returns the password for a database that listens on TCP (Windows), or undefined if the database can be reached only
 * through a private socket.
 */
export async function passwordOf(dataPath: string): Promise<string | undefined> {
  return await readFile(join(dataPath, passwordFile), 'utf8').catch(() => undefined);
}
