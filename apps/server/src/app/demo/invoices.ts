import { addDays, addMonths, type IsoDate } from '@evenkeel/core/dates';
import { DRAFT, ON_HOLD, OPEN, priceInvoice, SENT } from '@evenkeel/core/documents/invoice';
import { decimal, sum } from '@evenkeel/core/money';
import type { Dice } from '@evenkeel/core/dice';
import { type DemoCustomer, demoCustomers } from './customers.data.ts';
import { type DemoProduct, demoProducts } from './products.data.ts';
import {
  daysOf,
  type InvoiceEvent,
  monthOf,
  type Span,
  type StoryLine,
  type VoidEvent,
  weekday,
  weighted,
} from './story.ts';

/** The number of invoices in the story. */
export const INVOICES = 600;
const DRAFTS = 3;
const ON_HOLD_FROM_END = 34;
const VOIDED = [211, 407] as const;

/** The state and county tax rates, in percent. */
export const demoRates = [
  { label: 'Ohio', salesTaxType: 0, percentage: '5.75' },
  { label: 'Ashby County', salesTaxType: 2, percentage: '1' },
] as const;
const rates = demoRates.map((rate, id) => ({ ...rate, id, percentage: decimal(rate.percentage) }));

/** Each calendar month's share of the work. */
const SEASON = [10, 11, 22, 34, 38, 34, 30, 29, 28, 31, 22, 12] as const;

/** Returns a day's share of the work: none on Sundays and little on Saturdays. */
function busyness(day: IsoDate): number {
  const share = [6, 6, 6, 6, 6, 1, 0][weekday(day)] ?? 0;
  return share * (SEASON[monthOf(day) - 1] ?? 0);
}

/**
 * Returns the given number of dates, with more dates on busier days. Over the two years, the business grows by a third.
 */
export function busyDates(span: Span, count: number): IsoDate[] {
  const days = daysOf(span).map((day, index, all) => ({ day, work: busyness(day) * (3 * all.length + index) }));
  const total = days.reduce((all, { work }) => all + work, 0);
  const dates: IsoDate[] = [];
  let passed = 0;
  for (const { day, work } of days) {
    passed += work;
    while (dates.length < count && (dates.length + 0.5) * total <= passed * count) dates.push(day);
  }
  return dates;
}

/** Returns whether a customer gets one invoice per job and pays with one check a month. */
export function isBusiness(customer: DemoCustomer): boolean {
  return customer.contact !== undefined;
}

/** Returns all invoices in the two years, sorted by date, including the few that are voided. */
export function tellInvoices(dice: Dice, span: Span): { invoices: InvoiceEvent[]; voids: VoidEvent[] } {
  const invoices = busyDates(span, INVOICES).map((date, key) => oneInvoice(dice, span, { date, key }));
  const voids = invoices
    .filter(({ key }) => VOIDED.some((each) => each === key))
    .map((invoice): VoidEvent => ({ kind: 'void', date: addDays(invoice.date, 2), invoice: invoice.key }));
  return { invoices, voids };
}

/** Returns whether an invoice is never paid: a draft, on hold, or void. */
export function isUnpayable({ key, status }: InvoiceEvent): boolean {
  return status === DRAFT || status === ON_HOLD || VOIDED.some((each) => each === key);
}

function oneInvoice(dice: Dice, { first }: Span, { date, key }: { date: IsoDate; key: number }): InvoiceEvent {
  const present = demoCustomers.map((each) => addMonths(first, each.joins) <= date);
  const customer = weighted(
    dice,
    demoCustomers.map((each, at) => (present[at] ? (isBusiness(each) ? 5 : 3) : 0)),
  );
  const buyer = demoCustomers[customer];
  const isHome = buyer === undefined || !isBusiness(buyer);
  const lines = linesFor(dice, isHome, monthOf(date));
  const dueDate = addDays(date, isHome ? 15 : 30);
  return { kind: 'invoice', key, date, dueDate, customer, status: statusOf(dice, key), lines, ...moneyOf(lines) };
}

function statusOf(dice: Dice, key: number): number {
  const fromEnd = INVOICES - key;
  if (fromEnd <= DRAFTS) return DRAFT;
  if (fromEnd === ON_HOLD_FROM_END) return ON_HOLD;
  return dice.chance(85) ? SENT : OPEN;
}

/** Returns one to three different items that this kind of customer might buy this month. */
function linesFor(dice: Dice, isHome: boolean, month: number): StoryLine[] {
  const weights = demoProducts.map((product) => weightOf(product, isHome, month));
  const lines: StoryLine[] = [];
  for (let left = dice.between(1, 3); left > 0; left -= 1) {
    const product = weighted(dice, weights);
    const [least, most] = demoProducts[product]?.quantity ?? [1, 1];
    lines.push({ product, quantity: dice.between(least, most) });
    weights[product] = 0;
  }
  return lines;
}

function weightOf(product: DemoProduct, isHome: boolean, month: number): number {
  const sells = product.months.includes(month);
  const fits = product.buyers === 'all' || (product.buyers === 'homes') === isHome;
  if (!sells || !fits) return 0;
  if (product.category === 'Design and Building') return 1;
  return product.category === 'Lawn Care' || product.category === 'Seasonal Work' ? 4 : 2;
}

function moneyOf(lines: readonly StoryLine[]): Pick<InvoiceEvent, 'total' | 'tax' | 'goods'> {
  const priceable = lines.map(({ product, quantity }) => {
    const { price = 0, isGoods = false } = demoProducts[product] ?? {};
    return { itemPrice: decimal(price), quantity: decimal(quantity), taxable: isGoods };
  });
  const { invoiceAmount, salesTaxAmount, lines: priced } = priceInvoice(priceable, rates);
  const goods = priced.filter((_, at) => priceable[at]?.taxable === true).map((line) => line.lineItemAmount);
  return { total: invoiceAmount, tax: salesTaxAmount, goods: sum(goods) };
}
