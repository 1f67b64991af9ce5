import { expect, it } from 'vitest';
import { isoDate } from '../dates.ts';
import { type Schedule, scheduleFrom } from '../documents/schedule.ts';
import { scheduleWords } from './schedule.ts';

const monthly = scheduleFrom(isoDate('2026-12-26'));

it.each<[Partial<Schedule>, string]>([
  [{}, 'on day 26 of every month'],
  [{ every: 2, monthDay: 'last' }, 'on the last day, every 2 months'],
  [{ unit: 'quarter', monthDay: 'last' }, 'on the last day of every quarter'],
  [{ unit: 'day' }, 'every day'],
  [{ unit: 'week', weekday: 5 }, 'every Friday'],
  [{ unit: 'week', every: 2, weekday: 0 }, 'every 2 weeks on Sunday'],
  [{ unit: 'year', end: { kind: 'after', count: 3 } }, 'every year on 12/26, 3 times'],
  [{ end: { kind: 'on', on: isoDate('2027-12-31') } }, 'on day 26 of every month until 12/31/2027'],
])('the schedule %j is written as "%s"', (part, words) => {
  expect(scheduleWords({ ...monthly, ...part })).toBe(words);
});
