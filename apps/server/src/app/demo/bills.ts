import { addDays, addMonths, type IsoDate } from '@evenkeel/core/dates';
import { cents, type Cents, decimal, extend, fromDollars, minCents, sum, toDecimal, ZERO } from '@evenkeel/core/money';
import type { Dice } from '@evenkeel/core/dice';
import { isUnpayable } from './invoices.ts';
import {
  type BillApplied,
  type BillEvent,
  type BillLine,
  type BillPaymentEvent,
  dayOf,
  daysOf,
  type InvoiceEvent,
  monthOf,
  type Span,
  weekday,
} from './story.ts';
import { demoVendors, type VendorName } from './vendors.data.ts';

/** The accounts in the default chart that bills use. */
const MACHINERY = 115;
export const MATERIALS = 148;
const INSURANCE = 157;
const LEGAL = 159;
const LICENSES = 160;
const RENT = 167;
const REPAIRS = 168;
const TELEPHONE = 170;
const UTILITIES = 172;

/** A bill without its key and number. */
type Draft = Omit<BillEvent, 'kind' | 'key' | 'number' | 'dueDate' | 'total'>;

/** Returns all bills, sorted by date, and their payments. Each Friday, the bills that are due are paid. */
export function tellBills(dice: Dice, span: Span, invoices: readonly InvoiceEvent[]): (BillEvent | BillPaymentEvent)[] {
  const days = daysOf(span);
  const drafts = [
    ...days.flatMap((day) => monthly(dice, day, span)),
    ...repairs(dice, days),
    ...materials(dice, span, invoices),
    ...mower(span),
    ...warranty(span),
  ].filter(({ date }) => date <= span.today);
  const bills = drafts.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)).map(numbered);
  return [...bills, ...tellBillPayments(dice, span, bills)];
}

function numbered({ vendor, date, lines, ...draft }: Draft, key: number): BillEvent {
  const { prefix, terms } = demoVendors[vendor];
  const number = vendor === 'landlord' ? `${prefix}${date.slice(0, 7)}` : `${prefix}${4180 + 7 * key}`;
  const total = sum(lines.map(({ amount }) => amount));
  return { kind: 'bill', key, number, vendor, date, dueDate: addDays(date, terms), lines, total, ...draft };
}

const one = (accountId: number, amount: Cents, description: string): BillLine[] => [{ accountId, amount, description }];

function monthly(dice: Dice, date: IsoDate, { first }: Span): Draft[] {
  const on = (day: number, vendor: VendorName, lines: () => BillLine[]): Draft[] =>
    dayOf(date) === day ? [{ vendor, date, lines: lines() }] : [];
  const isQuarter = monthOf(date) % 3 === 1;
  const isWinter = monthOf(date) <= 3 || monthOf(date) === 12;
  const license = (): Draft[] =>
    on(18, 'board', () => one(LICENSES, fromDollars(385), 'Contractor license')).map((draft) => {
      return { ...draft, isPaidAtOnce: true };
    });
  return [
    ...on(1, 'landlord', () => one(RENT, fromDollars(1350), 'Rent of yard and office')),
    ...on(3, 'insurer', () => one(INSURANCE, fromDollars(412.5), 'Liability and vehicle insurance')),
    ...on(5, 'telephone', () => one(TELEPHONE, fromDollars(138.2), 'Telephone and internet')),
    ...on(11, 'power', () => {
      return one(
        UTILITIES,
        cents(dice.between(isWinter ? 14_200 : 7400, isWinter ? 21_800 : 11_900)),
        'Water and power',
      );
    }),
    ...(isQuarter ? on(14, 'accountant', () => one(LEGAL, fromDollars(450), 'Quarterly review')) : []),
    ...(monthOf(date) === monthOf(first) ? license() : []),
  ];
}

/** Repairs occur about every second week during the season. Some mower repairs are partly credited under warranty. */
function repairs(dice: Dice, days: readonly IsoDate[]): Draft[] {
  return days
    .filter((day) => weekday(day) === 2 && dice.chance(14))
    .map((date) => {
      const amount = cents(dice.between(6500, 38_000));
      const warranty = dice.chance(15) ? cents(-Math.floor(amount / 4)) : ZERO;
      const lines = one(REPAIRS, amount, 'Repair of equipment');
      return {
        vendor: 'workshop',
        date,
        lines: warranty === 0 ? lines : [...lines, ...one(REPAIRS, warranty, 'Warranty')],
      };
    });
}

const WANTED = {
  nursery: ['Shrubs and perennials', 'Trees, balled', 'Sod', 'Seed and starter'],
  supply: ['Mulch, delivered', 'Topsoil', 'Stone and pavers', 'Edging'],
} as const;

/**
 * Goods are bought a few days before they are sold, for a little more than half of their price. Each nursery or yard
 * sends one bill a week. Sometimes plants are returned for a credit.
 */
