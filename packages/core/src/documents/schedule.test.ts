import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, addMonths, isoDate, LAST_DAY } from '../dates.ts';
import {
  checkSchedule,
  dueOccurrences,
  movedAlong,
  type Occurrence,
  type Schedule,
  SCHEDULE_UNITS,
  scheduledDate,
  scheduledDates,
  scheduledFrom,
  scheduleFrom,
  weekdayOf,
} from './schedule.ts';

const from = (start: string, rule: Partial<Schedule> = {}): Schedule => ({ ...scheduleFrom(isoDate(start)), ...rule });

test.each<[string, Schedule, string[]]>([
  [
    'monthly from January 31',
    from('2026-01-31'),
    ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
  ],
  ['monthly from January 31 in a leap year', from('2024-01-31'), ['2024-01-31', '2024-02-29', '2024-03-31']],
  [
    'yearly from February 29',
    from('2024-02-29', { unit: 'year' }),
    ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
  ],
  ['monthly on the last day', from('2026-02-28', { monthDay: 'last' }), ['2026-02-28', '2026-03-31', '2026-04-30']],
  ['monthly from February 28', from('2026-02-28'), ['2026-02-28', '2026-03-28', '2026-04-28']],
  ['monthly on the 5th, starting on the 10th', from('2026-12-10', { monthDay: 5 }), ['2027-01-05', '2027-02-05']],
  ['monthly on the 31st, starting on April 10', from('2026-04-10', { monthDay: 31 }), ['2026-04-30', '2026-05-31']],
  ['every 3 months', from('2025-11-30', { every: 3 }), ['2025-11-30', '2026-02-28', '2026-05-30']],
  [
    'quarterly from August 31',
    from('2026-08-31', { unit: 'quarter' }),
    ['2026-08-31', '2026-11-30', '2027-02-28', '2027-05-31', '2027-08-31'],
  ],
  [
    'quarterly on the last day',
    from('2026-02-28', { unit: 'quarter', monthDay: 'last' }),
    ['2026-02-28', '2026-05-31', '2026-08-31'],
  ],
  // Daylight saving time starts or ends on March 29 and October 25 in Europe, and on March 8 and November 1 in the US.
  // Neither the start nor the end may affect a schedule.
  [
    'weekly across the spring clock change',
    from('2026-03-01', { unit: 'week', weekday: 0 }),
    ['2026-03-01', '2026-03-08', '2026-03-15', '2026-03-22', '2026-03-29', '2026-04-05'],
  ],
  [
    'weekly across the fall clock change',
    from('2026-10-18', { unit: 'week', weekday: 0 }),
    ['2026-10-18', '2026-10-25', '2026-11-01', '2026-11-08'],
  ],
  ['every 10 days', from('2026-02-20', { unit: 'day', every: 10 }), ['2026-02-20', '2026-03-02', '2026-03-12']],
  // November 23, 2026 is a Monday.
  ['every second Friday', from('2026-11-23', { unit: 'week', every: 2, weekday: 5 }), ['2026-11-27', '2026-12-11']],
  [
    'every Monday, starting on a Monday',
    from('2026-11-23', { unit: 'week', weekday: 1 }),
    ['2026-11-23', '2026-11-30'],
  ],
])('a schedule has the expected dates: %s', (_, schedule, dates) => {
  expect(scheduledDates(schedule, dates.length)).toEqual(dates);
});

test('the next dates from a given day are numbered from the start of the schedule', () => {
  const next = (day: string, count: number) =>
    scheduledFrom(from('2026-01-31', { end: { kind: 'after', count } }), isoDate(day), 2);
  expect(next('2025-01-01', 4)).toEqual(['2026-01-31', '2026-02-28']);
  expect(next('2026-03-31', 4)).toEqual(['2026-03-31', '2026-04-30']);
  expect(next('2026-04-01', 4)).toEqual(['2026-04-30']);
  expect(next('2026-04-01', 3)).toEqual([]);
});

test('a schedule ends after a number of dates, on a date, or at the end of the calendar', () => {
  const ends = (end: Schedule['end'], start = '2026-01-31') => scheduledDates(from(start, { end }), 4);
  expect(ends({ kind: 'after', count: 2 })).toEqual(['2026-01-31', '2026-02-28']);
  expect(ends({ kind: 'on', on: isoDate('2026-03-31') })).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
  expect(ends({ kind: 'on', on: isoDate('2026-03-30') })).toEqual(['2026-01-31', '2026-02-28']);
  expect(ends({ kind: 'never' }, '2199-11-30')).toEqual(['2199-11-30', '2199-12-30']);
  const daily = { unit: 'day', every: 999 } as const;
  expect(scheduledDate(from('2199-12-31', daily), 1)).toBe(undefined);
  expect(scheduledDate(from('1950-01-01', daily), 9_999_999)).toBe(undefined);
});

