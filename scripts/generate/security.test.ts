import { expect, it } from 'vitest';
import { root } from '../checkout.mjs';
import { judgedRequirements, securityPage } from './security.ts';
import { readTree } from '../tidy.ts';

/** The number of requirements in each chapter of ASVS 5.0, levels 1 and 2. */
const CHAPTERS = {
  1: 27,
  2: 11,
  3: 19,
  4: 10,
  5: 9,
  6: 35,
  7: 18,
  8: 7,
  9: 7,
  10: 29,
  11: 14,
  12: 9,
  13: 13,
  14: 9,
  15: 13,
  16: 16,
  17: 7,
};

const sources = readTree(root);
const judged = judgedRequirements(sources);

it('every level 1 and level 2 requirement is listed once, in order', () => {
  const chapterOf = (id: string): string => id.split('.')[0] ?? '';
  const counts = Object.entries(CHAPTERS).map(([chapter]) => [
    chapter,
    judged.filter(({ id }) => chapterOf(id) === chapter).length,
  ]);
  expect(Object.fromEntries(counts)).toEqual(CHAPTERS);
  expect(judged).toHaveLength(Object.values(CHAPTERS).reduce((sum, each) => sum + each, 0));
  const ids = judged.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })));
});

it('each requirement has an existing test or text, and all are met', () => {
  expect(judged.filter(({ shown }) => shown === undefined).map(({ id }) => id)).toEqual([]);
  expect(judged.filter(({ state }) => state === 'open')).toEqual([]);
});

it('a deleted test does not count as evidence', () => {
  const gone = ['apps/server/src/across/auth/signin.test.ts', 'SECURITY.md'];
  const others = sources.filter(({ path }) => !gone.includes(path));
  const lost = judgedRequirements(others).filter(({ shown }) => shown === undefined);
  expect(lost.map(({ id }) => id)).toEqual(expect.arrayContaining(['6.3.1', '7.2.3', '8.1.1', '15.1.1']));
  expect(
    securityPage(sources)
      .split('\n')
      .filter((line) => /^\| \d/.test(line)),
  ).toHaveLength(judged.length);
});
