import type { Dice } from '@evenkeel/core/dice';
import { addDays, addMonths, daysBetween, type IsoDate, isoDate, partsOf } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { VendorName } from './vendors.data.ts';

/** The demo company's events. They refer to customers, products, invoices, and payments by index or key. */

export interface StoryLine {
  /** The index in demoProducts. */
  product: number;
  quantity: number;
}

export interface InvoiceEvent {
  kind: 'invoice';
  key: number;
  date: IsoDate;
  dueDate: IsoDate;
  /** The index in demoCustomers. */
  customer: number;
  status: number;
  lines: StoryLine[];
  /** The total of the lines and their tax. */
  total: Cents;
  tax: Cents;
  /** The cost of the goods without tax. The goods must be bought before they are sold. */
  goods: Cents;
}

export interface Applied {
  invoice: number;
  amount: Cents;
}

export interface PaymentEvent {
  kind: 'payment';
  key: string;
  date: IsoDate;
  customer: number;
  amount: Cents;
  type: PaymentType;
  /**
   * Null applies the payment to open invoices in list order. With an empty list, the payment is a deposit with no
   * invoice yet.
   */
  applications: Applied[] | null;
}

export const PAYMENT_TYPES = ['Cash', 'Check', 'Credit Card', 'ACH'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** Applies a payment's credit. The list contains all documents that the payment is applied to from that date on. */
export interface ApplyEvent {
  kind: 'apply';
  date: IsoDate;
  payment: string;
  applications: Applied[];
}

export interface VoidEvent {
  kind: 'void';
  date: IsoDate;
  invoice: number;
}

export interface JournalEvent {
  kind: 'journal';
  date: IsoDate;
  description: string;
  /** The amount. Debits are positive, and credits are negative. All amounts add up to 0. */
  lines: { accountId: number; amount: Cents }[];
}

export interface BillLine {
  accountId: number;
  /** The amount is negative on a credit line. */
  amount: Cents;
  description: string;
}

export interface BillEvent {
  kind: 'bill';
  key: number;
  date: IsoDate;
  dueDate: IsoDate;
  vendor: VendorName;
  number: string;
  lines: BillLine[];
  /** The amount is negative for a credit. */
  total: Cents;
  /** Whether the bill is paid immediately from Checking. */
  isPaidAtOnce?: boolean;
}

export interface BillApplied {
  bill: number;
  amount: Cents;
}

export interface BillPaymentEvent {
  kind: 'billpayment';
  key: string;
  date: IsoDate;
  vendor: VendorName;
  amount: Cents;
  check: string;
  applications: BillApplied[];
}

export type StoryEvent =
  | InvoiceEvent
  | PaymentEvent
  | ApplyEvent
  | VoidEvent
  | BillEvent
  | BillPaymentEvent
  | JournalEvent;

/** From the first day of the story through today. */
export interface Span {
  first: IsoDate;
  today: IsoDate;
}

/** Returns the two years that end today. */
export function spanOf(today: IsoDate): Span {
  return { first: addDays(addMonths(today, -24), 1), today };
}

/** Returns every day of the span. */
export function daysOf({ first, today }: Span): IsoDate[] {
  return Array.from({ length: daysBetween(first, today) + 1 }, (_, index) => addDays(first, index));
}

const A_MONDAY = isoDate('2024-01-01');

/** Returns 0 for Monday through 6 for Sunday. */
export function weekday(date: IsoDate): number {
  return ((daysBetween(A_MONDAY, date) % 7) + 7) % 7;
}

/** Returns the day of the month. */
export function dayOf(date: IsoDate): number {
  return partsOf(date).day;
}

/** Returns the calendar month, 1 to 12. */
export function monthOf(date: IsoDate): number {
  return partsOf(date).month;
}

/** Returns a random index into a list of weights. */
export function weighted(dice: Dice, weights: readonly number[]): number {
  let rest = dice.between(
    1,
    weights.reduce((total, weight) => total + weight, 0),
  );
  return weights.findIndex((weight) => (rest -= weight) <= 0);
}

const ORDER = { invoice: 0, void: 1, bill: 2, payment: 3, apply: 4, billpayment: 5, journal: 6 } as const;

/** Sorts events by date. On the same day, invoices come before their payments. */
export function inOrder<T extends StoryEvent>(events: readonly T[]): T[] {
  return events.toSorted((a, b) => (a.date === b.date ? ORDER[a.kind] - ORDER[b.kind] : a.date < b.date ? -1 : 1));
}
