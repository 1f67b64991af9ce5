import { type IsoDate, isoDate } from '@evenkeel/core/dates';

/** The one place that reads the time. */
export function now(): Date {
  return new Date();
}

/** Milliseconds that only go forward, for measuring. */
export function monotonic(): number {
  return performance.now();
}

/** A moment as people in a time zone write it: "06/12/2026, 3:04 PM". */
export function momentIn(timeZone: string, at: Date): string {
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', { ...day, timeZone, hour: 'numeric', minute: '2-digit' }).format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Today's business date in a company's time zone (IANA name, such as America/New_York). */
export function todayIn(timeZone: string, at: Date = now()): IsoDate {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return isoDate(format.format(at));
}

/** Names that were found to be time zones, as they were spelled: to look at one takes a millisecond. */
const zones = new Set<string>();

/** True for a time zone this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    if (!zones.has(name)) Intl.DateTimeFormat('en-US', { timeZone: name });
    // Names come from requests, in any letters.
    if (zones.size < 1000) zones.add(name);
    return true;
  } catch {
    return false;
  }
}
