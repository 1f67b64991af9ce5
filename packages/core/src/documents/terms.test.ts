import { expect, it } from 'vitest';
import { isoDate } from '../dates.ts';
import { cents } from '../money.ts';
import {
  discountByTerms,
  discountLeft,
  discountTermsFaults,
  discountWords,
  documentDiscountFaults,
  dueByTerms,
  isTermsDays,
} from './terms.ts';

it('payment terms are a whole number of days from 0 to 999', () => {
  expect([0, 30, 999].map(isTermsDays)).toEqual([true, true, true]);
  expect([-1, 1000, 1.5, Number.NaN].map(isTermsDays)).toEqual([false, false, false, false]);
});

it('a due date is the document date plus the terms, even across the end of February or the end of the calendar', () => {
  expect(dueByTerms(isoDate('2026-02-20'), 10)).toBe('2026-03-02');
  expect(dueByTerms(isoDate('2026-05-26'), 0)).toBe('2026-05-26');
  expect(dueByTerms(isoDate('2199-12-01'), 999)).toBe('2199-12-31');
});

it('an early-payment discount is a percentage of the total less the discounts taken, up to the unpaid amount', () => {
  const left = (percent: number, total: number, taken = 0, unpaid = total) =>
    discountLeft(percent, { total: cents(total), taken: cents(taken), unpaid: cents(unpaid) });
  expect([left(2, 10_800), left(1.5, 333), left(2, 25), left(2, 24)]).toEqual([216, 5, 1, 0]);
  expect([left(2, 10_800, 100), left(2, 10_800, 300), left(2, 10_800, 0, 50)]).toEqual([116, 0, 50]);
  expect([left(2, 10_800, 0, 0), left(2, -10_800), left(2, 0)]).toEqual([0, 0, 0]);
});

it('discount terms and document discounts require both the percentage and the days, or neither', () => {
  expect(discountTermsFaults({})).toEqual({});
  expect(discountTermsFaults({ discountPercent: 2, discountDays: 0 })).toEqual({});
  expect(Object.keys(discountTermsFaults({ discountPercent: 2 }))).toEqual(['discountDays']);
  expect(Object.keys(discountTermsFaults({ discountDays: 10 }))).toEqual(['discountPercent']);
  for (const discountPercent of [0, -1, 100, 1.2345]) {
    expect(Object.keys(discountTermsFaults({ discountPercent, discountDays: 10 }))).toEqual(['discountPercent']);
  }
  const [before, date] = [isoDate('2026-02-19'), isoDate('2026-02-20')];
  expect(documentDiscountFaults({ discountPercent: 2, discountUntil: date }, date)).toEqual({});
  expect(Object.keys(documentDiscountFaults({ discountPercent: 2, discountUntil: before }, date))).toEqual([
    'discountUntil',
  ]);
  expect(Object.keys(documentDiscountFaults({ discountPercent: 2 }, date))).toEqual(['discountUntil']);
  expect(discountWords(discountByTerms(date, { percent: 1.5, days: 10 }))).toBe('1.5% discount if paid by 3/2/2026');
});
