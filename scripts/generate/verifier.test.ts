import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { verifierPage } from './verifier.ts';

const read = (name: string) => readFile(join(root, 'apps/web/public', name), 'utf8');

test('the offline page contains the current verifier (npm run generate)', async () => {
  const page = await read('verify.html');
  expect(page).toBe(await verifierPage());
  expect(page).toContain(await read('verify.mjs'));
  expect(page).not.toMatch(/src=|href=|https?:/);
});

test("the verifier has at most 200 lines and imports only Node's modules", async () => {
  const program = await read('verify.mjs');
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  expect([...program.matchAll(/\bimport\((.*?)\)|^import .*/gm)].map(([, name]) => name)).toEqual(["'node:fs'"]);
  expect(program).not.toContain('require(');
});
