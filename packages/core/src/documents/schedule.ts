import {
  addDays,
  addMonths,
  daysBetween,
  daysInMonth,
  type IsoDate,
  LAST_DAY,
  partsOf,
  startOfMonth,
} from '../dates.ts';

export const SCHEDULE_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type ScheduleUnit = (typeof SCHEDULE_UNITS)[number];

/** The end of a schedule: never, on an end date (`on`), or after a number of occurrences (`count`). */
export type ScheduleEnd = { kind: 'never' } | { kind: 'on'; on: IsoDate } | { kind: 'after'; count: number };

/** The rule for the dates in a schedule. */
export interface Schedule {
  unit: ScheduleUnit;
  /** The number of units between dates, 1 or more. */
  every: number;
  start: IsoDate;
  /** For weeks, from 0 (Sunday) to 6 (Saturday). */
  weekday: number;
  /** For months and quarters, a day from 1 to 31, or the last day. In a shorter month, the last day is used. */
  monthDay: number | 'last';
  end: ScheduleEnd;
}

/** Returns the day of the week, from 0 (Sunday) to 6 (Saturday). */
export function weekdayOf(date: IsoDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** Returns a monthly schedule that starts on a date and uses that date's day of the month. */
export function scheduleFrom(start: IsoDate): Schedule {
  const monthDay = partsOf(start).day;
  return { unit: 'month', every: 1, start, weekday: weekdayOf(start), monthDay, end: { kind: 'never' } };
}

/** Returns the message for an invalid schedule, or undefined for a valid one. */
export function checkSchedule({ every, monthDay, end, start }: Schedule): string | undefined {
  if (!Number.isInteger(every) || every < 1 || every > 999) return 'Please enter an interval from 1 to 999';
  if (monthDay !== 'last' && (monthDay < 1 || monthDay > 31)) return 'Please choose a day from 1 to 31';
  if (end.kind === 'on' && end.on < start) return 'The end date must be on or after the start date';
  const isCount = end.kind !== 'after' || (Number.isInteger(end.count) && end.count >= 1 && end.count <= 9999);
  return isCount ? undefined : 'Please enter a number from 1 to 9,999';
}

/**
 * Returns date number `index` (0 is the first) in a valid schedule, without regard to the schedule's end. Returns
 * undefined after the last supported date. Each date is computed from the start, not from the previous date. A schedule
 * on the 31st therefore returns to the 31st after February.
 */
export function scheduledDate(schedule: Schedule, index: number): IsoDate | undefined {
  const { unit, every, start } = schedule;
  if (unit === 'day' || unit === 'week') {
    const first = unit === 'day' ? start : addDays(start, (schedule.weekday - weekdayOf(start) + 7) % 7);
    return inCalendar(first, index * every * (unit === 'day' ? 1 : 7));
  }
  if (unit === 'year') return monthsOn(start, index * every * 12, partsOf(start).day);
  const isThisMonth = dayIn(startOfMonth(start), schedule.monthDay) >= start;
  const months = index * every * (unit === 'quarter' ? 3 : 1);
  return monthsOn(start, months + (isThisMonth ? 0 : 1), schedule.monthDay);
}

/** A date in a schedule with its number. */
export interface Occurrence {
  n: number;
  date: IsoDate;
}

/**
 * Returns at most `most` dates, starting with number `from`, that are due by a given day. Their documents have not been
 * created yet.
 */
export function dueOccurrences(
  schedule: Schedule,
  { from, today, most }: { from: number; today: IsoDate; most: number },
): Occurrence[] {
  const dates = scheduledDates(schedule, most, from);
  return dates.map((date, at) => ({ n: from + at, date })).filter(({ date }) => date <= today);
}

/**
 * Moves another date in a document (such as its due date) from the schedule's first date to a later date. The date
 * moves by the same number of days, or by months if the unit is months, quarters, or years. The result is before the
 * document's new date only if it was also earlier in the first document.
 */
export function movedAlong(
  { unit }: Pick<Schedule, 'unit'>,
  other: IsoDate,
  { from, to }: { from: IsoDate; to: IsoDate },
): IsoDate {
  if (other === from) return to;
  const moved =
    unit === 'day' || unit === 'week'
      ? addDays(other, daysBetween(from, to))
      : addMonths(other, monthsBetween(from, to));
  return other > from && moved < to ? to : moved;
}

function monthsBetween(from: IsoDate, to: IsoDate): number {
  const [first, last] = [partsOf(from), partsOf(to)];
  return (last.year - first.year) * 12 + last.month - first.month;
}

/** Returns at most `count` dates in a schedule, starting with number `from`, up to the schedule's end. */
export function scheduledDates(schedule: Schedule, count: number, from = 0): IsoDate[] {
  const { end } = schedule;
  const until = end.kind === 'after' ? Math.min(from + count, end.count) : from + count;
  const dates: IsoDate[] = [];
  for (let index = from; index < until; index += 1) {
    const date = scheduledDate(schedule, index);
    if (date === undefined || (end.kind === 'on' && date > end.on)) break;
    dates.push(date);
  }
  return dates;
}

/** Returns at most `count` dates in a schedule on or after `day`. */
export function scheduledFrom(schedule: Schedule, day: IsoDate, count: number): IsoDate[] {
  let index = 0;
  for (let date = scheduledDate(schedule, 0); date !== undefined && date < day; date = scheduledDate(schedule, index))
    index += 1;
  return scheduledDates(schedule, count, index);
}

function inCalendar(date: IsoDate, days: number): IsoDate | undefined {
  // Dates with a five-digit year don't compare correctly as strings, so the days are limited before they are added.
  if (days > 120_000) return undefined;
  const later = addDays(date, days);
  return later > LAST_DAY || later.length > LAST_DAY.length ? undefined : later;
}

function monthsOn(start: IsoDate, months: number, day: number | 'last'): IsoDate | undefined {
  if (partsOf(start).year + months / 12 >= partsOf(LAST_DAY).year + 1) return undefined;
  const month = addMonths(startOfMonth(start), months);
  const date = dayIn(month, day);
  return date > LAST_DAY ? undefined : date;
}

/** Returns the given day in the month that starts on `first`, or the month's last day if the month is shorter. */
function dayIn(first: IsoDate, day: number | 'last'): IsoDate {
  const { year, month } = partsOf(first);
  const days = daysInMonth(year, month);
  return addDays(first, (day === 'last' ? days : Math.min(day, days)) - 1);
}
