import { addDays, type DateRange, daysBetween, type IsoDate, laterOf } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, type Decimal, decimal, round, sum, ZERO } from '../money.ts';

/**
 * Finance charges of invoices that are paid late: simple interest by the day, or an amount once an invoice. No day of
 * an invoice is charged twice, and the days of grace are never charged.
 */

export const CHARGE_KINDS = ['rate', 'amount'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

export interface ChargeRule {
  kind: ChargeKind;
  /** Percent a year. */
  annualRate: Decimal;
  /** Once for each invoice. */
  amount: Cents;
  /** Days behind the due date that cost nothing. */
  graceDays: number;
  /** The least that a customer is charged at a time; of interest alone. */
  minimum: Cents;
}

export interface LateInvoice {
  invoiceId: number;
  dueDate: IsoDate;
  openAmount: Cents;
  /** Days that were charged before. */
  charged: readonly DateRange[];
}

/** Days of one invoice that are charged together. */
export interface ChargedDays extends DateRange {
  invoiceId: number;
  days: number;
  openAmount: Cents;
  amount: Cents;
}

export interface Charge {
  lines: ChargedDays[];
  /** The rest up to the minimum. */
  toMinimum: Cents;
  amount: Cents;
}

/** Whether there is anything to charge by. */
export const isChargeSet = ({ kind, annualRate, amount }: ChargeRule): boolean =>
  kind === 'rate' ? annualRate.gt(0) : amount > 0;

/** The charge of one customer up to a day, that day included; what comes to less than a cent waits for more days. */
export function chargeOf(rule: ChargeRule, invoices: readonly LateInvoice[], until: IsoDate): Charge {
  const lines = invoices.flatMap((invoice) => linesOf(rule, invoice, until)).filter(({ amount }) => amount > 0);
  const charged = sum(lines.map(({ amount }) => amount));
  const isShort = rule.kind === 'rate' && charged > 0 && charged < rule.minimum;
  const toMinimum = isShort ? cents(rule.minimum - charged) : ZERO;
  return { lines, toMinimum, amount: cents(charged + toMinimum) };
}

function linesOf(rule: ChargeRule, invoice: LateInvoice, until: IsoDate): ChargedDays[] {
  const { invoiceId, dueDate, openAmount, charged } = invoice;
  const from = addDays(dueDate, rule.graceDays + 1);
  if (openAmount <= 0 || from > until) return [];
  const lineOf = (range: DateRange, amountOf: (days: number) => Cents): ChargedDays => {
    const days = daysBetween(range.from, range.to) + 1;
    return { invoiceId, ...range, days, openAmount, amount: amountOf(days) };
  };
  if (rule.kind === 'amount') return charged.length > 0 ? [] : [lineOf({ from, to: until }, () => rule.amount)];
  return freeDays({ from, to: until }, charged).map((range) => {
    return lineOf(range, (days) => interest(openAmount, rule.annualRate, days));
  });
}

/** The runs of days that are not charged yet. */
export function freeDays({ from, to }: DateRange, charged: readonly DateRange[]): DateRange[] {
  const free: DateRange[] = [];
  let next = from;
  for (const range of charged.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (range.from > to) break;
    if (next < range.from) free.push({ from: next, to: addDays(range.from, -1) });
    next = laterOf(next, addDays(range.to, 1));
  }
  return next > to ? free : [...free, { from: next, to }];
}

const PLACES = 4;
const DAYS_OF_A_YEAR = 365n;

/** Amount × percent a year × days ÷ 365, exact and rounded half up once; a leap year has no other. */
export function interest(amount: Cents, annualRate: Decimal, days: number): Cents {
  const rate = BigInt(Number(round(annualRate.times(10 ** PLACES), 0)));
  const numerator = BigInt(amount) * rate * BigInt(days);
  const denominator = 100n * 10n ** BigInt(PLACES) * DAYS_OF_A_YEAR;
  return cents(Number((2n * numerator + denominator) / (2n * denominator)));
}

const MOST_GRACE = 365;
const MOST_RATE = 100;

/** Messages for a wrong rule by its fields; empty when all is well. */
export function checkChargeRule({ annualRate, amount, graceDays, minimum }: ChargeRule): FieldMessages {
  const isRateWrong = annualRate.lt(0) || annualRate.gt(MOST_RATE) || !round(annualRate, PLACES).eq(annualRate);
  const isGraceWrong = !Number.isInteger(graceDays) || graceDays < 0 || graceDays > MOST_GRACE;
  return {
    ...(isRateWrong && { annualRate: `Please enter a percentage from 0 to ${MOST_RATE}` }),
    ...(amount < 0 && { amount: 'Please enter an amount of zero or more' }),
    ...(isGraceWrong && { graceDays: `Please enter a number of days from 0 to ${MOST_GRACE}` }),
    ...(minimum < 0 && { minimum: 'Please enter an amount of zero or more' }),
  };
}

/** A company that has chosen nothing charges nothing. */
export const NO_CHARGE: ChargeRule = {
  kind: 'rate',
  annualRate: decimal(0),
  amount: ZERO,
  graceDays: 0,
  minimum: ZERO,
};
