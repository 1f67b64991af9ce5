import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { createContext, type ReactNode, useContext } from 'react';

const TodayContext = createContext<IsoDate | undefined>(undefined);

/** The calendar date of this device; the only reading of the clock for a business date on the web. */
export function deviceToday(now: Date = new Date()): IsoDate {
  const two = (n: number) => String(n).padStart(2, '0');
  return isoDate(`${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`);
}

/** Gives the company's own today (its time zone) to every date field beneath. */
export function TodayProvider({ today, children }: { today: IsoDate; children: ReactNode }) {
  return <TodayContext.Provider value={today}>{children}</TodayContext.Provider>;
}

/** Today in the company's time zone; this device's date where no company is known. */
export function useToday(): IsoDate {
  return useContext(TodayContext) ?? deviceToday();
}
