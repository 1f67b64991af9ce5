import { daysBetween } from './dates.ts';
import type { IsoDate } from './dates.ts';
import { conflict, refuse } from './failure.ts';
import type { FieldMessages } from './failure.ts';
import { cents, decimal, extend, formatUsd, round, sum, toDecimal } from './money.ts';
import type { Cents, Decimal } from './money.ts';
import { taxOfLine, totalTaxes } from './tax.ts';
import type { TaxRate, TaxTotal } from './tax.ts';

/** What a line's money follows from. */
export interface PriceableLine {
  /** Unit price, 2 decimals. */
  itemPrice: Decimal;
  quantity: Decimal;
  taxable: boolean;
}

export interface PricedLine {
  lineItemAmount: Cents;
  /** 6 decimals. */
  lineItemTax: Decimal;
  taxItems: { salesTaxType: number; total: Decimal }[];
}

export interface PricedInvoice {
  lines: PricedLine[];
  taxItems: TaxTotal[];
  salesTaxAmount: Cents;
  invoiceAmount: Cents;
}

/**
 * Lines, taxes and total of an invoice (accounting: A4). Each line is rounded to cents, each tax item once over all
 * lines; the total is their sum, so the printed page adds up. Refuses a negative total.
 */
export function priceInvoice(lines: readonly PriceableLine[], rates: readonly TaxRate[]): PricedInvoice {
  const amounts = lines.map((line) => extend(line.itemPrice, line.quantity));
  const taxes = lines.map((line, index) =>
    line.taxable ? taxOfLine(toDecimal(amounts[index] ?? cents(0)), rates) : [],
  );
  const taxItems = totalTaxes(taxes, rates);
  const salesTaxAmount = sum(taxItems.map((item) => item.total));
  const invoiceAmount = cents(sum(amounts) + salesTaxAmount);
  if (invoiceAmount < 0) throw refuse('Invoice total cannot be negative');
  return {
    lines: amounts.map((lineItemAmount, index) => pricedLine(lineItemAmount, taxes[index] ?? [], rates)),
    taxItems,
    salesTaxAmount,
    invoiceAmount,
  };
}

function pricedLine(lineItemAmount: Cents, taxes: readonly Decimal[], rates: readonly TaxRate[]): PricedLine {
  const lineItemTax = round(
    taxes.reduce((total, tax) => total.plus(tax), decimal(0)),
    6,
  );
  const taxItems = rates.flatMap(({ salesTaxType }, index) => {
    const total = taxes[index];
    return total === undefined ? [] : [{ salesTaxType, total }];
  });
  return { lineItemAmount, lineItemTax, taxItems };
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
 * What a line must name: a profit center or location while the company's switch is on and there is an active one to
 * name. A switch alone never stands in the way of billing. `active` is how many there are.
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
 * The messages for wrong lines by field path ("lineItems.0.description"), none → an empty object (Specification
 * part 1 §5). The form shows them, the server refuses with them.
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
    ['itemPrice', !hasPlaces(decimal(line.itemPrice), 2) && 'Price has more than 2 decimals'],
  ];
  return faults.flatMap(([name, message]): [string, string][] => (message === false ? [] : [[name, message]]));
}

function isEmpty(id: number | null | undefined): boolean {
  return id === null || id === undefined || id <= 0;
}

function hasPlaces(value: Decimal, places: number): boolean {
  return value.eq(round(value, places));
}

export const DRAFT = 1;
export const OPEN = 2;
export const SENT = 3;
export const ON_HOLD = 4;
export const VOID = 5;

/** Billing statuses (decisions: Billing); only those that post stand in the ledger. */
export const billingStatuses = [
  { id: DRAFT, displayName: 'Draft', displayOrder: 1, posts: false },
  { id: OPEN, displayName: 'Open', displayOrder: 2, posts: true },
  { id: SENT, displayName: 'Sent', displayOrder: 3, posts: true },
  { id: ON_HOLD, displayName: 'On Hold', displayOrder: 4, posts: true },
  { id: VOID, displayName: 'Void', displayOrder: 5, posts: false },
] as const;

/** Whether an invoice of this status stands in the ledger. */
export function posts(status: number): boolean {
  return billingStatuses.some((each) => each.id === status && each.posts);
}

/** Saved, in a status that posts, and something is unpaid: the Pay Invoice button. */
export function readyToPay(invoice: { id: number; status: number; openAmount: Cents }): boolean {
  return invoice.id > 0 && posts(invoice.status) && invoice.openAmount > 0;
}

export type InvoiceBadge = 'Draft' | 'Void' | 'On Hold' | 'Paid' | 'Partially paid' | 'Overdue' | 'Sent' | 'Open';

export interface BadgeInput {
  status: number;
  openAmount: Cents;
  invoiceAmount: Cents;
  dueDate: IsoDate | null;
  today: IsoDate;
}

/**
 * The state a person sees; paid, partially paid and overdue are derived and never stored. Overdue wins over partially
 * paid: it asks for action. `daysOverdue` is 0 unless something unpaid is past its due date.
 */
export function invoiceBadge(invoice: BadgeInput): { badge: InvoiceBadge; daysOverdue: number } {
  if (invoice.status === DRAFT) return { badge: 'Draft', daysOverdue: 0 };
  if (invoice.status === VOID) return { badge: 'Void', daysOverdue: 0 };
  if (invoice.openAmount <= 0) return { badge: 'Paid', daysOverdue: 0 };
  const late = invoice.dueDate === null ? 0 : Math.max(0, daysBetween(invoice.dueDate, invoice.today));
  if (invoice.status === ON_HOLD) return { badge: 'On Hold', daysOverdue: late };
  if (late > 0) return { badge: 'Overdue', daysOverdue: late };
  if (invoice.openAmount < invoice.invoiceAmount) return { badge: 'Partially paid', daysOverdue: 0 };
  return { badge: invoice.status === SENT ? 'Sent' : 'Open', daysOverdue: 0 };
}

export interface InvoiceChange {
  /** Σ of all applications to it, in cents. */
  appliedAmount: Cents;
  invoiceAmount: Cents;
  status: number;
  customerChanged: boolean;
}

/** What payments on an invoice forbid when it is edited (accounting: A7.5, A7.8). Throws a refusal. */
export function checkInvoiceEdit(change: InvoiceChange): void {
  if (change.appliedAmount === 0) return;
  if (change.customerChanged) throw refuse('The customer of an invoice with payments cannot change');
  if (!posts(change.status)) throw refuse('An invoice with payments cannot be a draft or void');
  if (change.invoiceAmount < change.appliedAmount) {
    throw refuse(`The invoice amount cannot be less than the ${formatUsd(change.appliedAmount)} paid on it`);
  }
}

/** An invoice with payments is not deleted (decisions: Access to history). Throws a conflict. */
export function checkInvoiceDelete(appliedAmount: Cents): void {
  if (appliedAmount !== 0) throw conflict('Delete its payments first');
}
