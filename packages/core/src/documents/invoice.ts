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
import { taxOfLine, totalTaxes, withTotal } from './tax.ts';
import type { TaxRate, TaxTotal } from './tax.ts';

/** The input for pricing a line. */
export interface PriceableLine {
  /** The unit price with 2 decimal places. Packages and discounts have their own price. */
  itemPrice: Decimal;
  quantity: Decimal;
  taxable: boolean;
  /** The product's properties that determine which discounts apply to the line. */
  product?: Offer | undefined;
  package?: SoldPackage | undefined;
  discount?: LineDiscount | undefined;
  /** The remaining amount for the last of several parts of a line. Replaces price × quantity. */
  rest?: Cents | undefined;
}

export interface LineDiscount extends DiscountTerms {
  /** The amount of each percentage discount, which is fixed while the invoice has payments. */
  kept?: { amount: Cents; itemAmount: Decimal; base: Decimal } | undefined;
}

export interface PricedLine {
  itemPrice: Cents;
  /** The unit price with 4 decimal places. */
  itemAmount: Decimal;
  quantity: Decimal;
  taxable: boolean;
  lineItemAmount: Cents;
  /** The cents that the last of several parts has in addition to price × quantity or the percentage. */
  restAmount: Cents;
  /** The tax with 6 decimal places. */
  lineItemTax: Decimal;
  taxItems: { salesTaxType: number; total: Decimal }[];
  /** The posted amounts of a package's parts, which add up to the line's amount. Null for other lines. */
  partAmounts: Cents[] | null;
  /** The amount on which a percentage is based. Null for other lines. */
  discountBase: Decimal | null;
}

export interface PricedInvoice {
  lines: PricedLine[];
  taxItems: TaxTotal[];
  salesTaxAmount: Cents;
  invoiceAmount: Cents;
}

/**
 * Calculates the lines, taxes, and total of an invoice (docs/accounting.md, "Invoice amounts"). Each line is rounded to
 * cents, and each tax item, or the tax at a combined rate, is rounded once for all lines. The total is the sum of the
 * lines and taxes, so the printed invoice adds up. Each discount is based on the full amounts of the other lines.
 * Throws if the total is negative.
 */
export function priceInvoice(lines: readonly PriceableLine[], rates: readonly TaxRate[]): PricedInvoice {
  return refuseNegative(priceLines(lines, rates));
}

/** Prices a document. Throws 422 if the total is negative. */
export function refuseNegative(priced: PricedInvoice, noun = 'Invoice'): PricedInvoice {
  if (priced.invoiceAmount < 0) throw refuse(`${noun} total cannot be negative`);
  return priced;
}

/**
 * Prices lines like `priceInvoice`, but allows a negative total. `finished` returns the amount that replaces a tax
 * item's rounded total.
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
  const taxed = bases.reduce<Decimal>((all, base) => all.plus(base ?? 0), ZERO_DOLLARS);
  const taxItems = totalTaxes(taxes, rates, taxed).map((item) => withTotal(item, finished(item)));
  const money = lines.map((line, index) => sold[index]?.money ?? discounts[index]?.money ?? plainMoney(line));
  const salesTaxAmount = sum(taxItems.map((item) => item.total));
  const invoiceAmount = cents(sum(money.map((line) => line.lineItemAmount)) + salesTaxAmount);
  const priced = money.map((line, index) => {
    return { ...line, taxable: bases[index] !== undefined, ...lineTaxes(taxes[index] ?? [], rates) };
  });
  return { lines: priced, taxItems, salesTaxAmount, invoiceAmount };
}

type Money = Omit<PricedLine, 'taxable' | 'lineItemTax' | 'taxItems'>;

/** A line other than a discount. */
interface SoldLine {
  money: Money;
  taxable: boolean;
  /** Returns the part of the line's amount for products that match, in dollars. */
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
  /** The taxed part of the lines that the discount reduces, as a numerator and denominator. */
  taxed: Decimal;
  of: Decimal;
}

/**
 * Prices a discount line. A fixed amount is multiplied by the quantity. A percentage applies to the product and package
 * lines that it targets, regardless of the quantity. Without target lines, the discount is taxed in proportion to all
 * lines.
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
 * Returns the taxable part of each line, or undefined for an untaxed line. A discount reduces tax in proportion to the
 * taxed part of the lines that it reduces, but never below zero (docs/accounting.md, "Invoice amounts").
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

/** A line as entered in the form and sent in the request. Deleted lines are not checked. */
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
 * Returns whether a line requires a profit center or location, which is true while the company's setting is on and at
 * least one active profit center or location exists. The setting alone never prevents billing. `active` contains the
 * numbers of active ones.
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
 * Returns the validation messages for lines by field path ("lineItems.0.description"), or an empty object. Used by the
 * form and the server.
 */
export function checkLines(lines: readonly CheckableLine[], required: LineRequirements = {}): FieldMessages {
  const fields: FieldMessages = {};
  lines.forEach((line, index) => {
    if (line.deleted === true) return;
    for (const [name, message] of lineFaults(line, required)) fields[`lineItems.${index}.${name}`] = message;
  });
  return fields;
}

/** Checks lines with `checkLines` and throws 422 with the first message. */
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
/** The status of a bill that was paid immediately. Such a bill is posted and never has an open balance. */
export const PAID_AT_ONCE = 6;

