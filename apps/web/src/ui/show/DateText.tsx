import { formatDate, type IsoDate } from '@evenkeel/core/dates';

/** A date as M/D/YYYY in tabular digits. Null shows nothing. */
export function DateText({ value }: { value: IsoDate | null | undefined }) {
  if (value === null || value === undefined) return null;
  return (
    <time dateTime={value} className="ek-date-text ek-num">
      {formatDate(value)}
    </time>
  );
}
