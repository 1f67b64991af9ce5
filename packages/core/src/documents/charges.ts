import { addDays, type DateRange, daysBetween, type IsoDate, laterOf } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, type Decimal, decimal, round, sum, ZERO } from '../money.ts';

/**
 * Finance charges on overdue invoices: simple daily interest, or a fixed amount once per invoice. No day is charged
 * twice for the same invoice, and days in the grace period are never charged.
 */

export const CHARGE_KINDS = ['rate', 'amount'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

export interface ChargeRule {
  kind: ChargeKind;
  /** The annual percentage. */
  annualRate: Decimal;
  /** The amount that is charged once per invoice. */
  amount: Cents;
  /** The number of days after the due date for which no interest is charged. */
  graceDays: number;
  /** The minimum interest that each finance charge bills to a customer. Does not apply to fixed amounts. */
  minimum: Cents;
}

export interface LateInvoice {
  invoiceId: number;
  dueDate: IsoDate;
  openAmount: Cents;
  /** The days that earlier charges cover. */
  charged: readonly DateRange[];
}

/** A range of days for which an invoice is charged. */
export interface ChargedDays extends DateRange {
  invoiceId: number;
  days: number;
  openAmount: Cents;
  amount: Cents;
}

export interface Charge {
  lines: ChargedDays[];
  /** The amount that is added to raise the interest to the minimum. */
  toMinimum: Cents;
  amount: Cents;
}

/** Returns whether the rule has a rate or an amount to charge. */
export const isChargeSet = ({ kind, annualRate, amount }: ChargeRule): boolean =>
  kind === 'rate' ? annualRate.gt(0) : amount > 0;

/**
 * Returns the charge for one customer through a given day. Interest of less than a cent is carried over to later days.
 */
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

/** Returns the date ranges that have not been charged yet. */
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

/**
 * Returns amount × percentage per year × days ÷ 365, calculated exactly and then rounded once, half up. Leap years also
 * use 365 days.
 */
export function interest(amount: Cents, annualRate: Decimal, days: number): Cents {
  const rate = BigInt(Number(round(annualRate.times(10 ** PLACES), 0)));
  const numerator = BigInt(amount) * rate * BigInt(days);
  const denominator = 100n * 10n ** BigInt(PLACES) * DAYS_OF_A_YEAR;
  return cents(Number((2n * numerator + denominator) / (2n * denominator)));
}

const MOST_GRACE = 365;
const MOST_RATE = 100;

/** Returns the validation messages for a rule by field, or an empty object if the rule is valid. */
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

/** A company's default rule, which charges nothing. */
export const NO_CHARGE: ChargeRule = {
  kind: 'rate',
  annualRate: decimal(0),
  amount: ZERO,
  graceDays: 0,
  minimum: ZERO,
};