test.each<[Partial<Schedule>, string | undefined]>([
  [{}, undefined],
  [{ every: 0 }, 'Please enter an interval from 1 to 999'],
  [{ every: 1.5 }, 'Please enter an interval from 1 to 999'],
  [{ monthDay: 32 }, 'Please choose a day from 1 to 31'],
  [{ end: { kind: 'on', on: isoDate('2026-05-25') } }, 'The end date must be on or after the start date'],
  [{ end: { kind: 'after', count: 0 } }, 'Please enter a number from 1 to 9,999'],
])('the error message for the schedule %j is "%s"', (rule, message) => {
  expect(checkSchedule(from('2026-05-26', rule))).toBe(message);
});

test.each<[string, Partial<Schedule>, [from: string, to: string, other: string, moved: string]]>([
  ['the same date', {}, ['2026-01-31', '2026-02-28', '2026-01-31', '2026-02-28']],
  ['15 days later, monthly', {}, ['2026-01-31', '2026-03-31', '2026-02-15', '2026-04-15']],
  ['the first of the month', {}, ['2026-01-31', '2026-02-28', '2026-01-01', '2026-02-01']],
  ['the next day, in a shorter month', {}, ['2026-01-30', '2026-02-28', '2026-01-31', '2026-02-28']],
  ['10 days later, weekly', { unit: 'week' }, ['2026-10-18', '2026-11-01', '2026-10-28', '2026-11-11']],
  ['a month later, yearly', { unit: 'year' }, ['2024-02-29', '2025-02-28', '2024-03-31', '2025-03-31']],
])("a document's other date moves with the schedule: %s", (_, rule, [start, to, other, moved]) => {
  const dates = { from: isoDate(start), to: isoDate(to) };
  expect(movedAlong(from(start, rule), isoDate(other), dates)).toBe(moved);
});

const anySchedule = fc
  .record({
    start: fc.integer({ min: 0, max: 60_000 }).map((days) => addDays(isoDate('1950-01-01'), days)),
    unit: fc.constantFrom(...SCHEDULE_UNITS),
    every: fc.integer({ min: 1, max: 40 }),
    weekday: fc.integer({ min: 0, max: 6 }),
    monthDay: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const)),
  })
  .map((rule): Schedule => ({ ...rule, end: { kind: 'never' } }));

test('dates increase from the start and are the same whether they are read all at once or one by one', () => {
  const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
  const check = (schedule: Schedule): void => {
    const dates = scheduledDates(schedule, 12);
    expect(dates.map((_, index) => scheduledDates(schedule, 1, index)[0])).toEqual(dates);
    expect(dates.toSorted()).toEqual(dates);
    expect(new Set(dates).size).toBe(dates.length);
    for (const date of dates) {
      expect(date >= schedule.start && date <= LAST_DAY).toBe(true);
      if (schedule.unit === 'week') expect(weekdayOf(date)).toBe(schedule.weekday);
    }
    const [first] = dates;
    if ((schedule.unit === 'month' || schedule.unit === 'quarter') && first !== undefined)
      expect(first <= addMonths(schedule.start, 2)).toBe(true);
  };
  fc.assert(fc.property(anySchedule, check), { numRuns });
});

test('creating a year in one run gives the same dates as creating it day by day, without duplicates or gaps', () => {
  const numRuns = Number(process.env['TORTURE_RUNS'] ?? 60);
  const check = (schedule: Schedule): void => {
    const end = addDays(schedule.start, 400);
    if (end > LAST_DAY) return;
    const atOnce = dueOccurrences(schedule, { from: 0, today: end, most: 1000 });
    const daily: Occurrence[] = [];
    for (let today = schedule.start; today <= end; today = addDays(today, 1)) {
      daily.push(...dueOccurrences(schedule, { from: daily.length, today, most: 3 }));
    }
    expect(daily).toEqual(atOnce);
    expect(atOnce.map(({ n }) => n)).toEqual(atOnce.map((_, at) => at));
  };
  fc.assert(fc.property(anySchedule, check), { numRuns });
});
