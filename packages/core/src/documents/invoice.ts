import { daysBetween } from '../dates.ts';
import type { IsoDate } from '../dates.ts';
import { discountAmount, isTarget, PERCENTAGE } from './discounts.ts';
import type { DiscountTerms } from './discounts.ts';
import { conflict, refuse } from '../failure.ts';
import type { FieldMessages } from '../failure.ts';
import type { DocumentKind } from '../kinds/kind.ts';
import {
  cents,
  centsFault,
  decimal,
  extend,
  formatUsd,
  negate,
  round,
  sum,
  toCents,
  toDecimal,
  ZERO,
} from '../money.ts';
import type { Cents, Decimal } from '../money.ts';
import { amountWhere, spreadPackage } from './packages.ts';
import type { SoldPackage } from './packages.ts';
import type { Offer } from './products.ts';
import { capital } from './side.ts';
import type { Side } from './side.ts';
import { taxOfLine, totalTaxes } from './tax.ts';
import type { TaxRate, TaxTotal } from './tax.ts';

/** The input for a line's amounts. */
export interface PriceableLine {
  /** Unit price, 2 decimals; packages and discounts have their own. */
  itemPrice: Decimal;
  quantity: Decimal;
  taxable: boolean;
  /** The offer of a product line, which discounts are matched with. */
  product?: Offer | undefined;
  package?: SoldPackage | undefined;
  discount?: LineDiscount | undefined;
  /** The amount instead of price × quantity, of a line that takes what the other parts of a line left. */
  rest?: Cents | undefined;
}

export interface LineDiscount extends DiscountTerms {
  /** The frozen amounts of a percentage discount while payments are on the invoice. */
  kept?: { amount: Cents; itemAmount: Decimal; base: Decimal } | undefined;
}

export interface PricedLine {
  itemPrice: Cents;
  /** Unit price to 4 decimals. */
  itemAmount: Decimal;
  quantity: Decimal;
  taxable: boolean;
  lineItemAmount: Cents;
  /** The cents of the amount beyond price × quantity or the percentage, in the last of several parts. */
  restAmount: Cents;
  /** 6 decimals. */
  lineItemTax: Decimal;
  taxItems: { salesTaxType: number; total: Decimal }[];
  /** Posted amounts of a package's parts, which sum to the line's amount; null for other lines. */
  partAmounts: Cents[] | null;
  /** The base of a percentage; null for other lines. */
  discountBase: Decimal | null;
}

export interface PricedInvoice {
  lines: PricedLine[];
  taxItems: TaxTotal[];
  salesTaxAmount: Cents;
  invoiceAmount: Cents;
}

/**
 * Lines, taxes and total of an invoice (docs/accounting.md, "Invoice amounts"). Each line is rounded to cents,
 * each tax item once over all lines; the total is their sum, so the printed page adds up. Discounts are taken off the
 * other lines as they stand, each by itself. Refuses a negative total.
 */
export function priceInvoice(lines: readonly PriceableLine[], rates: readonly TaxRate[]): PricedInvoice {
  return refuseNegative(priceLines(lines, rates));
}

/** Returns a priced document, or throws a refusal if its total is negative. */
export function refuseNegative(priced: PricedInvoice, noun = 'Invoice'): PricedInvoice {
  if (priced.invoiceAmount < 0) throw refuse(`${noun} total cannot be negative`);
  return priced;
}

/**
 * Prices lines as priceInvoice does, but their total may be below zero. `finished` returns the cents of a tax item
 * instead of its rounded total.
 */
