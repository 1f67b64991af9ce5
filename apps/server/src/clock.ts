import { type IsoDate, isoDate } from '@evenkeel/core/dates';

/** The one place that reads the time. */
export function now(): Date {
  return new Date();
}

/** Milliseconds that only go forward, for measuring. */
export function monotonic(): number {
  return performance.now();
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

/** True for a time zone this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
