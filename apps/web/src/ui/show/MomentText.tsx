import { NOTHING } from '@evenkeel/core/nothing';

/** As people write it, in the zone of the device: 6/12/2026, 7:30 AM. */
const FORMAT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** A moment (ISO 8601, UTC) as date and time of day; in a narrow column as its date, with the rest as a tip. */
export function MomentText({ value, isNarrow = false }: { value: string | null; isNarrow?: boolean }) {
  if (value === null) return <>{NOTHING}</>;
  const whole = FORMAT.format(Date.parse(value));
  return (
    <time dateTime={value} className="ek-date-text ek-num" title={isNarrow ? whole : undefined}>
      {isNarrow ? whole.slice(0, whole.indexOf(',')) : whole}
    </time>
  );
}
