// Installs the dependencies when they are missing or are not those of package-lock.json. Imports nothing but Node.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root, say, withLock } from '../checkout.mjs';

const wanted = [20, 19];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return;
  say(`Evenkeel needs Node ${wanted.join('.')} or newer; this is Node ${process.versions.node}.`);
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

/** Whether the lockfile still describes what the workspaces' package.json files ask for. */
function lockfileFits(lock) {
  return Object.entries(lock.packages).every(([path, locked]) => {
    if (path.includes('node_modules/')) return true;
    const asked = readJson(join(path, 'package.json')) ?? {};
    return ['dependencies', 'devDependencies', 'optionalDependencies'].every((list) =>
      sameList(locked[list], asked[list]),
    );
  });
}

/** Whether node_modules holds the lockfile's versions. npm writes its list last: a broken-off installation has none. */
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

/** Runs npm; answers what it complained of, or undefined when it is content. */
function npm(...command) {
  const args = [...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  // Under `npm run` the running npm is named in the environment; a bare `node scripts/…` finds it on the PATH.
  const own = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
  const result = own?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [own, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return result.status === 0 ? undefined : result.stderr || String(result.error ?? 'npm ended without a word');
}

/**
 * `npm ci` first. It refuses a lockfile that lacks the optional binaries of other systems, which some registries do not
 * carry; `npm install` takes the same versions from it, and with `--no-save` leaves it as it is.
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
    say(`${complaint.trim()}\nThe dependencies could not be installed: see above. Is the network reachable?`);
    process.exit(1);
  }
  say(`Dependencies installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}

/** Installs what is missing; does nothing (in a few milliseconds) when everything is there. */
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
