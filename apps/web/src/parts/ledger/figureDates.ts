import { formatDate, type IsoDate } from '@evenkeel/core/dates';

export const basisWords = (basis: number | null | undefined): string => (basis === 1 ? 'cash basis' : 'accrual basis');

/** Returns the dates and accounting basis shown next to an amount. */
export function figureDates(from: IsoDate | null, to: IsoDate | null, basis: number | null | undefined): string {
  const words = basisWords(basis);
  if (to === null) return words;
  return from === null ? `as of ${formatDate(to)}, ${words}` : `${formatDate(from)} – ${formatDate(to)}, ${words}`;
}
