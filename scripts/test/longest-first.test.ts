import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { longest } from './longest-first.ts';

test('every file that begins first is there', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
