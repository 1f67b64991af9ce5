import type { Dice } from '@evenkeel/core/dice';
import { addDays, addMonths, daysBetween, type IsoDate, isoDate, partsOf } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { VendorName } from './vendors.data.ts';

/** The events of the demo company. Customers, products, invoices and payments are named by their place or key. */

export interface StoryLine {
  /** Place in demoProducts. */
  product: number;
  quantity: number;
}

export interface InvoiceEvent {
  kind: 'invoice';
  key: number;
  date: IsoDate;
  dueDate: IsoDate;
  /** Place in demoCustomers. */
  customer: number;
  status: number;
  lines: StoryLine[];
  /** The total of the lines and their tax. */
  total: Cents;
  tax: Cents;
  /** The part for goods, without tax: it had to be bought before. */
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
  /** null: the open invoices are filled in list order; empty: a deposit that no invoice has been made for yet. */
  applications: Applied[] | null;
}

export const PAYMENT_TYPES = ['Cash', 'Check', 'Credit Card', 'ACH'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** A payment's credit is used: all that it pays from now on. */
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
  /** Debits positive, credits negative; they sum to 0. */
  lines: { accountId: number; amount: Cents }[];
}

export interface BillLine {
  accountId: number;
  /** Negative on a credit line. */
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
  /** Negative for a credit. */
  total: Cents;
  /** From Checking, without waiting. */
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

/** From the first day of the story to today, both included. */
export interface Span {
  first: IsoDate;
  today: IsoDate;
}

/** The two years that end today. */
export function spanOf(today: IsoDate): Span {
  return { first: addDays(addMonths(today, -24), 1), today };
}

/** Every day of the span. */
export function daysOf({ first, today }: Span): IsoDate[] {
  return Array.from({ length: daysBetween(first, today) + 1 }, (_, index) => addDays(first, index));
}

const A_MONDAY = isoDate('2024-01-01');

/** 0 Monday to 6 Sunday. */
export function weekday(date: IsoDate): number {
  return ((daysBetween(A_MONDAY, date) % 7) + 7) % 7;
}

/** Day of the month. */
export function dayOf(date: IsoDate): number {
  return partsOf(date).day;
}

/** Calendar month, 1 to 12. */
export function monthOf(date: IsoDate): number {
  return partsOf(date).month;
}

/** One of the places of a list, by weight. */
export function weighted(dice: Dice, weights: readonly number[]): number {
  let rest = dice.between(
    1,
    weights.reduce((total, weight) => total + weight, 0),
  );
  return weights.findIndex((weight) => (rest -= weight) <= 0);
}

const ORDER = { invoice: 0, void: 1, bill: 2, payment: 3, apply: 4, billpayment: 5, journal: 6 } as const;

/** By date; on one day invoices come before what pays them. */
export function inOrder<T extends StoryEvent>(events: readonly T[]): T[] {
  return events.toSorted((a, b) => (a.date === b.date ? ORDER[a.kind] - ORDER[b.kind] : a.date < b.date ? -1 : 1));
}
