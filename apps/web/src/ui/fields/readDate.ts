import { addDays, formatLongDate, type IsoDate, isIsoDate, parseDate, partsOf } from '@evenkeel/core/dates';

/**
 * Reads a typed date. `t` is today, `+7` and `-3` are days from today, `3/14` is this year, and `3/14/26` is this
 * century. Also accepts `3/14/2026` and `2026-03-14`. Returns null for empty input, and undefined for any other input.
 */
export function readDate(text: string, today: IsoDate): IsoDate | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === '') return null;
  if (typed === 't' || typed === 'today') return today;
  const shift = /^([+-])(\d{1,4})$/.exec(typed);
  if (shift !== null) return shifted(today, Number(`${shift[1] ?? ''}${shift[2] ?? ''}`));
  if (isIsoDate(typed)) return typed;
  const parts = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2}|\d{4}))?$/.exec(typed);
  if (parts === null) return undefined;
  const year = fullYear(parts[3], partsOf(today).year);
  return parseDate(`${parts[1] ?? ''}/${parts[2] ?? ''}/${year}`);
}

function shifted(today: IsoDate, days: number): IsoDate | undefined {
  return parseDate(addDays(today, days));
}

function fullYear(typed: string | undefined, thisYear: number): string {
  if (typed === undefined) return String(thisYear);
  return typed.length === 2 ? `${String(thisYear).slice(0, 2)}${typed}` : typed;
}

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Formats a date for speech: `2026-06-25` → "Thursday, June 25, 2026". */
export function spokenDate(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? ''}, ${formatLongDate(date)}`;
}