export function priceLines(
  lines: readonly PriceableLine[],
  rates: readonly TaxRate[],
  finished: (item: TaxTotal) => Cents = ({ total }) => total,
): PricedInvoice {
  const sold = lines.map((line) => (line.discount === undefined ? soldLine(line) : undefined));
  const known = sold.filter((line) => line !== undefined);
  const discounts = lines.map(({ discount, quantity, rest }) =>
    discount === undefined ? undefined : discountLine(discount, { quantity, rest }, known),
  );
  const bases = taxBases(sold, discounts);
  const taxes = bases.map((base) => (base === undefined ? [] : taxOfLine(base, rates)));
  const taxItems = totalTaxes(taxes, rates).map((item) => {
    const total = finished(item);
    return total === item.total ? item : { ...item, total, rest: cents(total - item.total) };
  });
  const money = lines.map((line, index) => sold[index]?.money ?? discounts[index]?.money ?? plainMoney(line));
  const salesTaxAmount = sum(taxItems.map((item) => item.total));
  const invoiceAmount = cents(sum(money.map((line) => line.lineItemAmount)) + salesTaxAmount);
  const priced = money.map((line, index) => {
    return { ...line, taxable: bases[index] !== undefined, ...lineTaxes(taxes[index] ?? [], rates) };
  });
  return { lines: priced, taxItems, salesTaxAmount, invoiceAmount };
}

type Money = Omit<PricedLine, 'taxable' | 'lineItemTax' | 'taxItems'>;

/** A line that is no discount. */
interface SoldLine {
  money: Money;
  taxable: boolean;
  /** The part of its amount that belongs to matching offers, in dollars. */
  where: (fits: (offer: Offer | undefined, taxable: boolean) => boolean) => Decimal;
}

function soldLine(line: PriceableLine): SoldLine {
  const { package: deal, taxable, product } = line;
  const money = plainMoney(line);
  if (deal === undefined) {
    const amount = toDecimal(money.lineItemAmount);
    return { money, taxable, where: (fits) => (fits(product, taxable) ? amount : ZERO_DOLLARS) };
  }
  const partAmounts = spreadPackage(deal.parts, money.lineItemAmount, line.quantity);
  return {
    money: { ...money, partAmounts },
    taxable: taxable && deal.parts.some((part) => part.taxable),
    where: (fits) => amountWhere(deal.parts, partAmounts, (part) => fits(part, taxable && part.taxable)),
  };
}

const ZERO_DOLLARS = decimal(0);

function plainMoney({ itemPrice, quantity, package: deal, rest }: PriceableLine): Money {
  const price = deal === undefined ? itemPrice : toDecimal(deal.itemPrice);
  const extended = extend(price, quantity);
  const lineItemAmount = rest ?? extended;
  return {
    itemPrice: toCents(price),
    itemAmount: deal?.itemAmount ?? price,
    quantity,
    lineItemAmount,
    restAmount: cents(lineItemAmount - extended),
    partAmounts: null,
    discountBase: null,
  };
}

type Part = Pick<PriceableLine, 'quantity' | 'rest'>;

interface DiscountLine {
  money: Money;
  /** Taxed part of what it reduces, as numerator and denominator. */
  taxed: Decimal;
  of: Decimal;
}

/**
 * A fixed amount comes to itself times the quantity; a percentage is one of the product and package lines it is meant
 * for, whatever the quantity. Without any, the share of tax is that of all lines.
 */
function discountLine(discount: LineDiscount, part: Part, sold: readonly SoldLine[]): DiscountLine {
  const total = (fits: Parameters<SoldLine['where']>[0]): Decimal =>
    sold.reduce((all, line) => all.plus(line.where(fits)), ZERO_DOLLARS);
  const base = total((offer) => isTarget(discount, offer));
  const isForAll = base.eq(0);
  const reduces = (offer: Offer | undefined): boolean => isForAll || isTarget(discount, offer);
  return {
    money: discountMoney(discount, base, part),
    taxed: total((offer, taxable) => taxable && reduces(offer)),
    of: isForAll ? total(() => true) : base,
  };
}

