import { addDays, formatDate, type IsoDate, isoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, decimal, minCents, round, toCents, toDecimal, ZERO } from '../money.ts';

/**
 * Terms of payment: the days from a document's date until it is due, and the discount for paying early
 * (docs/accounting.md, "Early-payment discounts").
 */

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

/** Percent off where a document is paid within days of its date; "2 % 10 net 30" is 2 within 10. */
export interface DiscountTerms {
  percent: number;
  days: number;
}

/** The discount that one document was made under. */
export interface DocumentDiscount {
  percent: number;
  /** The last day on which it is to be had. */
  until: IsoDate;
}

const PERCENT_MESSAGE = 'Please enter a percentage above 0 and below 100, with at most 3 decimals';

const isDiscountPercent = (percent: number): boolean =>
  percent > 0 && percent < 100 && round(decimal(percent), 3).eq(percent);

type Maybe<T> = T | null | undefined;

/** Messages for wrong terms of a discount, by field: both parts are there, or neither. */
export function discountTermsFaults(terms: {
  discountPercent?: Maybe<number>;
  discountDays?: Maybe<number>;
}): FieldMessages {
  const { discountPercent: percent = null, discountDays: days = null } = terms;
  if (percent === null && days === null) return {};
  return {
    ...(percent !== null && isDiscountPercent(percent) ? {} : { discountPercent: PERCENT_MESSAGE }),
    ...(days !== null && isTermsDays(days) ? {} : { discountDays: TERMS_MESSAGE }),
  };
}

/** Messages for a wrong discount of a document of a date, by field: both parts are there, or neither. */
export function documentDiscountFaults(
  discount: { discountPercent?: Maybe<number>; discountUntil?: Maybe<IsoDate> },
  date: IsoDate | null,
): FieldMessages {
  const { discountPercent: percent = null, discountUntil: until = null } = discount;
  if (percent === null && until === null) return {};
  const dateFault =
    until === null
      ? 'Please enter the last day for the discount'
      : date !== null && until < date && 'The last day for the discount is before the invoice date';
  return {
    ...(percent !== null && isDiscountPercent(percent) ? {} : { discountPercent: PERCENT_MESSAGE }),
    ...(dateFault === false ? {} : { discountUntil: dateFault }),
  };
}

/** The discount of a document of that date, by the terms of its customer or vendor. */
export function discountByTerms(date: IsoDate, { percent, days }: DiscountTerms): DocumentDiscount {
  return { percent, until: dueByTerms(date, days) };
}

/**
 * The discount that is still to be had on a document: its percentage of the total, rounded once to cents, less what
 * payments have taken already, and never more than is unpaid. `until` is not asked: a late one is taken by hand.
 */
export function discountLeft(
  percent: number,
  { total, taken, unpaid }: { total: Cents; taken: Cents; unpaid: Cents },
): Cents {
  if (total <= 0) return ZERO;
  const whole = toCents(toDecimal(total).times(percent).div(100));
  return cents(Math.max(0, minCents(cents(whole - taken), unpaid)));
}

/** The terms in words, as they are printed: "2% discount if paid by 12/6/2026". */
export function discountWords({ percent, until }: DocumentDiscount): string {
  return `${percent}% discount if paid by ${formatDate(until)}`;
}
