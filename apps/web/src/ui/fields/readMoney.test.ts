import { describe, expect, it } from 'vitest';
import { isSum, readMoney } from './readMoney.ts';

describe('typed amounts', () => {
  // Promise (input): An ambiguous amount is rejected at its field, never guessed. [19 inputs]
  it.each([
    ['abc'],
    ['12*'],
    ['1.2.3'],
    ['10/0'],
    ['(2+3'],
    ['2+3)'],
    ['='],
    ['1e5'],
    ['9'.repeat(30)],
    ['9999999999999*99999'],
    ['1.234,50'],
    ['1,23,4.5'],
    ['12 34'],
    ['2*1,23'],
    ['1,2345+1'],
    ['1 .5+2'],
    ['(-5)'],
    ['--5'],
    ['5--3'],
    ['100000000000.01'],
    ['99999999999*2'],
    ['100000000000+.005'],
    ['-100000000000.005'],
  ])('rejects %s as an amount', (text) => expect(readMoney(text)).toBeUndefined());

  it('an empty or blank field is read as null', () => {
    expect(readMoney('')).toBeNull();
    expect(readMoney('   ')).toBeNull();
  });

  it.each([
    ['1,234.5', 123450],
    ['$12', 1200],
    ['$1,234.50', 123450],
    ['(12.50)', -1250],
    ['-3', -300],
    ['.5', 50],
    ['12*3.5', 4200],
    ['2+3*4', 1400],
    ['(2+3)*4', 2000],
    ['100/3', 3333],
    ['200/3', 6667],
    ['-2*-3', 600],
    ['$1,000 - 250.25', 74975],
    ['$1,000 − $250.25', 74975],
    ['2 × 1,234.50', 246900],
    ['-5+2', -300],
    ['($5)', -500],
    ['-(2+3)', -500],
    ['$\u00a01,000', 100000],
    ['\u202a1,234.50\u202c', 123450],
    ['5\u200b', 500],
    ['2\u00a0+\u00a03', 500],
    ['100,000,000,000', 10_000_000_000_000],
    ['100000000000+.004', 10_000_000_000_000],
    ['-99999999999-1', -10_000_000_000_000],
  ])('%s is read as %i cents', (text, cents) => expect(readMoney(text)).toBe(cents));

  it('amounts are rounded half away from zero once, at the end: 1.005 is 1.01, and 0.333*3 is 1.00', () => {
    expect(readMoney('1.005')).toBe(101);
    expect(readMoney('-1.005')).toBe(-101);
    expect(readMoney('0.333*3')).toBe(100);
  });

  it('a calculation is distinguished from a single number', () => {
    expect(isSum('12*3.5')).toBe(true);
    expect(isSum('-12.50')).toBe(false);
    expect(isSum('$1,234.50')).toBe(false);
  });
});