function discountMoney(discount: LineDiscount, base: Decimal, { quantity, rest }: Part): Money {
  const { kept } = discount;
  if (discount.discountType !== PERCENTAGE) {
    const itemPrice = negate(discount.discountFlatValue);
    return plainMoney({ itemPrice: toDecimal(itemPrice), quantity, taxable: false, rest });
  }
  const exact = discountAmount(discount, base, quantity);
  const own = kept?.amount ?? toCents(exact);
  const lineItemAmount = rest ?? own;
  return {
    itemPrice: own,
    itemAmount: kept?.itemAmount ?? round(exact, 4),
    quantity: decimal(1),
    lineItemAmount,
    restAmount: cents(lineItemAmount - own),
    partAmounts: null,
    discountBase: kept?.base ?? base,
  };
}

/**
 * The taxable part of each line; undefined for an untaxed line. A discount reduces tax as far as the lines it reduces
 * are taxed, and never by more than the tax there is (docs/accounting.md, "Invoice amounts").
 */
function taxBases(sold: readonly (SoldLine | undefined)[], discounts: readonly (DiscountLine | undefined)[]) {
  const own = sold.map((line) => (line?.taxable === true ? line.where((_, taxable) => taxable) : undefined));
  let rest = own.reduce<Decimal>((all, base) => all.plus(base ?? 0), ZERO_DOLLARS);
  const isBelowZero = rest.lt(0);
  if (isBelowZero) rest = ZERO_DOLLARS;
  return discounts.map((discount, index): Decimal | undefined => {
    if (discount === undefined) return isBelowZero ? own[index]?.times(0) : own[index];
    if (discount.of.eq(0) || discount.taxed.eq(0)) return undefined;
    const share = round(toDecimal(discount.money.lineItemAmount).times(discount.taxed).div(discount.of), 6);
    const base = share.plus(rest).lt(0) ? rest.times(-1) : share;
    rest = rest.plus(base);
    return base;
  });
}

function lineTaxes(taxes: readonly Decimal[], rates: readonly TaxRate[]) {
  const lineItemTax = round(
    taxes.reduce((total, tax) => total.plus(tax), decimal(0)),
    6,
  );
  const taxItems = rates.flatMap(({ salesTaxType }, index) => {
    const total = taxes[index];
    return total === undefined ? [] : [{ salesTaxType, total }];
  });
  return { lineItemTax, taxItems };
}

/** A line as the form and the request carry it; deleted lines are not checked. */
export interface CheckableLine {
  description: string;
  accountId: number | null;
  isProduct: boolean;
  isPackage: boolean;
  itemPrice: Decimal | number;
  quantity: Decimal | number;
  profitCenterId?: number | null | undefined;
  locationId?: number | null | undefined;
  deleted?: boolean | undefined;
}

export interface LineRequirements {
  useProfitCenters?: boolean | undefined;
  useLocations?: boolean | undefined;
}

/**
 * Whether a line must name a profit center or location: while the company's switch is on and an active one exists. The
 * switch alone never prevents billing. `active` is the number of active ones.
 */
export function lineRequirements(
  switches: LineRequirements,
  active: { profitCenters: number; locations: number },
): { useProfitCenters: boolean; useLocations: boolean } {
  return {
    useProfitCenters: switches.useProfitCenters === true && active.profitCenters > 0,
    useLocations: switches.useLocations === true && active.locations > 0,
  };
}

/**
 * The messages for wrong lines by field path ("lineItems.0.description"), none → an empty object. The form shows them,
 * the server refuses with them.
 */
export function checkLines(lines: readonly CheckableLine[], required: LineRequirements = {}): FieldMessages {
  const fields: FieldMessages = {};
  lines.forEach((line, index) => {
    if (line.deleted === true) return;
    for (const [name, message] of lineFaults(line, required)) fields[`lineItems.${index}.${name}`] = message;
  });
  return fields;
}

/** As checkLines, but throws with the first message when there is one (422). */
export function requireLines(lines: readonly CheckableLine[], required: LineRequirements = {}): void {
  const fields = checkLines(lines, required);
  const first = Object.values(fields)[0];
  if (first !== undefined) throw refuse(first, fields);
}

