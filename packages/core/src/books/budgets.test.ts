import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { type Cents, cents, isWholeDollars, sum, toWholeDollars } from '../money.ts';
import {
  budgetEffect,
  budgetMonths,
  budgetTotal,
  budgetYearName,
  budgetYearOf,
  changedByPercent,
  spreadYear,
} from './budgets.ts';

const usd = (...dollars: number[]): Cents[] => dollars.map((each) => cents(Math.round(each * 100)));

describe('a fiscal year', () => {
  test('a budget has the twelve months of its fiscal year', () => {
    const months = budgetMonths(2025, 7);
    expect([months.length, months[0], months[6], months[11]]).toEqual([12, '2025-07-01', '2026-01-01', '2026-06-01']);
  });

  test('a fiscal year is named after its calendar years', () => {
    expect([budgetYearName(2026, 1), budgetYearName(2025, 7)]).toEqual(['2026', '2025–2026']);
    expect([budgetYearOf(isoDate('2026-06-30'), 7), budgetYearOf(isoDate('2026-07-01'), 7)]).toEqual([2025, 2026]);
  });
});

describe('spreading a year over its months', () => {
  test('the months of a budget have the same proportions as those of another year and add up to the amount', () => {
    expect(spreadYear(cents(12_000_00), usd(1000, 2000, 3000))).toEqual(usd(2000, 4000, 6000));
    expect(spreadYear(cents(1_000_00), usd(1, 1, 1))).toEqual(usd(334, 333, 333));
  });

  test('without a pattern, all months have an equal share of a budget', () => {
    expect(spreadYear(cents(1200_00), usd(...Array.from({ length: 12 }, () => 0)))).toEqual(
      usd(...Array.from({ length: 12 }, () => 100)),
    );
  });

  test('months with the opposite sign in the pattern get no share of a budget', () => {
    expect(spreadYear(cents(90_00), usd(100, -500, 200))).toEqual(usd(30, 0, 60));
    expect(spreadYear(cents(-90_00), usd(-100, 500, -200))).toEqual(usd(-30, 0, -60));
  });

  test('a budget’s months are whole dollars that add up to its rounded amount', () => {
    const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).map(cents);
    fc.assert(
      fc.property(amount, fc.array(amount, { minLength: 12, maxLength: 12 }), (total, pattern) => {
        const parts = spreadYear(total, pattern);
        expect(sum(parts)).toBe(toWholeDollars(total));
        expect(parts.every(isWholeDollars)).toBe(true);
      }),
    );
  });
});

describe('changing amounts', () => {
  test('budget amounts are rounded to whole dollars, half away from zero', () => {
    expect(usd(1.49, 1.5, -1.5, -0.2).map(toWholeDollars)).toEqual(usd(1, 2, -2, 0));
    expect(Object.is(toWholeDollars(cents(-20)), 0)).toBe(true);
  });

  test('a percentage raises or lowers a budget amount', () => {
    expect(changedByPercent(cents(1000_00), 3)).toBe(1030_00);
    expect(changedByPercent(cents(1000_00), -12.5)).toBe(875_00);
    expect(changedByPercent(cents(333_00), 0.1)).toBe(333_00);
  });
});

test('a budget difference is negative if it lowers net income, for both income and costs', () => {
  expect([budgetEffect('Income', cents(90), cents(100)), budgetEffect('Income', cents(110), cents(100))]).toEqual([
    -10, 10,
  ]);
  expect([budgetEffect('Expense', cents(90), cents(100)), budgetEffect('Expense', cents(110), cents(100))]).toEqual([
    10, -10,
  ]);
});

test('a month without a budget is different from a month with a budget of zero', () => {
  expect([budgetTotal([null, null]), budgetTotal([null, cents(0)]), budgetTotal(usd(1, 2))]).toEqual([null, 0, 300]);
});
