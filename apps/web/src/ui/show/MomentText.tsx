import { NOTHING } from '@evenkeel/core/nothing';

/** As people write it, in the zone of the device: 6/12/2026, 7:30 AM. */
const FORMAT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** A moment (ISO 8601, UTC) as date and time of day; a dash for null. */
export function MomentText({ value }: { value: string | null }) {
  if (value === null) return <>{NOTHING}</>;
  return (
    <time dateTime={value} className="ek-date-text ek-num">
      {FORMAT.format(Date.parse(value))}
    </time>
  );
}