function lineFaults(line: CheckableLine, required: LineRequirements): [string, string][] {
  const faults: [string, string | false][] = [
    ['description', line.description.trim() === '' && 'A description entry is required'],
    ['accountId', !line.isProduct && !line.isPackage && isEmpty(line.accountId) && 'Please Select an Account'],
    [
      'profitCenterId',
      required.useProfitCenters === true && isEmpty(line.profitCenterId) && 'Please Select a Profit Center',
    ],
    ['locationId', required.useLocations === true && isEmpty(line.locationId) && 'Please Select a Location'],
    ['quantity', decimal(line.quantity).lt(0) && 'Quantity cannot be negative'],
    ['itemPrice', centsFault(line.itemPrice, 'Price') ?? false],
  ];
  return faults.flatMap(([name, message]): [string, string][] => (message === false ? [] : [[name, message]]));
}

function isEmpty(id: number | null | undefined): boolean {
  return id === null || id === undefined || id <= 0;
}

export const DRAFT = 1;
export const OPEN = 2;
export const SENT = 3;
export const ON_HOLD = 4;
export const VOID = 5;
/** A bill that was paid at once: it is posted, and nothing is ever open on it. */
export const PAID_AT_ONCE = 6;

/** Billing statuses; only those that post stand in the ledger. */
export const billingStatuses = [
  { id: DRAFT, displayName: 'Draft', displayOrder: 1, posts: false },
  { id: OPEN, displayName: 'Open', displayOrder: 2, posts: true },
  { id: SENT, displayName: 'Sent', displayOrder: 3, posts: true },
  { id: ON_HOLD, displayName: 'On Hold', displayOrder: 4, posts: true },
  { id: VOID, displayName: 'Void', displayOrder: 5, posts: false },
] as const;

/** Why an invoice of this status, or a document like it, is not sent to its customer; empty when it may be. */
export function sendingFault(status: number, name = 'invoice'): string {
  if (status === DRAFT) return "A draft can't be sent. Save it as Open first.";
  return status === VOID ? `A void ${name} can't be sent` : '';
}

/** Whether an invoice of this status stands in the ledger. */
export function posts(status: number): boolean {
  return status === PAID_AT_ONCE || billingStatuses.some((each) => each.id === status && each.posts);
}

/**
 * The cents of an invoice or bill that payments have taken so far; negative for a vendor's credit. Nothing is open on a
 * draft, a void one or a bill paid at once either, yet no payment took it.
 */
export function paidSoFar(document: { status: number; invoiceAmount: Cents; openAmount: Cents }): Cents {
  const { status, invoiceAmount, openAmount } = document;
  return posts(status) && status !== PAID_AT_ONCE ? cents(invoiceAmount - openAmount) : ZERO;
}

/** "Draft" or "Void" where nothing is posted, else empty. */
export function unpostedBadge(status: number): string {
  return posts(status) ? '' : (billingStatuses.find(({ id }) => id === status)?.displayName ?? '');
}

/** Saved, in a status that posts, and something is unpaid: the Pay Invoice button. */
export function readyToPay(invoice: { id: number; status: number; openAmount: Cents }): boolean {
  return invoice.id > 0 && posts(invoice.status) && invoice.openAmount > 0;
}

export type InvoiceBadge =
  | 'Draft'
  | 'Void'
  | 'Credit'
  | 'Applied'
  | 'On Hold'
  | 'Paid'
  | 'Partially paid'
  | 'Overdue'
  | 'Sent'
  | 'Open';

export interface BadgeInput {
  status: number;
  openAmount: Cents;
  invoiceAmount: Cents;
  dueDate: IsoDate | null;
  today: IsoDate;
}

/**
 * The state a person sees; paid, partially paid and overdue are derived and never stored. Overdue wins over partially
 * paid: it asks for action. A credit is called so while something of it is left, then applied. `daysOverdue` is 0
 * unless something unpaid is past its due date.
 */
