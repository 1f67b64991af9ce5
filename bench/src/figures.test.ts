import { expect, test } from 'vitest';
import { duration, median, quantile, ratio, table } from './figures.ts';

test('no values have no median, and that is said', () => {
  expect(ratio(median([]))).toBe('not measured');
});

test('the median of 9, 1 and 5 is 5, of 1, 2, 3 and 10 it is 2.5', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 3, 1, 2])).toBe(2.5);
});

test('of 1 to 101 the 99th percentile is 100', () => {
  expect(
    quantile(
      Array.from({ length: 101 }, (_, index) => index + 1),
      0.99,
    ),
  ).toBe(100);
});

test('1.2345 ms keep three digits, 20,900 ms become 20.9 s', () => {
  expect(duration(1.2345)).toBe('1.23 ms');
  expect(duration(20_900)).toBe('20.9 s');
});

test('a table has a line below its head', () => {
  expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
});
