import { NOTHING } from '@evenkeel/core/nothing';

/** The format, in the device's time zone: 6/12/2026, 7:30 AM. */
const FORMAT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/**
 * A timestamp (ISO 8601, UTC), shown as a date and time. In a narrow column, shows only the date, with the full text as
 * a tooltip.
 */
export function MomentText({ value, isNarrow = false }: { value: string | null; isNarrow?: boolean }) {
  if (value === null) return <>{NOTHING}</>;
  const whole = FORMAT.format(Date.parse(value));
  return (
    <time dateTime={value} className="ek-date-text ek-num" title={isNarrow ? whole : undefined}>
      {isNarrow ? whole.slice(0, whole.indexOf(',')) : whole}
    </time>
  );
}
