import '@mantine/dates/styles.layer.css';
import { type IsoDate, parseDate } from '@evenkeel/core/dates';
import { DatePicker } from '@mantine/dates';

interface CalendarBoxProps {
  value: IsoDate | null;
  today: IsoDate;
  onPick: (date: IsoDate) => void;
}

/** The calendar of a date field, loaded as a separate chunk. */
export default function CalendarBox({ value, today, onPick }: CalendarBoxProps) {
  return (
    <DatePicker
      className="ek-calendar"
      value={value}
      defaultDate={value ?? today}
      firstDayOfWeek={0}
      highlightToday
      size="sm"
      ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month', monthLevelControl: 'Choose a month' }}
      onChange={(picked) => {
        const date = picked === null ? undefined : parseDate(picked);
        if (date !== undefined) onPick(date);
      }}
    />
  );
}
