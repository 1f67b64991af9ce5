import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeMemoryFolder } from './memory-folder.ts';

test('the next run removes the folders of killed runs, but not the folders of current runs', () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const shared = mkdtempSync(join(tmpdir(), 'evenkeel-shared-'));
  const [left, own] = [dead, process.pid].map((pid) => join(shared, `evenkeel-tests-${pid}-abc`));
  try {
    for (const each of [left, own]) mkdirSync(each ?? '');
    const folder = makeMemoryFolder(shared);
    expect([left, own].map((each) => existsSync(each ?? ''))).toEqual([false, true]);
    // Undefined if the folder is on a disk or the machine has little memory. Otherwise, every account must be able to
    // create folders in it.
    if (folder !== undefined) expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  } finally {
    rmSync(shared, { recursive: true, force: true });
  }
});
