// Installs the dependencies if they are missing or differ from package-lock.json. Imports only Node modules.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root, say, withLock } from '../checkout.mjs';

const wanted = [20, 19];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return;
  say(`Evenkeel requires Node ${wanted.join('.')} or later. This is Node ${process.versions.node}.`);
  process.exit(1);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch {
    return undefined;
  }
}

const sameList = (a = {}, b = {}) => {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
};

/** Returns whether the lockfile still satisfies the workspaces' package.json files. */
function lockfileFits(lock) {
  return Object.entries(lock.packages).every(([path, locked]) => {
    if (path.includes('node_modules/')) return true;
    const asked = readJson(join(path, 'package.json')) ?? {};
    return ['dependencies', 'devDependencies', 'optionalDependencies'].every((list) =>
      sameList(locked[list], asked[list]),
    );
  });
}

/**
 * Returns whether node_modules has the lockfile's versions. npm writes its list of installed packages last, so the list
 * doesn't exist after an interrupted installation.
 */
function isInstalled(lock) {
  const installed = readJson('node_modules/.package-lock.json')?.packages;
  if (!installed) return false;
  return Object.entries(lock.packages).every(([path, locked]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (!found) return Boolean(locked.optional || locked.devOptional || locked.peer);
    return found.version === locked.version;
  });
}

/** Runs npm. Returns its error output, or undefined if it succeeded. */
function npm(...command) {
  const args = [...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  // `npm run` sets the path of the running npm in the environment. A plain `node scripts/…` uses the npm on the PATH.
  const own = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
  const result = own?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [own, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return result.status === 0 ? undefined : result.stderr || String(result.error ?? 'npm ended without a word');
}

/**
 * Tries `npm ci` first. This fails if the lockfile lacks the optional binaries for other systems, which some registries
 * don't have. `npm install` uses the same versions from the lockfile, and `--no-save` leaves the file unchanged.
 */
function runNpm(lock) {
  if (!lock || !lockfileFits(lock)) return npm('install');
  return npm('ci') && npm('install', '--no-save');
}

function install(lock) {
  const first = !existsSync(join(root, 'node_modules'));
  say(first ? 'Installing dependencies (first start only)…' : 'Installing dependencies (they have changed)…');
  const began = Date.now();
  const complaint = runNpm(lock);
  if (complaint) {
    say(`${complaint.trim()}\nThe dependencies could not be installed (see above). Check your network connection.`);
    process.exit(1);
  }
  say(`Dependencies installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}

/** Installs missing dependencies. If everything is installed, this takes only a few milliseconds. */
export async function ensureInstalled() {
  checkNode();
  const current = () => {
    const lock = readJson('package-lock.json');
    return { lock, ok: Boolean(lock) && lockfileFits(lock) && isInstalled(lock) };
  };
  if (current().ok) return;
  await withLock('install', () => {
    const { lock, ok } = current();
    if (!ok) install(lock);
  });
}

if (isMain(import.meta.url)) await ensureInstalled();
