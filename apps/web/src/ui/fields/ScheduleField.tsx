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
import { WEEKDAYS } from '@evenkeel/core/words/schedule';
import type { ReactNode } from 'react';
import { DateField } from './DateField.tsx';
import { FieldError } from './field.tsx';
import { Picker } from './Picker.tsx';
import { QuantityField } from './QuantityField.tsx';

export interface ScheduleFieldProps {
  label: string;
  value: Schedule;
  onChange: (value: Schedule) => void;
  /** The message shown below the sentence. Defaults to the rule's own message. */
  error?: string | undefined;
  /** The end of the sentence, for example how the documents are created. */
  children?: ReactNode;
  readOnly?: boolean;
}

const UNITS: readonly { id: ScheduleUnit; one: string }[] = [
  { id: 'day', one: 'day' },
  { id: 'week', one: 'week' },
  { id: 'month', one: 'month' },
  { id: 'quarter', one: 'quarter' },
  { id: 'year', one: 'year' },
];
const WEEKDAY_CHOICES = WEEKDAYS.map((label, id) => ({ id, label }));
const LAST = 0;
const MONTH_DAYS = [
  ...Array.from({ length: 31 }, (_, at) => ({ id: at + 1, label: String(at + 1) })),
  { id: LAST, label: 'last' },
];
const ENDS: readonly { id: ScheduleEnd['kind']; label: string }[] = [
  { id: 'never', label: 'never' },
  { id: 'on', label: 'on a date' },
  { id: 'after', label: 'after a number of times' },
];
const END_WIDTHS = { never: '84px', on: '110px', after: '190px' };
/** The number of occurrences that is filled in when the user chooses to end the schedule after a number of times. */
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

/**
 * A word in the sentence, together with the field after it. The sentence wraps between these pairs, never inside a
 * pair.
 */
export function SchedulePart({ word, width, children }: { word?: string; width: string; children: ReactNode }) {
  return (
    <span className="ek-schedule-part">
      {word}
      <span className="ek-schedule-field" style={{ width }}>
        {children}
      </span>
    </span>
  );
}

/** A recurrence rule as one sentence: "Every 1 month on day 26 from 12/26/2026 ends never". */
export function ScheduleField(props: ScheduleFieldProps) {
  const { label, value, onChange, children, readOnly = false } = props;
  const error = props.error ?? checkSchedule(value);
  const set = (part: Partial<Schedule>) => onChange({ ...value, ...part });
  const units = UNITS.map(({ id, one }) => ({ id, label: value.every === 1 ? one : `${one}s` }));
  const inRow = { inRow: true, readOnly };
  return (
    <fieldset className="ek-schedule">
      <legend className="mantine-InputWrapper-label">{label}</legend>
      <div className="ek-schedule-words">
        <SchedulePart word="Every" width="52px">
          <QuantityField
            {...inRow}
            label="Every"
            places={0}
            value={value.every === 0 ? null : value.every}
            onChange={(every) => set({ every: every ?? 0 })}
          />
        </SchedulePart>
        <SchedulePart width="98px">
          <Picker
            {...inRow}
            label="Unit"
            options={units}
            value={value.unit}
            onChange={(unit) => unit !== null && set({ unit })}
          />
        </SchedulePart>
        <DayPart {...props} />
        <SchedulePart word="from" width="128px">
          <DateField
            {...inRow}
            label="Starts"
            value={value.start}
            onChange={(start) => start !== null && onChange(startingOn(value, start))}
          />
        </SchedulePart>
        <SchedulePart word="ends" width={END_WIDTHS[value.end.kind]}>
          <Picker
            {...inRow}
            label="Ends"
            options={ENDS}
            value={value.end.kind}
            onChange={(kind) => kind !== null && set({ end: endOf(kind, value.start) })}
          />
        </SchedulePart>
        <EndPart {...props} />
        {children}
      </div>
      {error !== undefined && <FieldError message={error} />}
    </fieldset>
  );
}

/** The weekday or the day of the month. Daily and yearly schedules use the start date instead. */
function DayPart({ value, onChange, readOnly = false }: ScheduleFieldProps) {
  if (value.unit === 'week') {
    return (
      <SchedulePart word="on" width="128px">
        <Picker
          inRow
          readOnly={readOnly}
          label="Weekday"
          options={WEEKDAY_CHOICES}
          value={value.weekday}
          onChange={(weekday) => weekday !== null && onChange({ ...value, weekday })}
        />
      </SchedulePart>
    );
  }
  if (value.unit !== 'month' && value.unit !== 'quarter') return null;
  return (
    <SchedulePart word="on day" width="72px">
      <Picker
        inRow
        readOnly={readOnly}
        label="Day of Month"
        options={MONTH_DAYS}
        value={value.monthDay === 'last' ? LAST : value.monthDay}
        onChange={(day) => day !== null && onChange({ ...value, monthDay: day === LAST ? 'last' : day })}
      />
    </SchedulePart>
  );
}

function EndPart({ value, onChange, readOnly = false }: ScheduleFieldProps) {
  const { end } = value;
  if (end.kind === 'on') {
    return (
      <SchedulePart width="128px">
        <DateField
          inRow
          readOnly={readOnly}
          label="Last Date"
          value={end.on}
          onChange={(on) => on !== null && onChange({ ...value, end: { kind: 'on', on } })}
        />
      </SchedulePart>
    );
  }
  if (end.kind === 'never') return null;
  return (
    <SchedulePart width="72px">
      <QuantityField
        inRow
        readOnly={readOnly}
        label="Times"
        places={0}
        value={end.count === 0 ? null : end.count}
        onChange={(count) => onChange({ ...value, end: { kind: 'after', count: count ?? 0 } })}
      />
    </SchedulePart>
  );
}

export interface NextDatesProps {
  /** The label, for example `Next Invoices`. */
  label: string;
  value: Schedule;
  /** The first date that can be skipped. */
  from: IsoDate;
  skipped: readonly IsoDate[];
  onSkip: (skipped: IsoDate[]) => void;
  readOnly?: boolean;
}

/** The number of dates shown. */
const AHEAD = 6;

/** The next six dates of a schedule. Selecting a date skips it or undoes the skip. */
export function NextDates({ label, value, from, skipped, onSkip, readOnly = false }: NextDatesProps) {
  if (checkSchedule(value) !== undefined) return null;
  const dates = scheduledFrom(value, from, AHEAD);
  const toggle = (date: IsoDate) =>
    onSkip(skipped.includes(date) ? skipped.filter((each) => each !== date) : [...skipped, date]);
  return (
    <div className="ek-schedule" role="group" aria-label={label}>
      <div className="mantine-InputWrapper-label">{label}</div>
      {dates.length === 0 ? (
        <p className="ek-muted">No remaining dates</p>
      ) : (
        <>
          <div className="ek-schedule-dates ek-num">
            {dates.map((date) => {
              const isSkipped = skipped.includes(date);
              return (
                <button
                  key={date}
                  type="button"
                  className="ek-schedule-date"
                  aria-pressed={isSkipped}
                  disabled={readOnly}
                  onClick={() => toggle(date)}
                >
                  {isSkipped ? <s>{formatDate(date)}</s> : formatDate(date)}
                  <span>{isSkipped ? 'Skipped' : WEEKDAYS[weekdayOf(date)]}</span>
                </button>
              );
            })}
          </div>
          {!readOnly && <p className="ek-schedule-hint">Select a date to skip it</p>}
        </>
      )}
    </div>
  );
}