export function invoiceBadge(invoice: BadgeInput): { badge: InvoiceBadge; daysOverdue: number } {
  if (invoice.status === DRAFT) return { badge: 'Draft', daysOverdue: 0 };
  if (invoice.status === VOID) return { badge: 'Void', daysOverdue: 0 };
  if (invoice.openAmount < 0) return { badge: 'Credit', daysOverdue: 0 };
  if (invoice.openAmount === 0) return { badge: invoice.invoiceAmount < 0 ? 'Applied' : 'Paid', daysOverdue: 0 };
  const late = invoice.dueDate === null ? 0 : Math.max(0, daysBetween(invoice.dueDate, invoice.today));
  if (invoice.status === ON_HOLD) return { badge: 'On Hold', daysOverdue: late };
  if (late > 0) return { badge: 'Overdue', daysOverdue: late };
  if (invoice.openAmount < invoice.invoiceAmount) return { badge: 'Partially paid', daysOverdue: 0 };
  return { badge: invoice.status === SENT ? 'Sent' : 'Open', daysOverdue: 0 };
}

interface Dated {
  dueDate: IsoDate | null;
  /** Its own date; null where it is that of posting. */
  invoiceDate: IsoDate | null;
  /** The date on which it is posted. */
  date: IsoDate;
}

/**
 * The day after which a document is late: its due date, else its own, as reports age it. Without a due date it is not
 * late before it stands in the books: null until then.
 */
export function lateAfter({ dueDate, invoiceDate, date }: Dated, today: IsoDate): IsoDate | null {
  return dueDate ?? (date <= today ? (invoiceDate ?? date) : null);
}

/** The kinds of applications to a document: money, another document's credit, a refund of its credit, a write-off. */
export type AppliedBy = keyof typeof APPLIED_BY;

const APPLIED_BY = {
  payment: { what: 'payments', with: 'payments' },
  credit: { what: 'credit applications', with: 'credit applications' },
  refund: { what: 'refunds', with: 'refunds' },
  writeoff: { what: 'write-off', with: 'a write-off' },
} as const;

/** "payments and a write-off"; payments where nothing else is known. */
function appliedWords(by: readonly AppliedBy[] | undefined, word: 'what' | 'with'): string {
  const known = by === undefined || by.length === 0 ? (['payment'] as const) : by;
  return known.map((each) => APPLIED_BY[each][word]).join(' and ');
}

export interface DocumentChange {
  /** Σ of all applications to it, in cents. */
  applied: Cents;
  /** The kinds of applications, for the words of a refusal. */
  appliedBy?: readonly AppliedBy[] | undefined;
  amount: Cents;
  status: number;
  entityChanged: boolean;
}

/**
 * Refuses an edit that the payments on a document forbid (docs/accounting.md, "Invoices with payments"). `kind` is the
 * document's, where it is not its side's usual one.
 */
export function checkDocumentEdit(
  { document, words: { entity } }: Side,
  change: DocumentChange,
  kind: DocumentKind = document,
): void {
  const { applied, appliedBy, amount } = change;
  if (applied === 0) return;
  const name = `${kind.words.indefinite} that has ${appliedWords(appliedBy, 'with')}`;
  if (change.entityChanged) throw refuse(`You can't change the ${entity} of ${name}`);
  if (change.status === PAID_AT_ONCE) throw refuse(`${capital(name)} can't be paid immediately`);
  if (!posts(change.status)) throw refuse(`${capital(name)} can't be a draft or void`);
  // A vendor's credit and what is applied of it are negative.
  if (applied > 0 ? amount < applied : amount > applied) {
    const verb = applied > 0 && appliedWords(appliedBy, 'what') === 'payments' ? 'paid' : 'applied';
    const least = formatUsd(cents(Math.abs(applied)));
    throw refuse(`The ${kind.label.toLowerCase()} amount can't be less than the ${least} already ${verb}`);
  }
}

/** A document to which something is applied is not deleted. Throws a conflict that says what. */
export function checkDocumentDelete(applied: Cents, appliedBy?: readonly AppliedBy[]): void {
  if (applied !== 0) throw conflict(`Delete its ${appliedWords(appliedBy, 'what')} first`);
}
