import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeMemoryFolder } from './memory-folder.ts';

test('a killed run leaves nothing in memory behind the next, which spares the living', () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const shared = mkdtempSync(join(tmpdir(), 'evenkeel-shared-'));
  const [left, own] = [dead, process.pid].map((pid) => join(shared, `evenkeel-tests-${pid}-abc`));
  try {
    for (const each of [left, own]) mkdirSync(each ?? '');
    const folder = makeMemoryFolder(shared);
    expect([left, own].map((each) => existsSync(each ?? ''))).toEqual([false, true]);
    // Undefined where this is a disk or the machine has little memory; else any account may make folders in it.
    if (folder !== undefined) expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  } finally {
    rmSync(shared, { recursive: true, force: true });
  }
});
