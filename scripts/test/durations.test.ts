import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { type Durations, worthKeeping } from './durations.ts';
import { slowestFirst } from './longest-first.ts';

test('every file with a recorded duration exists', () => {
  const recorded: Durations = JSON.parse(readFileSync(join(root, 'scripts/test/durations.json'), 'utf8'));
  const paths = Object.keys(recorded);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the recorded durations list existing files that take at least 3 seconds, longest first', () => {
  const durations = { 'README.md': 2.9, 'package.json': 3, 'tsconfig.json': 40, 'no-such-file.ts': 50 };
  expect(Object.entries(worthKeeping(durations))).toEqual([
    ['tsconfig.json', 40],
    ['package.json', 3],
  ]);
});

test("each project's slowest files start first, and the files in a project stay together", () => {
  const files = [
    { project: 'scripts', path: 'a', seconds: 0 },
    { project: 'scripts', path: 'b', seconds: 7 },
    { project: 'server', path: 'c', seconds: 3 },
    { project: 'server', path: 'd', seconds: 0 },
    { project: 'server', path: 'e', seconds: 9 },
  ];
  const sorted = slowestFirst(
    files,
    ({ project }) => project,
    ({ seconds }) => seconds,
  );
  expect(sorted.map(({ path }) => path)).toEqual(['b', 'a', 'e', 'c', 'd']);
});
