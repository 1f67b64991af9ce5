import { expect, test } from 'vitest';
import { isAccountOfFile, lastFour } from './statement-account.ts';

test.each([
  ['0012345678', '12345678', true],
  ['12-3456 78', '12345678', true],
  ['12345678', 'XXXX5678', true],
  ['5678', '12345678', true],
  ['12345678', '12345679', false],
  ['678', '12345678', false],
  ['', '12345678', false],
])('bank account %s matches account %s in a file: %s', (number, ofFile, isSame) => {
  expect(isAccountOfFile(number, ofFile)).toBe(isSame);
});

test('account numbers ****5678 and 12345678 are both shown as 5678', () => {
  expect([lastFour('****5678'), lastFour('12345678')]).toEqual(['5678', '5678']);
});
