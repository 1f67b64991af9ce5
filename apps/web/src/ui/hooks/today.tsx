import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { createContext, Fragment, type ReactNode, useContext, useEffect, useState } from 'react';

const TodayContext = createContext<IsoDate | undefined>(undefined);

/** The calendar date of a moment in a time zone (IANA name); of this device's zone without one. */
export function dateIn(timeZone: string | undefined, at: Date): IsoDate {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return isoDate(new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }).format(at));
}

/** The calendar date of this device: for pages that belong to no company. */
export function deviceToday(now: Date = new Date()): IsoDate {
  return dateIn(undefined, now);
}

export interface TodayProviderProps {
  /** The company's, IANA name. */
  timeZone: string;
  /** The time in epoch milliseconds, by the server's clock. */
  now: () => number;
  children: ReactNode;
}

/** Milliseconds between two looks at the clock: the day changes at most this long after the company's midnight. */
const LOOK_MS = 10_000;

/**
 * Gives the company's own today to every date beneath; it turns over at the company's midnight. Another zone than the
 * device knew draws all anew: a form that was opened with its day has today's.
 */
export function TodayProvider({ timeZone, now, children }: TodayProviderProps) {
  const [moment, setMoment] = useState(now);
  useEffect(() => {
    const look = () => setMoment(now());
    look();
    const clock = setInterval(look, LOOK_MS);
    // A device that slept has missed its looks.
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

/** Today in the company's time zone; this device's date where no company is known. */
export function useToday(): IsoDate {
  return useContext(TodayContext) ?? deviceToday();
}
