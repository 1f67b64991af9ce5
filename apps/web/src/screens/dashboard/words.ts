import type { Judgement } from '@evenkeel/core/cards';
import { formatLongDate, type IsoDate, partsOf } from '@evenkeel/core/dates';
import { type Cents, toDollars } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import type { StatusLook } from '../../ui/show/Status.tsx';

const US = 'en-US';
const short = new Intl.NumberFormat(US, { notation: 'compact', maximumFractionDigits: 1 });
const twoPlaces = new Intl.NumberFormat(US, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const share = new Intl.NumberFormat(US, { style: 'percent' });
const exactShare = new Intl.NumberFormat(US, { style: 'percent', minimumFractionDigits: 2 });

/** Formats a number with a true minus sign. */
const shown = (format: Intl.NumberFormat, value: number): string => format.format(value).replace('-', '−');

/** Abbreviates an amount where the exact amount doesn't fit: 49,200.00 → "49.2K". */
export function compact(amount: Cents): string {
  return shown(short, toDollars(amount));
}

/** Formats a percentage: 29.17 → "29.17%". */
export function percentText(percent: number): string {
  return `${shown(twoPlaces, percent)}%`;
}

/** Formats a ratio, for example 4.91. Returns a dash for an undefined ratio. */
export function ratioText(ratio: number | null): string {
  return ratio === null ? NOTHING : shown(twoPlaces, ratio);
}

/**
 * Formats `part` of `whole` as a percentage, in whole numbers or with two decimal places. Returns an empty string
 * unless
 * `whole` is positive.
 */
export function shareText(part: Cents, whole: Cents, isExact = false): string {
  return whole <= 0 ? '' : shown(isExact ? exactShare : share, part / whole);
}

/** The colors for ratings. They add no information to the text. */
export const LOOKS: Readonly<Record<Judgement, StatusLook>> = { extreme: 'late', bad: 'low', good: 'done' };

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Formats a date: `2026-06-12` → "Friday, June 12, 2026". */
export function formatDay(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? ''}, ${formatLongDate(date)}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats a month as "Jan", or as one letter if space is limited. */
export function monthText(month: IsoDate, isShort: boolean): string {
  const name = MONTHS[partsOf(month).month - 1] ?? '';
  return isShort ? name.slice(0, 1) : name;
}

/** Formats a short date, for space-limited ranges: `2026-05-06` → "5/6/26". */
export function shortDate(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${month}/${day}/${String(year % 100).padStart(2, '0')}`;
}

/** The name of a target's period. */
export const TARGET_OF: Readonly<Record<number, string>> = { 0: 'month', 4: 'quarter', 1: 'year' };
