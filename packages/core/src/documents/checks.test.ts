import { expect, it } from 'vitest';
import { nextCheckNumber } from './checks.ts';

it('the next check number keeps its leading zeros, even above the largest safe integer', () => {
  expect(['1042', '0099', '999', '000'].map((number) => nextCheckNumber(number))).toEqual([
    '1043',
    '0100',
    '1000',
    '001',
  ]);
  expect(nextCheckNumber('9007199254740993')).toBe('9007199254740994');
  expect(nextCheckNumber('1042', 3)).toBe('1045');
});
