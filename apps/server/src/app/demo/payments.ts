import { addDays, addMonths, endOfMonth, type IsoDate, laterOf } from '@evenkeel/core/dates';
import { cents, type Cents, fromDollars, minCents, sum } from '@evenkeel/core/money';
import type { Dice } from '@evenkeel/core/dice';
import { demoCustomers, habits } from './customers.data.ts';
import { isBusiness, isUnpayable } from './invoices.ts';
import type { ApplyEvent, Applied, InvoiceEvent, PaymentEvent, PaymentType, Span } from './story.ts';

type PaidEvent = PaymentEvent | ApplyEvent;

/** A payment with an unapplied amount. */
interface Credit {
  payment: string;
  left: Cents;
  applications: Applied[];
  from: IsoDate;
}

/** A residential customer, who pays one invoice at a time. */
interface Payer {
  dice: Dice;
  span: Span;
  customer: number;
  credits: Credit[];
  events: PaidEvent[];
}

/**
 * Returns the customers' payments. Most payments are full and on time. Some are partial, too high, or early, and a few
 * are very late.
 */
export function tellPayments(dice: Dice, span: Span, invoices: readonly InvoiceEvent[]): PaidEvent[] {
  return demoCustomers.flatMap((each, customer) => {
    const own = invoices.filter((invoice) => invoice.customer === customer && !isUnpayable(invoice));
    if (isBusiness(each)) return monthlyChecks(dice, span, own);
    const payer: Payer = { dice, span, customer, credits: [], events: [] };
    for (const invoice of own) payInvoice(payer, invoice);
    return payer.events;
  });
}

function daysToPay(dice: Dice, customer: number): number {
  const [least, most] = habits[demoCustomers[customer]?.habit ?? 'punctual'];
  return dice.between(least, most);
}

/**
 * Once a month, a business writes one check for all invoices that are old enough. The server applies the check to the
 * invoices in order.
 */
function monthlyChecks(dice: Dice, { first, today }: Span, invoices: readonly InvoiceEvent[]): PaidEvent[] {
  const events: PaidEvent[] = [];
  const [opening] = invoices;
  if (opening === undefined) return events;
  const patience = Math.max(10, daysToPay(dice, opening.customer) - 15);
  let open = [...invoices];
  for (let month = endOfMonth(first); month < today; month = endOfMonth(addMonths(month, 1))) {
    const date = addDays(month, dice.between(6, 12));
    const due = open.filter((invoice) => addDays(invoice.date, patience) <= date);
    if (due.length === 0 || date > today) continue;
    open = open.filter((invoice) => !due.includes(invoice));
    const { customer } = opening;
    const amount = sum(due.map((invoice) => invoice.total));
    const key = `${customer}-${date}`;
    events.push({ kind: 'payment', key, date, customer, amount, type: 'Check', applications: null });
  }
  return events;
}

function payInvoice(payer: Payer, invoice: InvoiceEvent): void {
  const { dice } = payer;
  if (dice.chance(5)) payDeposit(payer, invoice);
  const rest = useCredit(payer, invoice);
  if (rest <= 0) return;
  const date = addDays(invoice.date, daysToPay(dice, payer.customer));
  const roll = dice.between(1, 100);
  if (roll <= 8 && rest > fromDollars(150)) return payInParts(payer, invoice, { rest, date });
  if (roll <= 12) return payTooMuch(payer, invoice, { rest, date });
  pay(payer, { invoice: invoice.key, amount: rest }, { amount: rest, date });
}

interface Owed {
  rest: Cents;
  date: IsoDate;
}

/** About half of the amount is paid before the work starts. */
function payDeposit(payer: Payer, invoice: InvoiceEvent): void {
  const date = addDays(invoice.date, -payer.dice.between(4, 15));
  if (date < payer.span.first) return;
  const half = roundedDown(cents(Math.floor(invoice.total / 2)));
  if (half > 0) addPayment(payer, { amount: half, date, applications: [] });
}

/** Half of the balance is paid now. The rest is paid weeks later or is still unpaid. */
function payInParts(payer: Payer, { key }: InvoiceEvent, { rest, date }: Owed): void {
  const part = roundedDown(cents(Math.floor(rest / 2)));
  pay(payer, { invoice: key, amount: part }, { amount: part, date });
  const later = addDays(date, payer.dice.between(18, 45));
  const remainder = cents(rest - part);
  pay(payer, { invoice: key, amount: remainder }, { amount: remainder, date: later });
}

/** The customer pays a round amount above the balance. The excess remains as a credit. */
function payTooMuch(payer: Payer, { key }: InvoiceEvent, { rest, date }: Owed): void {
  const amount = cents(roundedDown(rest) + fromDollars(payer.dice.between(1, 3) * 20));
  pay(payer, { invoice: key, amount: rest }, { amount, date });
}

/** Rounds down to a multiple of ten dollars. */
function roundedDown(amount: Cents): Cents {
  return cents(amount - (amount % fromDollars(10)));
}

function pay(payer: Payer, applied: Applied, { amount, date }: { amount: Cents; date: IsoDate }): void {
  addPayment(payer, { amount, date, applications: [applied] });
}

/** Adds a payment unless it would be dated after today. */
function addPayment(payer: Payer, given: { amount: Cents; date: IsoDate; applications: Applied[] }): void {
  const { dice, customer, span } = payer;
  const { amount, date, applications } = given;
  const type = typeOf(dice, amount);
  if (date > span.today) return;
  const key = `${customer}-${payer.events.length}`;
  payer.events.push({ kind: 'payment', key, date, customer, amount, type, applications });
  const left = cents(amount - sum(applications.map((each) => each.amount)));
  if (left > 0) payer.credits.push({ payment: key, left, applications, from: date });
}

function typeOf(dice: Dice, amount: Cents): PaymentType {
  const roll = dice.between(1, 100);
  if (roll <= 12 && amount < fromDollars(300)) return 'Cash';
  if (roll <= 50) return 'Check';
  return roll <= 75 ? 'Credit Card' : 'ACH';
}

/**
 * Applies credits first, starting on the date when both the credit and the invoice exist. Returns the balance that
 * remains.
 */
function useCredit({ credits, events, span }: Payer, { key, date, total }: InvoiceEvent): Cents {
  let rest = total;
  for (const credit of credits) {
    const amount = minCents(rest, credit.left);
    const day = laterOf(date, credit.from);
    if (amount <= 0 || day > addDays(date, 20) || day > span.today) continue;
    credit.applications = [...credit.applications, { invoice: key, amount }];
    credit.left = cents(credit.left - amount);
    rest = cents(rest - amount);
    events.push({ kind: 'apply', date: day, payment: credit.payment, applications: credit.applications });
  }
  return rest;
}
