import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../checkout.mjs';

let checkout: string;

const writeJson = (path: string, value: unknown): void => writeFileSync(join(checkout, path), JSON.stringify(value));

/** Creates a checkout with one workspace and nothing to download. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'evenkeel-install-'));
  for (const folder of ['scripts/build', 'packages/a', '.cache'])
    mkdirSync(join(checkout, folder), { recursive: true });
  for (const script of ['checkout.mjs', 'build/ensure-installed.mjs']) {
    cpSync(join(root, 'scripts', script), join(checkout, 'scripts', script));
  }
  const workspaces = ['packages/*'];
  writeJson('package.json', { name: 'books', version: '1.0.0', workspaces });
  writeJson('packages/a/package.json', { name: 'a', version: '1.0.0' });
  writeJson('package-lock.json', {
    name: 'books',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'books', version: '1.0.0', workspaces },
      'node_modules/a': { resolved: 'packages/a', link: true },
      'packages/a': { version: '1.0.0' },
    },
  });
});
afterEach(() => rmSync(checkout, { recursive: true }));

/** Runs the script and returns its stderr output. stdout must stay empty. */
function ensure(): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(checkout, 'scripts/build/ensure-installed.mjs')], { cwd: tmpdir() });
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += String(part)));
    child.stdout.on('data', (part: Buffer) => fail(new Error(`stdout: ${String(part)}`)));
    child.on('close', (code) => (code === 0 ? done(said) : fail(new Error(said))));
  });
}

it('the first run installs, and the next run finds nothing to do and prints nothing', async () => {
  expect(await ensure()).toContain('Installing dependencies (first start only)');
  expect(existsSync(join(checkout, 'node_modules/a'))).toBe(true);
  expect(await ensure()).toBe('');
});

it('two simultaneous runs install only once', async () => {
  const said = await Promise.all([ensure(), ensure()]);
  expect(said.join('').match(/Installing/g)).toHaveLength(1);
});

it('an interrupted installation, which left no package list, is repeated', async () => {
  await ensure();
  rmSync(join(checkout, 'node_modules/.package-lock.json'));
  expect(await ensure()).toContain('Installing dependencies (they have changed)');
});

it('a run takes over the lock of a process that has ended', async () => {
  writeFileSync(join(checkout, '.cache/install.lock'), '4194304');
  expect(await ensure()).toContain('Dependencies installed');
  expect(existsSync(join(checkout, '.cache/install.lock'))).toBe(false);
});
