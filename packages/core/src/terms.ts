import { addDays, type IsoDate, isoDate } from './dates.ts';

/** Terms of payment: the days from a document's date until it is due. */

const MOST_DAYS = 999;
const LAST_DATE = isoDate('2199-12-31');

/** The refusal of invalid terms. */
export const TERMS_MESSAGE = 'Please enter a number of days from 0 to 999';

/** Whether terms can be so many days. */
export function isTermsDays(days: number): boolean {
  return Number.isInteger(days) && days >= 0 && days <= MOST_DAYS;
}

/** When a document of that date is due that does not say; the calendar's last date where terms go beyond it. */
export function dueByTerms(date: IsoDate, days: number): IsoDate {
  const due = addDays(date, days);
  return due > LAST_DATE ? LAST_DATE : due;
}
