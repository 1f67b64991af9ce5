import { expect, it } from 'vitest';
import { isoDate } from './dates.ts';
import { dueByTerms, isTermsDays } from './terms.ts';

it('terms are whole days from 0 to 999', () => {
  expect([0, 30, 999].map(isTermsDays)).toEqual([true, true, true]);
  expect([-1, 1000, 1.5, Number.NaN].map(isTermsDays)).toEqual([false, false, false, false]);
});

it('a document is due its terms after its date, over the end of February, and never after the last date', () => {
  expect(dueByTerms(isoDate('2026-02-20'), 10)).toBe('2026-03-02');
  expect(dueByTerms(isoDate('2026-05-26'), 0)).toBe('2026-05-26');
  expect(dueByTerms(isoDate('2199-12-01'), 999)).toBe('2199-12-31');
});
