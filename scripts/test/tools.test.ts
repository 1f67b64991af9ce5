import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { debianPackages, findTool } from './tools.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-tools-'));
  writeFileSync(join(folder, 'hledger'), '#!/bin/sh\n');
  chmodSync(join(folder, 'hledger'), 0o755);
  writeFileSync(join(folder, 'plain'), 'not a program');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('findTool', () => {
  it('findTool reports a variable whose file is not a program', () => {
    const plain = join(folder, 'plain');
    expect(findTool('chromium', { CHROMIUM_BIN: plain })).toEqual({
      missing: `CHROMIUM_BIN=${plain} is not a program`,
    });
  });

  it('findTool prefers the program in the variable to one on the PATH', () => {
    const path = join(folder, 'hledger');
    expect(findTool('hledger', { HLEDGER_BIN: path, PATH: '/usr/bin' })).toEqual({ path });
  });

  it('findTool finds a program on the PATH', () => {
    expect(findTool('hledger', { PATH: folder })).toEqual({ path: join(folder, 'hledger') });
  });
});

describe('debianPackages', () => {
  it('debianPackages contains the headless browser, or the full browser on systems without it', () => {
    expect([debianPackages(['chromium']), debianPackages(['chromium', 'hledger'], true)]).toEqual([
      ['chromium-headless-shell'],
      ['chromium'],
    ]);
  });

  it('debianPackages contains 2 unique packages for both of beancount’s programs', () => {
    expect(debianPackages(['bean-check', 'bean-query'])).toEqual(['beancount', 'python3-beancount']);
  });
});
