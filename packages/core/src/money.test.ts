import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cents,
  decimal,
  extend,
  formatAmount,
  formatWhole,
  formatUsd,
  fromDollars,
  fromPlain,
  minCents,
  negate,
  parseUsd,
  round,
  share,
  sum,
  toCents,
  toDecimal,
  toDollars,
  toPlain,
} from './money.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
const amount = fc.integer({ min: -1_000_000_000_00, max: 1_000_000_000_00 });

describe('cents', () => {
  test.each([0.5, NaN, Infinity, 2 ** 53])('cents rejects %d', (value) => {
    expect(() => cents(value)).toThrow('Amount is out of range');
  });

  test('zero cents are never negative', () => {
    expect(Object.is(cents(-0), 0)).toBe(true);
    expect(Object.is(negate(cents(0)), 0)).toBe(true);
  });

  test('cents are added up exactly, so that 0.10 + 0.20 is 0.30 and an empty list gives 0.00', () => {
    expect(toPlain(sum([cents(10), cents(20)]))).toBe('0.30');
    expect(sum([])).toBe(0);
    expect(minCents(cents(-5), cents(3))).toBe(-5);
  });
});

describe('rounds half away from zero', () => {
  test.each([
    ['13.3167', 1332],
    ['0.005', 1],
    ['-0.005', -1],
    ['0.0049', 0],
    ['1.005', 101],
    ['-13.315', -1332],
    ['17.325', 1733],
  ])('%s dollars are %i cents', (dollars, expected) => {
    expect(toCents(decimal(dollars))).toBe(expected);
  });

  test('0.0000005 is rounded to 0.000001, and -0.0000005 to -0.000001', () => {
    expect(round(decimal('0.0000005'), 6).toFixed(6)).toBe('0.000001');
    expect(round(decimal('-0.0000005'), 6).toFixed(6)).toBe('-0.000001');
  });

  test('price times quantity is rounded once: 9.99 × 1.333 is 13.32', () => {
    expect(extend(decimal('9.99'), decimal('1.333'))).toBe(1332);
  });

  test('rounding is symmetric and differs by at most half a cent', () => {
    const check = (thousandths: number): void => {
      const dollars = decimal(thousandths).div(1000);
      expect(toCents(dollars.times(-1))).toBe(negate(toCents(dollars)));
      expect(toDecimal(toCents(dollars)).minus(dollars).abs().lte('0.005')).toBe(true);
    };
    fc.assert(fc.property(amount, check), { numRuns });
  });
});

describe('dollars in the API', () => {
  test.each([NaN, Infinity, 0.001, 1.005])('rejects %d as an amount in dollars', (dollars) => {
    expect(() => fromDollars(dollars)).toThrow('Amount');
  });

  test('1234.5 dollars convert to 123450 cents and back', () => {
    expect(fromDollars(1234.5)).toBe(123450);
    expect(toDollars(cents(123450))).toBe(1234.5);
  });

  test('every amount converts exactly in both directions, as a number and as plain text', () => {
    const check = (value: number): void => {
      expect(fromDollars(toDollars(cents(value)))).toBe(value);
      expect(fromPlain(toPlain(cents(value)))).toBe(value);
      expect(fromDollars(Number(JSON.stringify(toDollars(cents(value)))))).toBe(value);
    };
    fc.assert(fc.property(amount, check), { numRuns });
  });
});

describe('amounts as text', () => {
  test.each([
    [-123450, '-1234.50', '(1,234.50)', '($1,234.50)'],
    [0, '0.00', '0.00', '$0.00'],
    [5, '0.05', '0.05', '$0.05'],
    [123456789012, '1234567890.12', '1,234,567,890.12', '$1,234,567,890.12'],
  ])('%i cents are formatted as %s, %s, and %s', (value, plain, formatted, usd) => {
    expect([toPlain(cents(value)), formatAmount(cents(value)), formatUsd(cents(value))]).toEqual([
      plain,
      formatted,
      usd,
    ]);
  });

  test.each(['', 'abc', '1.2.3', '--5', '$', '.', '1e5', '999999999999999999'])(
    'rejects "%s", which is not an amount',
    (text) => {
      expect(parseUsd(text)).toBe(undefined);
    },
  );

  test.each([
    '1.234,50',
    '1,23,4.5',
    '1,2345',
    '1234,567',
    '0,123',
    '12,34',
    '1,234,',
    ',5',
    '1 234.50',
    '12 34',
    '1$2',
    '$$5',
    '(5',
    '5)',
    '(-5)',
  ])('rejects "%s", which could mean more than one amount', (text) => {
    expect(parseUsd(text)).toBe(undefined);
  });

  test.each([
    ['$1,234.50', 123450],
    ['$\u00a01,234.50', 123450],
    ['1234.5', 123450],
    ['.5', 50],
    ['5.', 500],
    ['12.345', 1235],
    ['(12.50)', -1250],
    ['-12.50', -1250],
    ['−12.50', -1250],
    ['$0.00', 0],
    ['-$12', -1200],
    ['$-12', -1200],
    ['$ 12', 1200],
    ['($1,234.50)', -123450],
    ['1,234', 123400],
    ['1,234,567.8', 123456780],
  ])('"%s" is %i cents', (text, expected) => {
    expect(parseUsd(text)).toBe(expected);
  });

  test('displayed amounts can be entered again', () => {
    const check = (value: number): void => {
      expect(parseUsd(formatUsd(cents(value)))).toBe(value);
    };
    fc.assert(fc.property(amount, check), { numRuns });
  });
});

test.each([
  [0, '0'],
  [49, '0'],
  [-49, '0'],
  [50, '1'],
  [-50, '(1)'],
  [257_403, '2,574'],
  [-123_450, '(1,235)'],
  [99_999_950, '1,000,000'],
])('%s cents are formatted as %s whole dollars', (value, text) => {
  expect(formatWhole(cents(value))).toBe(text);
});

describe('share', () => {
  test('sharing by weights that add up to zero is rejected', () => {
    expect(() => share(cents(100), [1, -1])).toThrow('add up to zero');
  });

  test('100.00 shared by three equal weights is 33.34, 33.33, and 33.33', () => {
    expect(share(cents(10000), [1, 1, 1])).toEqual([3334, 3333, 3333]);
  });

  test('splitting 40.00 in proportion to 100.00 and a discount of 20.00 gives 50.00 and -10.00', () => {
    expect(share(cents(4000), [10000, -2000])).toEqual([5000, -1000]);
  });

  const weights = fc.array(fc.integer({ min: -100_000, max: 10_000_000 }), { minLength: 1, maxLength: 12 });

  test('shares always add up to the total, and each share is less than a cent from its exact proportion', () => {
    const check = (total: number, parts: number[]): void => {
      const whole = parts.reduce((all, part) => all + part, 0);
      fc.pre(whole !== 0);
      const shared = share(cents(total), parts);
      expect(sum(shared)).toBe(total);
      shared.forEach((part, index) => {
        const exact = decimal(total)
          .times(parts[index] ?? 0)
          .div(whole);
        expect(decimal(part).minus(exact).abs().lt(1)).toBe(true);
      });
    };
    fc.assert(fc.property(amount, weights, check), { numRuns });
  });

  test('sharing a total by weights that add up to the total returns the weights', () => {
    const check = (parts: number[]): void => {
      const whole = parts.reduce((all, part) => all + part, 0);
      fc.pre(whole !== 0);
      expect(share(cents(whole), parts)).toEqual(parts);
    };
    fc.assert(fc.property(weights, check), { numRuns });
  });
});
