import { BillingInvoice, type BillingInvoiceInput } from '@evenkeel/contract/billing';
import type { DiscountTerms } from '@evenkeel/core/documents/discounts';
import { Failure, type FieldMessages } from '@evenkeel/core/failure';
import {
  checkLines,
  type LineRequirements,
  OPEN,
  paidSoFar,
  posts,
  priceInvoice,
  type PricedInvoice,
  refuseNegative,
} from '@evenkeel/core/documents/invoice';
import { type Cents, cents, decimal, extend, sum, toDecimal, ZERO } from '@evenkeel/core/money';
import type { PackagePart } from '@evenkeel/core/documents/packages';
import { type PartLine, pricePart, type Whole } from '@evenkeel/core/documents/parts';
import type { Offer } from '@evenkeel/core/documents/products';
import type { TaxRate } from '@evenkeel/core/documents/tax';
import * as z from 'zod';
import { entryKind } from '../../../parts/documents/entry/entryKind.ts';
import {
  documentFields,
  documentInput,
  faultsOfLine,
  lineFields,
  linesInput,
  rememberedFaults,
} from '../../../parts/documents/entry/lineForm.ts';
import { Day, Money } from '../../../records/formFields.ts';
import { BILLING, INVOICES } from '../records.ts';

/** The data of the Billing Entry form, its validation, totals, and request. */

export interface LineDeal {
  itemPrice: Cents;
  itemAmount: string;
  parts: readonly PackagePart[];
}

export interface LineTerms extends DiscountTerms {
  /** The amounts of percentage discounts, which are fixed while the invoice has payments. */
  kept?: { amount: Cents; itemAmount: string; base: string } | undefined;
}

export const EntryLine = z.object({
  ...lineFields,
  productId: z.number().nullable(),
  productName: z.string(),
  /** The item. A line has at most one of these three. */
  packageId: z.number().nullable().optional(),
  discountId: z.number().nullable().optional(),
  /**
   * The contents of the package, as they were when the line was created, or as they are now. Decimals are stored as
   * strings, as in drafts.
   */
  deal: z
    .custom<LineDeal>((value) => typeof value === 'object')
    .nullable()
    .optional(),
  /** The terms of the discount, with decimals stored as strings. */
  terms: z
    .custom<LineTerms>((value) => typeof value === 'object')
    .nullable()
    .optional(),
  serviceDate: Day.nullable(),
  price: Money.nullable(),
  quantity: z.number().nullable(),
  taxable: z.boolean(),
  /** The line of the whole document that this line is part of. */
  of: z.number().nullable().optional(),
});
export type EntryLine = z.output<typeof EntryLine>;

export const EntryForm = z.object({
  ...documentFields(EntryLine),
  customerId: z.number().nullable(),
  status: z.number(),
  poNumber: z.string().optional(),
  customerNote: z.string().optional(),
});
export type EntryForm = z.output<typeof EntryForm>;

/** Validates one line. Returns messages by field. */
const lineFaults = rememberedFaults((line: EntryLine, required: LineRequirements): FieldMessages => {
  return { ...faultsOfLine(checkLines([checkable(line)], required), { itemPrice: 'price' }), ...untyped(line) };
});

/** Returns messages for empty fields. */
export const untyped = ({ price, quantity }: EntryLine): FieldMessages => ({
  ...(price === null ? { price: 'Please enter a price' } : {}),
  ...(quantity === null ? { quantity: 'Please enter a quantity' } : {}),
});

