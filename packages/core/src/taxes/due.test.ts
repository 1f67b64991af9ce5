import { expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { businessDayFrom, periodName, periodOf, periodsBetween } from './due.ts';

test.each([
  [0, 1, '2026-05-14', '2026-01-01', '2026-12-31', 'January – December 2026'],
  [1, 1, '2026-07-01', '2026-07-01', '2026-12-31', 'July – December 2026'],
  [2, 3, '2026-05-31', '2026-03-01', '2026-05-31', 'March – May 2026'],
  [2, 3, '2026-01-15', '2025-12-01', '2026-02-28', 'December 2025 – February 2026'],
  [2, 1, '2026-06-30', '2026-04-01', '2026-06-30', 'April – June 2026'],
  [3, 1, '2024-02-29', '2024-02-01', '2024-02-29', 'February 2024'],
])(
  'with frequency %i from month %i, the period that contains %s runs from %s to %s',
  (frequency, firstMonth, date, from, to, name) => {
    const period = periodOf({ frequency, firstMonth }, isoDate(date));
    expect(period).toEqual({ from, to });
    expect(periodName(period)).toBe(name);
  },
);

test('every tax period is listed, from the first to the current period', () => {
  const list = periodsBetween({ frequency: 2, firstMonth: 3 }, isoDate('2025-11-30'), isoDate('2026-06-01'));
  expect(list.map(({ to }) => to)).toEqual(['2025-11-30', '2026-02-28', '2026-05-31', '2026-08-31']);
});

test.each([
  ['2026-06-20', '2026-06-22'],
  ['2026-05-23', '2026-05-26'],
  ['2026-07-03', '2026-07-06'],
  ['2026-11-26', '2026-11-27'],
  ['2027-01-20', '2027-01-20'],
  ['2026-01-19', '2026-01-20'],
  ['2021-12-31', '2022-01-03'],
])('the first business day on or after %s is %s', (date, day) => {
  expect(businessDayFrom(isoDate(date))).toBe(day);
});
