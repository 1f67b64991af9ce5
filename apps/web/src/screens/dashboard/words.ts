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

/** With a minus that is one. */
const shown = (format: Intl.NumberFormat, value: number): string => format.format(value).replace('-', '−');

/** 49,200.00 → "49.2K": above a column, where the exact figure has no room. */
export function compact(amount: Cents): string {
  return shown(short, toDollars(amount));
}

/** 29.17 → "29.17%". */
export function percentText(percent: number): string {
  return `${shown(twoPlaces, percent)}%`;
}

/** 4.91; a dash for none. */
export function ratioText(ratio: number | null): string {
  return ratio === null ? NOTHING : shown(twoPlaces, ratio);
}

/** `part` of `whole` in whole percent, or to two places; nothing of nothing. */
export function shareText(part: Cents, whole: Cents, isExact = false): string {
  return whole <= 0 ? '' : shown(isExact ? exactShare : share, part / whole);
}

/** A judgement's colour, which repeats its word. */
export const LOOKS: Readonly<Record<Judgement, StatusLook>> = { extreme: 'late', bad: 'low', good: 'done' };

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `2026-06-12` → "Friday, June 12, 2026". */
export function formatDay(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? ''}, ${formatLongDate(date)}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** "Jan"; one letter where there is little room. */
export function monthText(month: IsoDate, isShort: boolean): string {
  const name = MONTHS[partsOf(month).month - 1] ?? '';
  return isShort ? name.slice(0, 1) : name;
}

/** `2026-05-06` → "5/6/26": where two dates have little room. */
export function shortDate(date: IsoDate): string {
  const { year, month, day } = partsOf(date);
  return `${month}/${day}/${String(year % 100).padStart(2, '0')}`;
}

/** The name of a target's period. */
export const TARGET_OF: Readonly<Record<number, string>> = { 0: 'month', 4: 'quarter', 1: 'year' };
