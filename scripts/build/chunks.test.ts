import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../checkout.mjs';
import { circlesIn } from './chunks.ts';

// A circular import between two built files prevents a screen from being drawn, but only in the built program.
test.each(['apps/web/dist/assets', 'apps/server/dist'])('the files in %s have no circular imports', (folder) => {
  expect(circlesIn(join(root, folder))).toEqual([]);
});

test('a circular import is reported, but dynamic imports and files that lead to a circular import are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-chunks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, code: string): void => writeFileSync(join(folder, name), code);
  write('page.js', 'import{a}from"./first.js";import("./late.js")');
  write('first.js', 'import"./second.js";import{c}from"./ground.js";export const a=1');
  write('second.js', 'export{a as b}from"./first.js"');
  write('late.js', 'import"./page.js"');
  write('ground.js', 'export const c=3');
  expect(circlesIn(folder)).toEqual(['first.js needs second.js', 'second.js needs first.js']);
});
