import './schedule.css';
import { addMonths, formatDate, type IsoDate, partsOf } from '@evenkeel/core/dates';
import {
  checkSchedule,
  type Schedule,
  type ScheduleEnd,
  scheduledFrom,
  type ScheduleUnit,
  weekdayOf,
} from '@evenkeel/core/documents/schedule';
import { useToday } from '../hooks/today.tsx';
import { Choice } from '../show/Choice.tsx';
import { DateField } from './DateField.tsx';
import { FieldError } from './field.tsx';
import { Picker } from './Picker.tsx';
import { QuantityField } from './QuantityField.tsx';

export interface ScheduleFieldProps {
  label: string;
  value: Schedule;
  onChange: (value: Schedule) => void;
  /** The message shown below the fields. The default is the rule's own message. */
  error?: string | undefined;
}

const UNITS: readonly { value: ScheduleUnit; label: string }[] = [
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
  { value: 'quarter', label: 'Quarters' },
  { value: 'year', label: 'Years' },
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, id) => ({
  id,
  label,
}));
const LAST = 0;
const MONTH_DAYS = [
  { id: LAST, label: 'Last day' },
  ...Array.from({ length: 31 }, (_, at) => ({ id: at + 1, label: String(at + 1) })),
];
const ENDS: readonly { value: ScheduleEnd['kind']; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'on', label: 'On' },
  { value: 'after', label: 'After' },
];
/** The default number of occurrences when the user selects an end by count. */
const TIMES = 12;

/**
 * Returns the schedule with a new start date. The weekday or day of the month changes too if it came from the old start
 * date.
 */
function startingOn(value: Schedule, start: IsoDate): Schedule {
  const isOwnDay = value.monthDay === partsOf(value.start).day;
  const isOwnWeekday = value.weekday === weekdayOf(value.start);
  return {
    ...value,
    start,
    monthDay: isOwnDay ? partsOf(start).day : value.monthDay,
    weekday: isOwnWeekday ? weekdayOf(start) : value.weekday,
  };
}

function endOf(kind: ScheduleEnd['kind'], start: IsoDate): ScheduleEnd {
  if (kind === 'on') return { kind, on: addMonths(start, 12) };
  return kind === 'after' ? { kind, count: TIMES } : { kind };
}

/** The fields of a recurrence rule, and its next three dates. */
export function ScheduleField(props: ScheduleFieldProps) {
  const { label, value, onChange } = props;
  const today = useToday();
  const wrong = checkSchedule(value);
  const error = props.error ?? wrong;
  const dates = wrong === undefined ? scheduledFrom(value, today, 3) : [];
  const set = (part: Partial<Schedule>) => onChange({ ...value, ...part });
  return (
    <fieldset className="ek-schedule">
      <legend className="mantine-InputWrapper-label">{label}</legend>
      <div className="ek-form">
        <QuantityField
          label="Every"
          span={3}
          places={0}
          value={value.every === 0 ? null : value.every}
          onChange={(every) => set({ every: every ?? 0 })}
        />
        <div className="ek-c6">
          <Choice label="Unit" options={UNITS} value={value.unit} onChange={(unit) => set({ unit })} />
        </div>
        <DayField {...props} />
        <DateField
          label="Starts"
          span={3}
          value={value.start}
          onChange={(start) => start !== null && onChange(startingOn(value, start))}
        />
        <div className="ek-c6">
          <Choice
            label="Ends"
            options={ENDS}
            value={value.end.kind}
            onChange={(kind) => set({ end: endOf(kind, value.start) })}
          />
        </div>
        <EndField {...props} />
      </div>
      {error === undefined ? (
        <p role="status" className="ek-schedule-next ek-num">
          {dates.length === 0 ? 'No dates left' : `Next: ${dates.map(formatDate).join(', ')}`}
        </p>
      ) : (
        <FieldError message={error} />
      )}
    </fieldset>
  );
}

/** The weekday or the day of the month. Daily and yearly schedules follow the start date. */
function DayField({ value, onChange }: ScheduleFieldProps) {
  if (value.unit === 'week') {
    return (
      <Picker
        label="Weekday"
        span={3}
        options={WEEKDAYS}
        value={value.weekday}
        onChange={(weekday) => weekday !== null && onChange({ ...value, weekday })}
      />
    );
  }
  if (value.unit !== 'month' && value.unit !== 'quarter') return <div className="ek-c3 ek-schedule-none" />;
  return (
    <Picker
      label="Day of Month"
      span={3}
      options={MONTH_DAYS}
      value={value.monthDay === 'last' ? LAST : value.monthDay}
      onChange={(day) => day !== null && onChange({ ...value, monthDay: day === LAST ? 'last' : day })}
    />
  );
}

function EndField({ value, onChange }: ScheduleFieldProps) {
  const { end } = value;
  if (end.kind === 'on') {
    return (
      <DateField
        label="Last Date"
        span={3}
        value={end.on}
        onChange={(on) => on !== null && onChange({ ...value, end: { kind: 'on', on } })}
      />
    );
  }
  if (end.kind === 'never') return null;
  return (
    <QuantityField
      label="Times"
      span={3}
      places={0}
      value={end.count === 0 ? null : end.count}
      onChange={(count) => onChange({ ...value, end: { kind: 'after', count: count ?? 0 } })}
    />
  );
}
