import { expect, test } from 'vitest';
import { todayIn } from './clock.ts';

const at = (time: string): Date => new Date(time);

test('the business date changes at midnight in each time zone, also if several zones ask within one second', () => {
  const [before, after] = [at('2026-11-19T04:59:59.999Z'), at('2026-11-19T05:00:00.000Z')];
  for (const [time, newYork] of [
    [before, '2026-11-18'],
    [before, '2026-11-18'],
    [after, '2026-11-19'],
    [before, '2026-11-18'],
  ] as const) {
    expect(todayIn('America/New_York', time)).toBe(newYork);
    expect(todayIn('Pacific/Auckland', time)).toBe('2026-11-19');
    expect(todayIn('America/Los_Angeles', time)).toBe('2026-11-18');
  }
});
