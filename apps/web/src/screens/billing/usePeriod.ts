import { addDays, daysBetween, earlierOf, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { usePlace } from '../../records/place.ts';
import { useToday } from '../../ui/hooks/today.tsx';

/** The default length of the history's date range, in days. */
const WINDOW_DAYS = 30;

export interface Period {
  from: IsoDate;
  /** The end date, which is never later than today. */
  to: IsoDate;
  today: IsoDate;
  onFrom: (from: IsoDate) => void;
  /** Changes the end date and keeps the length of the range. */
  onTo: (to: IsoDate) => void;
}

/**
 * The date range of the invoice history, stored in the URL: its end date, and its start date if it differs from the
 * default.
 */
export function usePeriod(): Period {
  const { query, go } = usePlace();
  const today = useToday();
  const to = earlierOf(parseDate(query.get('to') ?? '') ?? today, today);
  const from = earlierOf(parseDate(query.get('from') ?? '') ?? addDays(to, -WINDOW_DAYS), to);
  const days = daysBetween(from, to);
  const set = (first: IsoDate, last: IsoDate) =>
    go({
      to: last === today ? undefined : last,
      from: first === addDays(last, -WINDOW_DAYS) ? undefined : first,
    });
  return {
    from,
    to,
    today,
    onFrom: (first) => set(earlierOf(first, to), to),
    onTo: (last) => {
      const end = earlierOf(last, today);
      set(addDays(end, -days), end);
    },
  };
}