export const INVOICE_ENTRY = entryKind({
  posts: true,
  title: 'Billing Entry',
  words: { save: 'Save', remove: 'Delete' },
  draft: 'billing',
  side: BILLING,
  records: INVOICES,
  schema: EntryForm,
  line: EntryLine,
  reply: BillingInvoice,
  headOf: ({ arBillingStatus: status, poNumber = '', customerNote = '' }) => ({ status, poNumber, customerNote }),
  lineOf: (line, invoice) => lineOf(line, paidSoFar({ ...invoice, status: invoice.arBillingStatus }) !== 0),
  starts: { status: OPEN, poNumber: '', customerNote: '' },
  hasDiscount: true,
  lineStarts: ({ invoiceDate }) => ({ serviceDate: invoiceDate, quantity: 1 }),
  isBlankLine: (line) => line.price === null && !isNamed(line),
  copied: ({ lines }) => ({ lines: lines.map(unpaid) }),
  entityId: (form) => form.customerId,
  dated: (form, before) => ({
    ...form,
    lines: form.lines.map((line) =>
      line.id < 0 && line.serviceDate === before.invoiceDate ? { ...line, serviceDate: form.invoiceDate } : line,
    ),
  }),
  check: ({ customerId, status, lines }) => ({
    ...(customerId === null ? { customerId: 'Please Select a Customer' } : {}),
    ...(posts(status) && lines.length === 0 ? { lineItems: 'Add at least one line item to the invoice' } : {}),
  }),
  lineFaults,
  input: entryInput,
  places: { arBillingStatus: 'status' },
  isPayable: (invoice) => invoice.readyToPay,
});

/** Returns a line as it was before any payments, so that its percentage is calculated from the other lines again. */
const unpaid = ({ terms, ...line }: EntryLine): EntryLine => ({
  ...line,
  terms: terms && { ...terms, kept: undefined },
});

type SavedLine = Pick<
  BillingInvoice['lineItems'][number],
  'packageParts' | 'discountTerms' | 'itemPrice' | 'itemAmount' | 'productName' | 'quantity'
> & { lineItemAmount: Cents; sourceLineId?: number | null | undefined };

/**
 * Returns the form fields whose names differ from the names in the saved line. If the invoice has payments, a
 * percentage discount stays fixed.
 */
export function lineOf(line: SavedLine, isPaid: boolean): Partial<EntryLine> {
  const { packageParts, discountTerms, itemPrice } = line;
  const parts = packageParts?.map((part) => {
    return { ...part, quantity: part.quantity.toString(), weight: part.weight.toString() };
  });
  return {
    deal: parts === undefined ? null : { itemPrice, itemAmount: line.itemAmount.toString(), parts },
    terms: discountTerms === null ? null : termsOf(discountTerms, line, isPaid),
    productName: line.productName ?? '',
    price: itemPrice,
    quantity: Number(line.quantity),
    of: line.sourceLineId ?? null,
  };
}

function termsOf({ base, ...terms }: NonNullable<SavedLine['discountTerms']>, line: SavedLine, isPaid: boolean) {
  const discountPercentage = terms.discountPercentage.toString();
  if (base === null || !isPaid) return { ...terms, discountPercentage };
  const kept = { amount: line.lineItemAmount, itemAmount: line.itemAmount.toString(), base: base.toString() };
  return { ...terms, discountPercentage, kept };
}

/** Returns whether the line has a product, package, or discount, which determines its price. */
export function isNamed({ productId, packageId, discountId }: EntryLine): boolean {
  return [productId, packageId ?? null, discountId ?? null].some((id) => id !== null);
}

/**
 * Returns price × quantity in cents, or 0 while either is missing. The amount of a percentage depends on the other
 * lines.
 */
export function lineAmount(line: EntryLine): Cents {
  if (line.price === null || line.quantity === null) return ZERO;
  return extend(toDecimal(line.price), decimal(line.quantity));
}

/** The data that determines the price of lines, in addition to the lines' own fields. */
export interface Pricing {
  offers: Offers;
  /** The whole document that contains the lines. */
  whole?: Whole | undefined;
}

/** Prices lines with the same functions as on the server. Throws a Failure if their total is below zero. */
function price(lines: readonly EntryLine[], rates: readonly TaxRate[], { offers, whole }: Pricing): PricedInvoice {
  const priceables = lines.map((line) => priceable(line, offers));
  if (whole === undefined) return priceInvoice(priceables, rates);
  return refuseNegative(pricePart(priceables, rates, whole));
}

