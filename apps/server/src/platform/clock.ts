import { type IsoDate, isoDate } from '@evenkeel/core/dates';

/** Returns the current time. No other function reads the clock. */
export function now(): Date {
  return new Date();
}

/** Returns a number of milliseconds that never decreases, for measuring durations. */
export function monotonic(): number {
  return performance.now();
}

/** Formats a time in a time zone for users: "06/12/2026, 3:04 PM". */
export function momentIn(timeZone: string, at: Date): string {
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', { ...day, timeZone, hour: 'numeric', minute: '2-digit' }).format(at);
}

interface Zone {
  format: Intl.DateTimeFormat;
  /** The last second for which the date was formatted, and that date. */
  second: number;
  date: IsoDate;
}

const days = new Map<string, Zone>();

/**
 * Returns the current business date in a company's time zone (an IANA name, such as America/New_York). The date is kept
 * for a second, because a posting needs it several times and formatting is slow.
 */
export function todayIn(timeZone: string, at: Date = now()): IsoDate {
  const second = Math.floor(at.getTime() / 1000);
  const known = days.get(timeZone);
  if (known?.second === second) return known.date;
  const format =
    known?.format ?? new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const date = isoDate(format.format(at));
  days.set(timeZone, { format, second, date });
  return date;
}

/**
 * Valid time zone names as they were spelled in requests. They are cached because checking a name takes a millisecond.
 */
const zones = new Set<string>();

/** Returns whether this machine recognizes a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    if (!zones.has(name)) Intl.DateTimeFormat('en-US', { timeZone: name });
    // The names come from requests in any mix of uppercase and lowercase letters, so the cache needs a limit.
    if (zones.size < 1000) zones.add(name);
    return true;
  } catch {
    return false;
  }
}
