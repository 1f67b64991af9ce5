import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { parts } from './citus.ts';

describe('the list of tests that run on a Citus cluster', () => {
  test('every name in the list of Citus tests matches a file', () => {
    const files = readdirSync(join(root, 'apps/server/src'), { recursive: true, encoding: 'utf8' });
    const unmatched = parts.flat().filter((name) => !files.some((file) => file.startsWith(name)));
    expect(unmatched).toEqual([]);
  });
});
