import { formatDate, partsOf } from '../dates.ts';
import type { Schedule } from '../documents/schedule.ts';

/** The days of the week, from Sunday (0). */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Returns the dates of a schedule as text: `on day 26 of every month`, `every 2 weeks on Friday`. */
export function scheduleWords(schedule: Schedule): string {
  const { end } = schedule;
  if (end.kind === 'on') return `${datesOf(schedule)} until ${formatDate(end.on)}`;
  return end.kind === 'after' ? `${datesOf(schedule)}, ${timesWords(end.count)}` : datesOf(schedule);
}

function datesOf({ unit, every, weekday, monthDay, start }: Schedule): string {
  const units = every === 1 ? `every ${unit}` : `every ${every} ${unit}s`;
  if (unit === 'day') return units;
  if (unit === 'year') return `${units} on ${partsOf(start).month}/${partsOf(start).day}`;
  if (unit === 'week') {
    const day = WEEKDAYS[weekday] ?? '';
    return every === 1 ? `every ${day}` : `${units} on ${day}`;
  }
  const day = monthDay === 'last' ? 'on the last day' : `on day ${monthDay}`;
  return every === 1 ? `${day} of ${units}` : `${day}, ${units}`;
}

const timesWords = (count: number): string => (count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`);
