import { cents } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { overdueShare } from './figures.ts';

it.each([
  [20_000, 10_000, 50],
  [30_000, 10_000, 33.3],
  // Credits open elsewhere can leave less unpaid than is overdue.
  [5000, 10_000, 100],
  [0, 0, 0],
])('of %d cents unpaid, %d overdue are %d percent of the bar', (unpaid, overdue, share) => {
  expect(overdueShare({ unpaid: cents(unpaid), overdue: cents(overdue) })).toBe(share);
});
