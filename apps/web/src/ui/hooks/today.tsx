import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { createContext, Fragment, type ReactNode, useContext, useEffect, useState } from 'react';

const TodayContext = createContext<IsoDate | undefined>(undefined);

/** Returns the date at a given time in a time zone (IANA name). Without a time zone, uses the device's time zone. */
export function dateIn(timeZone: string | undefined, at: Date): IsoDate {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return isoDate(new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }).format(at));
}

/** Returns the device's date, for pages that belong to no company. */
export function deviceToday(now: Date = new Date()): IsoDate {
  return dateIn(undefined, now);
}

export interface TodayProviderProps {
  /** The company's time zone (IANA name). */
  timeZone: string;
  /** Returns the server's time in epoch milliseconds. */
  now: () => number;
  children: ReactNode;
}

/**
 * The time in ms between checks of the clock. The date changes at most this long after midnight in the company's time
 * zone.
 */
const LOOK_MS = 10_000;

/**
 * Provides the company's current date to the components below. The date changes at midnight in the company's time zone.
 * If the time zone differs from the stored one, everything is mounted again, so that an open form gets the right date.
 */
export function TodayProvider({ timeZone, now, children }: TodayProviderProps) {
  const [moment, setMoment] = useState(now);
  useEffect(() => {
    const look = () => setMoment(now());
    look();
    const clock = setInterval(look, LOOK_MS);
    // A device that was asleep has missed its checks.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(clock);
      document.removeEventListener('visibilitychange', look);
    };
  }, [now]);
  const today = dateIn(timeZone, new Date(moment));
  return (
    <TodayContext.Provider value={today}>
      <Fragment key={timeZone}>{children}</Fragment>
    </TodayContext.Provider>
  );
}

/** Returns today's date in the company's time zone, or the device's date if no company is known. */
export function useToday(): IsoDate {
  return useContext(TodayContext) ?? deviceToday();
}