/** The billing statuses. A document is in the ledger only if it has a status that posts. */
export const billingStatuses = [
  { id: DRAFT, displayName: 'Draft', displayOrder: 1, posts: false },
  { id: OPEN, displayName: 'Open', displayOrder: 2, posts: true },
  { id: SENT, displayName: 'Sent', displayOrder: 3, posts: true },
  { id: ON_HOLD, displayName: 'On Hold', displayOrder: 4, posts: true },
  { id: VOID, displayName: 'Void', displayOrder: 5, posts: false },
] as const;

/**
 * Returns the reason why an invoice or similar document with this status cannot be sent to its customer, or an empty
 * string if it can.
 */
export function sendingFault(status: number, name = 'invoice'): string {
  if (status === DRAFT) return "A draft can't be sent. Save it as Open first.";
  return status === VOID ? `A void ${name} can't be sent` : '';
}

/** Returns whether an invoice with this status is in the ledger. */
export function posts(status: number): boolean {
  return status === PAID_AT_ONCE || billingStatuses.some((each) => each.id === status && each.posts);
}

/**
 * Returns the amount that payments have paid so far, in cents. Negative for a vendor credit. Returns 0 for a draft, a
 * void document, and a bill that was paid immediately: they have no open balance, but no payment has paid them.
 */
export function paidSoFar(document: { status: number; invoiceAmount: Cents; openAmount: Cents }): Cents {
  const { status, invoiceAmount, openAmount } = document;
  return posts(status) && status !== PAID_AT_ONCE ? cents(invoiceAmount - openAmount) : ZERO;
}

/** Returns "Draft" or "Void" for a status that does not post, and an empty string otherwise. */
export function unpostedBadge(status: number): string {
  return posts(status) ? '' : (billingStatuses.find(({ id }) => id === status)?.displayName ?? '');
}

/** Returns whether Pay Invoice is available, which requires an invoice that is saved, posted, and not fully paid. */
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
 * Returns the status that users see. Paid, partially paid, and overdue are derived and never stored. Overdue takes
 * precedence over partially paid, because an overdue invoice needs attention. A credit memo is shown as a credit until
 * it is fully applied. `daysOverdue` is 0 unless an unpaid amount is past due.
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
  /** The document's own date. Null if the posting date is the document's own date. */
  invoiceDate: IsoDate | null;
  /** The posting date. */
  date: IsoDate;
}

/**
 * Returns the day after which a document is overdue: its due date or, if it has none, its own date, as in the aging
 * reports. A document without a due date cannot be overdue before its posting date, so the result is null until then.
 */
export function lateAfter({ dueDate, invoiceDate, date }: Dated, today: IsoDate): IsoDate | null {
  return dueDate ?? (date <= today ? (invoiceDate ?? date) : null);
}

/** The kinds of applications to a document: a payment, a credit, a refund of its credit, or a write-off. */
export type AppliedBy = keyof typeof APPLIED_BY;

const APPLIED_BY = {
  payment: { what: 'payments', with: 'payments' },
  credit: { what: 'credit applications', with: 'credit applications' },
  refund: { what: 'refunds', with: 'refunds' },
  writeoff: { what: 'write-off', with: 'a write-off' },
} as const;

/** Returns text such as "payments and a write-off". Defaults to payments. */
function appliedWords(by: readonly AppliedBy[] | undefined, word: 'what' | 'with'): string {
  const known = by === undefined || by.length === 0 ? (['payment'] as const) : by;
  return known.map((each) => APPLIED_BY[each][word]).join(' and ');
}

export interface DocumentChange {
  /** The total of all applications to the document, in cents. */
  applied: Cents;
  /** The kinds of applications, for the wording of an error. */
  appliedBy?: readonly AppliedBy[] | undefined;
  amount: Cents;
  status: number;
  entityChanged: boolean;
}

/**
 * Throws if the amounts applied to a document prevent an edit (docs/accounting.md, "Invoices with payments"). `kind` is
 * the document's kind, if it differs from the usual kind for the document's side.
 */
export function checkDocumentEdit(
  { document, words: { entity } }: Side,
  change: DocumentChange,
  kind: DocumentKind = document,
): void {
  const { applied, appliedBy, amount } = change;
  if (applied === 0) return;
  const name = `${kind.words.indefinite} that has ${appliedWords(appliedBy, 'with')}`;
  if (change.entityChanged) throw refuse(`You can't change the ${entity} on ${name}`);
  if (change.status === PAID_AT_ONCE) throw refuse(`${capital(name)} can't be paid immediately`);
  if (!posts(change.status)) throw refuse(`${capital(name)} can't be a draft or void`);
  // A vendor credit and its applied amount are both negative.
  if (applied > 0 ? amount < applied : amount > applied) {
    const verb = applied > 0 && appliedWords(appliedBy, 'what') === 'payments' ? 'paid' : 'applied';
    const least = formatUsd(cents(Math.abs(applied)));
    throw refuse(`The ${kind.label.toLowerCase()} amount can't be less than the ${least} already ${verb}`);
  }
}

/**
 * Throws a conflict error that lists the kinds of applications if a document with an applied amount is about to be
 * deleted.
 */
export function checkDocumentDelete(applied: Cents, appliedBy?: readonly AppliedBy[]): void {
  if (applied !== 0) throw conflict(`Delete its ${appliedWords(appliedBy, 'what')} first`);
}
