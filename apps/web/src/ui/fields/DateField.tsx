import '../theme/overlayStyles.ts';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Popover, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useToday } from '../hooks/today.tsx';
import { lazyPart } from '../lazy/lazyPart.tsx';
import { ICON_SMALL } from '../show/icons.ts';
import { type FieldProps, inputProps } from './field.tsx';
import { readDate, spokenDate } from './readDate.ts';
import { useTyped } from './typed.ts';
import { isKey, KEYS } from '../keys/keys.ts';

const CalendarBox = lazyPart(async () => (await import('./CalendarBox.tsx')).default);

export interface DateFieldProps extends FieldProps {
  /** Null if the field is empty or not a date. */
  value: IsoDate | null;
  onChange: (value: IsoDate | null) => void;
}

/**
 * A date field, shown as M/D/YYYY. Accepts `t`, `+7`, `3/14`, and full dates, announces the weekday, and has a
 * calendar.
 */
export function DateField(props: DateFieldProps) {
  const { value, onChange } = props;
  const today = useToday();
  const [typed, setTyped] = useTyped(props.label);
  const [complain, setComplain] = useState(false);
  // The weekday stays visible after the user leaves the field, because a shrinking form would move a button away from
  // the pointer.
  const [tells, setTells] = useState(false);
  const [calendar, setCalendar] = useState(false);
  const understood = typed === undefined ? value : readDate(typed, today);
  const wrong = understood === undefined;
  const hint = tells && understood !== null && !wrong ? spokenDate(understood) : props.hint;
  const error = props.error ?? (wrong && complain ? 'Please enter a date' : undefined);
  return (
    <TextInput
      {...inputProps({ ...props, hint, error }, 'ek-date')}
      placeholder={props.placeholder ?? 'M/D/YYYY'}
      spellCheck={false}
      data-unread={wrong ? '' : undefined}
      aria-keyshortcuts={KEYS.calendar[0]}
      onKeyDown={(event) => {
        if (isKey(event, 'calendar')) setCalendar(true);
      }}
      value={typed ?? (value === null ? '' : formatDate(value))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setTells(true);
        setComplain(false);
        onChange(readDate(text, today) ?? null);
      }}
      onBlur={() => {
        setComplain(wrong);
        if (!wrong) setTyped(undefined);
      }}
      rightSectionWidth={34}
      rightSectionPointerEvents="all"
      rightSection={
        <CalendarButton
          {...props}
          today={today}
          opened={calendar}
          setOpened={setCalendar}
          onPick={(date) => {
            setTyped(undefined);
            setComplain(false);
            onChange(date);
          }}
        />
      }
    />
  );
}

interface CalendarButtonProps extends DateFieldProps {
  today: IsoDate;
  opened: boolean;
  setOpened: (opened: boolean) => void;
  onPick: (date: IsoDate) => void;
}

/**
 * The calendar button. Keyboard users open the calendar with Alt+Down in the field, so that Tab continues to the next
 * field.
 */
function CalendarButton(props: CalendarButtonProps) {
  const { label, value, today, onPick, opened, setOpened, disabled, readOnly } = props;
  if (disabled === true || readOnly === true) return null;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className="ek-date-button"
          aria-label={`Calendar for ${label}`}
          tabIndex={-1}
          onClick={() => setOpened(!opened)}
        >
          <IconCalendar {...ICON_SMALL} />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Calendar for ${label}`}>
        <Suspense fallback={<div className="ek-calendar" role="status" aria-label="Loading..." />}>
          <CalendarBox
            value={value}
            today={today}
            onPick={(date) => {
              onPick(date);
              setOpened(false);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
