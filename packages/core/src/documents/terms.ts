import { addDays, daysBetween, formatDate, type IsoDate, isoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, decimal, minCents, round, toCents, toDecimal, ZERO } from '../money.ts';

/**
 * Payment terms: the days from a document's date until it is due, and the early-payment discount (docs/accounting.md,
 * "Early-payment discounts").
 */

const MOST_DAYS = 999;
const LAST_DATE = isoDate('2199-12-31');

/** The error for invalid terms. */
export const TERMS_MESSAGE = 'Please enter a number of days from 0 to 999';

/** Returns whether a number of days is valid as payment terms. */
export function isTermsDays(days: number): boolean {
  return Number.isInteger(days) && days >= 0 && days <= MOST_DAYS;
}

/** Returns the default due date for a document date, at most the calendar's last date. */
export function dueByTerms(date: IsoDate, days: number): IsoDate {
  const due = addDays(date, days);
  return due > LAST_DATE ? LAST_DATE : due;
}

/** The terms of an early-payment discount. "2% 10 net 30" means 2 percent within 10 days. */
export interface DiscountTerms {
  percent: number;
  days: number;
}

/** The early-payment discount of one document. */
export interface DocumentDiscount {
  percent: number;
  /** The last day on which the discount is available. */
  until: IsoDate;
}

const PERCENT_MESSAGE = 'Please enter a percentage above 0 and below 100, with at most 3 decimal places';

const isDiscountPercent = (percent: number): boolean =>
  percent > 0 && percent < 100 && round(decimal(percent), 3).eq(percent);

type Maybe<T> = T | null | undefined;

/**
 * Returns the validation messages for discount terms by field. If the percentage or the number of days is entered, both
 * are required.
 */
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

/**
 * Returns the validation messages for a document's discount by field. If the percentage or the date is given, both are
 * required.
 */
export function documentDiscountFaults(
  discount: { discountPercent?: Maybe<number>; discountUntil?: Maybe<IsoDate> },
  date: IsoDate | null,
): FieldMessages {
  const { discountPercent: percent = null, discountUntil: until = null } = discount;
  if (percent === null && until === null) return {};
  const dateFault =
    until === null
      ? "Please enter the discount's expiration date"
      : date !== null && until < date && 'The discount expires before the invoice date';
  return {
    ...(percent !== null && isDiscountPercent(percent) ? {} : { discountPercent: PERCENT_MESSAGE }),
    ...(dateFault === false ? {} : { discountUntil: dateFault }),
  };
}

/** Returns the discount for a document with this date, based on the terms of the document's customer or vendor. */
export function discountByTerms(date: IsoDate, { percent, days }: DiscountTerms): DocumentDiscount {
  return { percent, until: dueByTerms(date, days) };
}

/**
 * Returns the discount that is still available on a document: the percentage of the total, rounded once to cents, less
 * the discounts already taken, and at most the unpaid amount. `until` is ignored, because a user may enter a late
 * discount.
 */
export function discountLeft(
  percent: number,
  { total, taken, unpaid }: { total: Cents; taken: Cents; unpaid: Cents },
): Cents {
  if (total <= 0) return ZERO;
  const whole = toCents(toDecimal(total).times(percent).div(100));
  return cents(Math.max(0, minCents(cents(whole - taken), unpaid)));
}

/** Returns the terms as printed: "2% discount if paid by 12/6/2026". */
export function discountWords({ percent, until }: DocumentDiscount): string {
  return `${percent}% discount if paid by ${formatDate(until)}`;
}

interface TermsOf {
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  discountPercent?: number | undefined;
  discountUntil?: IsoDate | undefined;
}

/** Returns the terms as the customer sees them, such as "Net 30" or "2% discount if paid by 12/6/2026, net 30". */
export function invoiceTerms({
  invoiceDate,
  dueDate,
  discountPercent: percent,
  discountUntil: until,
}: TermsOf): string {
  const days = dueDate === null ? undefined : daysBetween(invoiceDate, dueDate);
  const net = days === undefined ? '' : days <= 0 ? 'Due on receipt' : `Net ${days}`;
  if (percent === undefined || until === undefined) return net;
  return [discountWords({ percent, until }), net.toLowerCase()].filter((words) => words !== '').join(', ');
}
