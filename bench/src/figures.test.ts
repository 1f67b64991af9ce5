import { expect, test } from 'vitest';
import { duration, median, quantile, ratio, table } from './figures.ts';

test('an empty list has no median, and its text says so', () => {
  expect(ratio(median([]))).toBe('not measured');
});

test('the median of 9, 1, and 5 is 5, and the median of 1, 2, 3, and 10 is 2.5', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 3, 1, 2])).toBe(2.5);
});

test('the 99th percentile of 1 to 101 is 100', () => {
  expect(
    quantile(
      Array.from({ length: 101 }, (_, index) => index + 1),
      0.99,
    ),
  ).toBe(100);
});

test('1.2345 ms is shown with three digits, and 20,900 ms is shown as 20.9 s', () => {
  expect(duration(1.2345)).toBe('1.23 ms');
  expect(duration(20_900)).toBe('20.9 s');
});

test('a table has a line below its heading', () => {
  expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
});