/** Returns each line's amount by line ID. Percentage discounts are calculated from the other lines. */
export function lineAmounts(lines: readonly EntryLine[], pricing: Pricing): ReadonlyMap<number, Cents> {
  try {
    const priced = price(lines, [], pricing);
    return new Map(lines.map((line, index) => [line.id, priced.lines[index]?.lineItemAmount ?? ZERO]));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return new Map(lines.map((line) => [line.id, lineAmount(line)]));
  }
}

/** The product properties that discounts use to find their lines. */
export type Offers = readonly (Offer & { id: number; isProduct: boolean })[];

export interface EntryTotals {
  subtotal: Cents;
  /** Undefined while the customer's tax is unknown, or if the total is not valid. */
  priced: PricedInvoice | undefined;
  /** The reason why the total is missing, for example "Invoice total cannot be negative". */
  problem: string | undefined;
}

/**
 * Calculates the subtotal, tax items, and total with the same function as on the server (docs/accounting.md, "Invoice
 * amounts").
 */
export function entryTotals(
  lines: readonly EntryLine[],
  rates: readonly TaxRate[] | undefined,
  pricing: Pricing = { offers: [] },
): EntryTotals {
  const subtotal = sum(lineAmounts(lines, pricing).values());
  if (rates === undefined) return { subtotal, priced: undefined, problem: undefined };
  try {
    return { subtotal, priced: price(lines, rates, pricing), problem: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { subtotal, priced: undefined, problem: error.message };
  }
}

function priceable({ deal, terms, ...line }: EntryLine, offers: Offers): PartLine {
  const kept = terms?.kept;
  return {
    of: line.of,
    product: offers.find((one) => one.isProduct && one.id === line.productId),
    package: deal ? { ...deal, itemAmount: decimal(deal.itemAmount) } : undefined,
    discount: terms
      ? {
          ...terms,
          kept: kept && { ...kept, itemAmount: decimal(kept.itemAmount), base: decimal(kept.base) },
        }
      : undefined,
    itemPrice: toDecimal(line.price ?? ZERO),
    quantity: decimal(line.quantity ?? 0),
    taxable: line.taxable,
  };
}

/** Converts a line for core's validation. */
export function checkable(line: EntryLine) {
  return {
    description: line.description,
    accountId: line.accountId,
    isProduct: line.productId !== null,
    isPackage: (line.packageId ?? null) !== null,
    itemPrice: toDecimal(line.price ?? ZERO),
    quantity: decimal(line.quantity ?? 0),
    profitCenterId: line.profitCenterId,
    locationId: line.locationId,
  };
}

/**
 * Returns the request. Removed lines are sent as deleted. The server calculates the totals. Throws if the customer or
 * date is missing.
 */
function entryInput(form: EntryForm, id: number, reason: string): BillingInvoiceInput {
  if (form.customerId === null) throw new Error('the entry was not validated');
  return {
    ...documentInput(form, id, reason),
    customerId: form.customerId,
    arBillingStatus: form.status,
    poNumber: form.poNumber,
    customerNote: form.customerNote,
    lineItems: linesInput(form, lineInput, { itemPrice: ZERO, quantity: decimal(0) }),
  };
}

/** Converts a line for the request. */
export function lineInput(line: EntryLine) {
  return {
    id: line.id,
    productId: line.productId,
    packageId: line.packageId,
    discountId: line.discountId,
    itemPrice: line.price ?? cents(0),
    quantity: decimal(line.quantity ?? 0),
    description: line.description,
    serviceDate: line.serviceDate,
    taxable: line.taxable,
    accountId: line.accountId,
    profitCenterId: line.profitCenterId,
    locationId: line.locationId,
  };
}
