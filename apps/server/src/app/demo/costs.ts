import * as accounts from '@evenkeel/core/books/accounts';
import { addDays, addMonths, endOfMonth, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import { cents, type Cents, decimal, extend, fromDollars, negate, sum, toDecimal } from '@evenkeel/core/money';
import type { Dice } from '@evenkeel/core/dice';
import { mowerDate, NEW_MOWER } from './bills.ts';
import { isUnpayable } from './invoices.ts';
import {
  dayOf,
  daysOf,
  type InvoiceEvent,
  type JournalEvent,
  monthOf,
  type PaymentEvent,
  type Span,
  weekday,
} from './story.ts';

/** Accounts in the default chart that the story uses but that no rule refers to. */
const VEHICLES = 114;
const MACHINERY = 115;
const COMPUTERS = 113;
const PAYROLL_LIABILITIES = 124;
const LONG_TERM_LOANS = 131;
const CONTRIBUTIONS = 134;
const ADVERTISING = 150;
const MERCHANT_FEES = 152;
export const CAR_AND_TRUCK = 153;
const DEPRECIATION = 155;
const INTEREST = 158;
const SOFTWARE = 162;
const WAGES = 163;
const PAYROLL_TAXES = 164;
const { BANK_CHARGES, CHECKING, CREDIT_CARD, INTEREST_INCOME, SALES_TAX_PAYABLE, SAVINGS, UNDEPOSITED } = accounts;

/** The sales in the same story, which the bookkeeper's entries depend on. */
export interface Sales {
  invoices: readonly InvoiceEvent[];
  payments: readonly PaymentEvent[];
}

/** Returns all costs except the owner's draws, which depend on the bank balance. */
export function tellCosts(dice: Dice, span: Span, sales: Sales): JournalEvent[] {
  const days = daysOf(span);
  const entries = [
    ...opening(span.first),
    ...days.flatMap((day) => fixedCosts(day)),
    ...payroll(days),
    ...runningCosts(dice, days),
    ...deposits(dice, sales.payments),
    ...days.flatMap((day) => salesTax(day, sales.invoices)),
    ...days.flatMap((day) => merchantFees(day, sales.payments)),
    ...loan(days, span),
    ...depreciation(days, span),
    ...savings(days),
  ].filter((entry) => entry.date <= span.today);
  return [...entries, ...cardPayments(days, entries)];
}

/** Returns a journal entry between two accounts. */
export function transfer(date: IsoDate, description: string, move: { debit: number; credit: number; amount: Cents }) {
  const lines = [
    { accountId: move.debit, amount: move.amount },
    { accountId: move.credit, amount: negate(move.amount) },
  ];
  return { kind: 'journal', date, description, lines } satisfies JournalEvent;
}

const TRUCK = fromDollars(27_500);
const MACHINES = fromDollars(13_800);
const COMPUTER = fromDollars(1440);
const LOAN = fromDollars(22_000);

function opening(date: IsoDate): JournalEvent[] {
  const paid = (debit: number, amount: Cents, description: string) =>
    transfer(date, description, { debit, credit: CHECKING, amount });
  const truck = {
    ...paid(VEHICLES, TRUCK, 'Truck, used, with plow'),
    lines: [
      { accountId: VEHICLES, amount: TRUCK },
      { accountId: LONG_TERM_LOANS, amount: negate(LOAN) },
      { accountId: CHECKING, amount: cents(LOAN - TRUCK) },
    ],
  };
  return [
    transfer(date, "Owner's contribution", { debit: CHECKING, credit: CONTRIBUTIONS, amount: fromDollars(52_000) }),
    truck,
    paid(MACHINERY, MACHINES, 'Mowers, trailer and tools'),
    paid(COMPUTERS, COMPUTER, 'Office computer'),
  ];
}

/** Returns costs paid from the bank without a bill. */
function fixedCosts(day: IsoDate): JournalEvent[] {
  const paid = (on: number, [debit, dollars]: [number, number], description: string): JournalEvent[] =>
    dayOf(day) === on ? [transfer(day, description, { debit, credit: CHECKING, amount: fromDollars(dollars) })] : [];
  return [...paid(8, [SOFTWARE, 64], 'Software subscription'), ...paid(28, [BANK_CHARGES, 15], 'Account fee')];
}

/** The biweekly wages by calendar month: for two workers in winter, and four during the season. */
const FORTNIGHT = [1850, 1850, 2600, 3300, 3500, 3500, 3400, 3300, 3200, 3200, 2600, 1900] as const;

/**
 * Wages are paid every second Friday. Withheld taxes and the employer's share are paid on the 15th of the next month.
 */
function payroll(days: readonly IsoDate[]): JournalEvent[] {
  const entries: JournalEvent[] = [];
  let owed = cents(0);
  let due = cents(0);
  days.forEach((day, index) => {
    if (dayOf(day) === 1) due = owed;
    if (weekday(day) === 4 && index % 14 < 7) {
      const entry = wages(day);
      owed = cents(owed - (entry.lines.find((line) => line.accountId === PAYROLL_LIABILITIES)?.amount ?? 0));
      entries.push(entry);
    }
    if (dayOf(day) !== 15 || due === 0) return;
    const remitted = { debit: PAYROLL_LIABILITIES, credit: CHECKING, amount: due };
    entries.push(transfer(day, 'Payroll taxes and withholdings of last month', remitted));
    owed = cents(owed - due);
    due = cents(0);
  });
  return entries;
}

function wages(date: IsoDate): JournalEvent {
  const gross = fromDollars(FORTNIGHT[monthOf(date) - 1] ?? 0);
  const withheld = extend(toDecimal(gross), decimal('0.1765'));
  const employer = extend(toDecimal(gross), decimal('0.0765'));
  const lines = [
    { accountId: WAGES, amount: gross },
    { accountId: PAYROLL_TAXES, amount: employer },
    { accountId: PAYROLL_LIABILITIES, amount: negate(cents(withheld + employer)) },
    { accountId: CHECKING, amount: negate(cents(gross - withheld)) },
  ];
  return { kind: 'journal', date, description: 'Payroll', lines };
}

/** Credit card costs: fuel each Monday and advertising each month. */
function runningCosts(dice: Dice, days: readonly IsoDate[]): JournalEvent[] {
  return days.flatMap((day): JournalEvent[] => {
    const charged = (debit: number, amount: Cents, description: string) =>
      transfer(day, description, { debit, credit: CREDIT_CARD, amount });
    const isSeason = monthOf(day) >= 3 && monthOf(day) <= 11;
    const fuel = cents(dice.between(isSeason ? 9200 : 4100, isSeason ? 17_500 : 8800));
    const advertising = cents(dice.between(6000, 21_000));
    return [
      ...(weekday(day) === 0 ? [charged(CAR_AND_TRUCK, fuel, 'Fuel')] : []),
      ...(dayOf(day) === 10 ? [charged(ADVERTISING, advertising, 'Advertising')] : []),
    ];
  });
}

/** Cash is deposited within a week. */
function deposits(dice: Dice, payments: readonly PaymentEvent[]): JournalEvent[] {
  return payments
    .filter((payment) => payment.type === 'Cash')
    .map(({ date, amount }) => {
      const move = { debit: CHECKING, credit: UNDEPOSITED, amount };
      return transfer(addDays(date, dice.between(1, 6)), 'Cash deposit', move);
    });
}

/** The sales tax for a calendar quarter is paid on the 20th of the following month. */
function salesTax(day: IsoDate, invoices: readonly InvoiceEvent[]): JournalEvent[] {
  if (dayOf(day) !== 20 || monthOf(day) % 3 !== 1) return [];
  const [from, until] = [startOfMonth(addMonths(day, -3)), startOfMonth(day)];
  const own = invoices.filter(({ date }) => date >= from && date < until).filter((each) => !isUnpayable(each));
  const amount = sum(own.map((each) => each.tax));
  if (amount === 0) return [];
  return [transfer(day, 'Sales tax of last quarter', { debit: SALES_TAX_PAYABLE, credit: CHECKING, amount })];
}

/** The fee is 2.9% of the month's credit card payments. */
function merchantFees(day: IsoDate, payments: readonly PaymentEvent[]): JournalEvent[] {
  if (day !== endOfMonth(day)) return [];
  const own = payments.filter(({ date, type }) => type === 'Credit Card' && date >= startOfMonth(day) && date <= day);
  const amount = extend(toDecimal(sum(own.map((each) => each.amount))), decimal('0.029'));
  if (amount === 0) return [];
  return [transfer(day, 'Card processing fees', { debit: MERCHANT_FEES, credit: CHECKING, amount })];
}

/** The loan payment is 438.00 a month at 7.2% annual interest. */
function loan(days: readonly IsoDate[], { first }: Span): JournalEvent[] {
  const payment = fromDollars(438);
  let balance = LOAN;
  return days
    .filter((day) => dayOf(day) === 15 && day > addDays(first, 20))
    .map((date) => {
      const interest = extend(toDecimal(balance), decimal('0.006'));
      const principal = cents(payment - interest);
      balance = cents(balance - principal);
      const lines = [
        { accountId: LONG_TERM_LOANS, amount: principal },
        { accountId: INTEREST, amount: interest },
        { accountId: CHECKING, amount: negate(payment) },
      ];
      return { kind: 'journal', date, description: 'Truck loan', lines };
    });
}

/**
 * During the season, money is transferred to savings on the 4th. The bank pays interest of 0.2% a month on the balance.
 */
function savings(days: readonly IsoDate[]): JournalEvent[] {
  const part = fromDollars(300);
  let balance = cents(0);
  return days.flatMap((day) => {
    const isSeason = monthOf(day) >= 4 && monthOf(day) <= 10;
    if (dayOf(day) === 4 && isSeason) {
      balance = sum([balance, part]);
      return [transfer(day, 'To savings', { debit: SAVINGS, credit: CHECKING, amount: part })];
    }
    const interest = extend(toDecimal(balance), decimal('0.002'));
    if (day !== endOfMonth(day) || interest === 0) return [];
    balance = sum([balance, interest]);
    return [transfer(day, 'Interest on savings', { debit: SAVINGS, credit: INTEREST_INCOME, amount: interest })];
  });
}

/** Straight-line depreciation over five years, or three for the computer. */
function depreciation(days: readonly IsoDate[], span: Span): JournalEvent[] {
  const monthly = (cost: Cents, years: number): Cents => cents(Math.floor(cost / (12 * years)));
  const first = cents(monthly(TRUCK, 5) + monthly(MACHINES, 5) + monthly(COMPUTER, 3));
  return days
    .filter((day) => day === endOfMonth(day))
    .map((day) => {
      const amount = day > mowerDate(span) ? cents(first + monthly(NEW_MOWER, 5)) : first;
      const move = { debit: DEPRECIATION, credit: accounts.ACCUMULATED_DEPRECIATION, amount };
      return transfer(day, 'Depreciation', move);
    });
}

/** The card's balance at the end of the previous month is paid on the 20th. */
function cardPayments(days: readonly IsoDate[], entries: readonly JournalEvent[]): JournalEvent[] {
  const charges = entries.flatMap(({ date, lines }) =>
    lines.filter((line) => line.accountId === CREDIT_CARD).map(({ amount }) => ({ date, amount: negate(amount) })),
  );
  return days
    .filter((day) => dayOf(day) === 20)
    .flatMap((day) => {
      const [from, until] = [startOfMonth(addMonths(day, -1)), startOfMonth(day)];
      const own = charges.filter(({ date }) => date >= from && date < until);
      const amount = sum(own.map((each) => each.amount));
      const move = { debit: CREDIT_CARD, credit: CHECKING, amount };
      return amount === 0 ? [] : [transfer(day, 'Credit card statement', move)];
    });
}
