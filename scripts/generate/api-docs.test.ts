import { expect, it } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { apiDocument } from './api-docs.ts';

it('the index has exactly one row for each call', () => {
  const rows = apiDocument()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const calls = rows.map((row) => /^\| `(\w+ \S+)` /.exec(row)?.[1] ?? '');
  expect(calls.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} /api${path}`).toSorted());
});