function materials(dice: Dice, { first }: Span, invoices: readonly InvoiceEvent[]): Draft[] {
  const weeks = new Map<string, Draft>();
  const credits: Draft[] = [];
  for (const invoice of invoices) {
    if (invoice.goods <= 0 || isUnpayable(invoice)) continue;
    const amount = extend(toDecimal(invoice.goods), decimal(`0.${dice.between(52, 63)}`));
    const before = addDays(invoice.date, -dice.between(1, 6));
    const bought = before < first ? invoice.date : before;
    const vendor = dice.chance(60) ? 'nursery' : 'supply';
    const saturday = addDays(bought, 5 - Math.min(5, weekday(bought)));
    const date = saturday > invoice.date ? invoice.date : saturday;
    const [line] = one(MATERIALS, amount, WANTED[vendor][dice.between(0, 3)] ?? 'Plants and materials');
    const week = weeks.get(`${vendor} ${date}`) ?? { vendor, date, lines: [] };
    if (line !== undefined) weeks.set(`${vendor} ${date}`, { ...week, lines: [...week.lines, line] });
    if (vendor === 'nursery' && dice.chance(6)) {
      const back = cents(-Math.floor(amount / dice.between(3, 6)));
      credits.push({ vendor, date: addDays(date, dice.between(2, 9)), lines: one(MATERIALS, back, 'Plants returned') });
    }
  }
  return [...weeks.values(), ...credits];
}

/** Returns the date in the second year when the second mower is bought. */
export function mowerDate({ first }: Span): IsoDate {
  return addDays(addMonths(first, 13), 9);
}

/** The bills that are overdue at the end of the story, numbered backward from the last one. */
const OVERLOOKED_FROM_END = [17, 21, 24];

export const NEW_MOWER = fromDollars(8940);

function mower(span: Span): Draft[] {
  return [{ vendor: 'workshop', date: mowerDate(span), lines: one(MACHINERY, NEW_MOWER, 'Zero-turn mower') }];
}

/** Credits that are still unapplied at the end of the story. */
function warranty({ today }: Span): Draft[] {
  return [{ vendor: 'workshop', date: addDays(today, -6), lines: one(REPAIRS, fromDollars(-145), 'Warranty') }];
}

/** A vendor's unpaid bills and unapplied credits. */
interface Account {
  open: { bill: BillEvent; rest: Cents }[];
  credits: { bill: BillEvent; rest: Cents }[];
}

/**
 * Writes the checks for a Friday, one for each vendor with due bills. Credits are applied first. A few bills are
 * overlooked.
 */
function tellBillPayments(dice: Dice, span: Span, bills: readonly BillEvent[]): BillPaymentEvent[] {
  const events: BillPaymentEvent[] = [];
  const accounts = new Map<VendorName, Account>();
  let check = 2201;
  const late = bills.filter(({ key }) => dice.chance(6) || OVERLOOKED_FROM_END.includes(bills.length - key));
  const overlooked = new Set(late.map(({ key }) => key));
  const waiting = bills.filter((bill) => bill.isPaidAtOnce !== true);
  let next = 0;
  for (const day of daysOf(span)) {
    for (; (waiting[next]?.date ?? '9') <= day; next += 1) {
      const bill = waiting[next];
      if (bill === undefined) break;
      const account = accounts.get(bill.vendor) ?? { open: [], credits: [] };
      account[bill.total < 0 ? 'credits' : 'open'].push({ bill, rest: bill.total });
      accounts.set(bill.vendor, account);
    }
    if (weekday(day) !== 4) continue;
    for (const [vendor, account] of accounts) {
      const applications = dueBy(account, day, overlooked);
      const amount = sum(applications.map((each) => each.amount));
      if (applications.length === 0) continue;
      const key = `${vendor} ${day}`;
      events.push({ kind: 'billpayment', key, date: day, vendor, amount, check: String(check), applications });
      check += 1;
    }
  }
  return [...events, ...springDeposit(span)];
}

/**
 * Removes the bills to pay from the vendor's account, and returns them, reduced by credits. A bill is paid when it is
 * due by Sunday, and an overlooked bill 45 days later.
 */
function dueBy(account: Account, day: IsoDate, overlooked: ReadonlySet<number>): BillApplied[] {
  const until = addDays(day, 2);
  const applications = account.open.flatMap((each): BillApplied[] => {
    const { bill, rest } = each;
    const late = overlooked.has(bill.key) ? 45 : 0;
    if (addDays(bill.dueDate, late) > until) return [];
    // The mower is paid for in two equal payments.
    const half = cents(Math.ceil(bill.total / 2));
    const amount = bill.total >= NEW_MOWER && rest > half ? half : rest;
    each.rest = cents(rest - amount);
    return [{ bill: bill.key, amount }];
  });
  account.open = account.open.filter(({ rest }) => rest !== 0);
  let room = sum(applications.map((each) => each.amount));
  for (const credit of account.credits) {
    const used = minCents(room, cents(-credit.rest));
    if (used <= 0) continue;
    applications.push({ bill: credit.bill.key, amount: cents(-used) });
    credit.rest = cents(credit.rest + used);
    room = cents(room - used);
  }
  account.credits = account.credits.filter(({ rest }) => rest !== 0);
  return applications;
}

/**
 * A payment that was made before the season and is still unapplied, so that the nursery's vendor account has a debit
 * balance.
 */
function springDeposit({ today }: Span): BillPaymentEvent[] {
  const date = addDays(today, -16);
  const key = 'deposit';
  const deposit = { key, date, amount: fromDollars(250), check: '2198', applications: [] };
  return [{ kind: 'billpayment', vendor: 'nursery', ...deposit }];
}
