import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { root } from '../checkout.mjs';
import { imageSteps } from '../build/image.ts';

// Tests the files in deploy/ as far as possible on a machine without a container engine and systemd.

const read = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');
const steps = imageSteps(read('Containerfile'));
const last = steps.filter(({ stage }) => stage === 1);
const valuesOf = (word: string): string[] => last.filter((step) => step.word === word).map(({ rest }) => rest);

it('the image runs as its own user, owns only its data, and contains neither sources nor secrets', () => {
  expect(valuesOf('USER')).toEqual(['10001']);
  expect(valuesOf('VOLUME')).toEqual(['/data']);
  const copied = valuesOf('COPY').map((rest) => rest.split(' ').at(-1) ?? '');
  expect(copied.filter((path) => /\.git|src|\.env|data/.test(path))).toEqual([]);
  expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['.git', 'data', '**/node_modules', '**/dist']),
  );
  // The program runs as the user that is set last.
  const order = last.map(({ word }) => word);
  expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('COPY'));
  expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
});

/**
 * Returns a folder with the contents of the last stage, made from this checkout's built files. The packages are the
 * ones that are installed in the checkout.
 */
function madeFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-image-'));
  for (const rest of valuesOf('COPY')) {
    const [, from = '', to = ''] = rest.split(' ');
    const [source, target] = [join(root, from.replace('/build/', '')), join(folder, to)];
    mkdirSync(dirname(target), { recursive: true });
    if (to === 'node_modules') symlinkSync(source, target);
    else cpSync(source, target, { recursive: true });
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const isRoot = process.getuid?.() === 0;
/**
 * Returns the ID of an account that owns nothing, if the tests run as root and the account can enter this checkout.
 * Otherwise, returns an empty object.
 */
function ownsNothing(): { uid?: number } {
  if (!isRoot) return {};
  const uid = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
  const entered = spawnSync('ls', [join(root, 'node_modules')], { uid, stdio: 'ignore' });
  return entered.status === 0 ? { uid } : {};
}
const nobody = ownsNothing();

/** Returns the names, sizes, and times of all files in a folder. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return `${path} ${size} ${mtimeMs}`;
    });
}

it('the image’s program runs as a user without permissions, responds, and writes only to the data folder', async () => {
  const { folder, remove } = madeFolder();
  const data = mkdtempSync(join(tmpdir(), 'evenkeel-image-data-'));
  chmodSync(folder, 0o755);
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, 65_534);
  const before = stateOf(folder);
  const env = Object.fromEntries(valuesOf('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))));
  const [, ...args] = JSON.parse(valuesOf('ENTRYPOINT')[0] ?? '[]') as string[];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...nobody,
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  try {
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (out += text.toString()));
    const address = (): string | undefined => /Evenkeel is listening on (http:\S+)/.exec(out)?.[1];
    await expect.poll(() => address() ?? out, { timeout: 60_000 }).toMatch(/^http:/);
    const statusOf = async (path: string): Promise<number> => (await fetch(`${address()}${path}`)).status;
    expect([await statusOf('/readyz'), await statusOf('/'), await statusOf('/api/installation')]).toEqual([
      200, 200, 200,
    ]);
    expect(stateOf(folder)).toEqual(before);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
    await sleep(0);
    remove();
    rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}, 120_000);

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!analyze)("systemd finds no errors in the units and rates the service's exposure as low", () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-units-'));
  cpSync(join(root, 'deploy'), folder, { recursive: true });
  const units = ['evenkeel.service', 'evenkeel.socket'].map((name) => join(folder, name));
  const verified = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', ...units], { encoding: 'utf8' });
  expect([verified.status, verified.stderr.split('\n').filter((line) => line.includes('evenkeel.'))]).toEqual([0, []]);
  // A unit without any settings has an exposure of 96. Because Node compiles code at run time and listens on a port, 0
  // is not possible.
  const judged = ['security', '--offline=true', '--threshold=13', '--no-pager', units[0] ?? ''];
  expect(spawnSync('systemd-analyze', judged, { encoding: 'utf8' })).toMatchObject({ status: 0 });
  rmSync(folder, { recursive: true, force: true });
});

it('the service runs the program directly as its own user, with settings that the program accepts', () => {
  const service = read('evenkeel.service');
  expect(service).toMatch(/^User=evenkeel$/m);
  expect(service).toMatch(/^ExecStart=\/usr\/bin\/node \/opt\/evenkeel\/apps\/server\/dist\/main\.js$/m);
  const config = readFileSync(join(root, 'apps/server/src/platform/config.ts'), 'utf8');
  const set = [...`${service}\n${valuesOf('ENV').join(' ')}`.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name);
  const others = new Set(['NODE_ENV']);
  expect(set.filter((name) => !others.has(name ?? '') && !config.includes(`  ${name}:`))).toEqual([]);
  // systemd must wait longer than the program can take to stop.
  const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(service)?.[1]);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(service)?.[1])).toBeGreaterThan(drain + 10);
  expect(existsSync(join(root, 'deploy/evenkeel.socket'))).toBe(true);
});
