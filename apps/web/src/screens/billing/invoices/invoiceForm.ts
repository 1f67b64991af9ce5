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

/** The Billing Entry form as data: what is typed, what is wrong with it, what it comes to, what is sent. */

export interface LineDeal {
  itemPrice: Cents;
  itemAmount: string;
  parts: readonly PackagePart[];
}

export interface LineTerms extends DiscountTerms {
  /** The frozen amounts of a percentage while payments are on the invoice. */
  kept?: { amount: Cents; itemAmount: string; base: string } | undefined;
}

export const EntryLine = z.object({
  ...lineFields,
  productId: z.number().nullable(),
  productName: z.string(),
  /** A line is of one of the three at most. */
  packageId: z.number().nullable().optional(),
  discountId: z.number().nullable().optional(),
  /** The package as it was when the line was made, or is now; decimals as text, as drafts are kept. */
  deal: z
    .custom<LineDeal>((value) => typeof value === 'object')
    .nullable()
    .optional(),
  /** The terms of a discount, likewise. */
  terms: z
    .custom<LineTerms>((value) => typeof value === 'object')
    .nullable()
    .optional(),
  serviceDate: Day.nullable(),
  price: Money.nullable(),
  quantity: z.number().nullable(),
  taxable: z.boolean(),
  /** The line of another document that this one is a part of. */
  of: z.number().nullable().optional(),
});
export type EntryLine = z.output<typeof EntryLine>;

export const EntryForm = z.object({
  ...documentFields(EntryLine),
  customerId: z.number().nullable(),
  status: z.number(),
});
export type EntryForm = z.output<typeof EntryForm>;

/** Messages of one line by the property they belong to. */
const lineFaults = rememberedFaults((line: EntryLine, required: LineRequirements): FieldMessages => {
  return { ...faultsOfLine(checkLines([checkable(line)], required), { itemPrice: 'price' }), ...untyped(line) };
});

/** Messages for what is not typed yet. */
export const untyped = ({ price, quantity }: EntryLine): FieldMessages => ({
  ...(price === null ? { price: 'Please enter a price' } : {}),
  ...(quantity === null ? { quantity: 'Please enter a quantity' } : {}),
});

export const INVOICE_ENTRY = entryKind({
  title: 'Billing Entry',
  words: { save: 'Save', remove: 'Delete' },
  draft: 'billing',
  side: BILLING,
  records: INVOICES,
  schema: EntryForm,
  line: EntryLine,
  reply: BillingInvoice,
  headOf: (invoice) => ({ status: invoice.arBillingStatus }),
  lineOf: (line, invoice) => lineOf(line, paidSoFar({ ...invoice, status: invoice.arBillingStatus }) !== 0),
  starts: { status: OPEN },
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

/** A line of which nothing is paid: its percentage follows the other lines again. */
const unpaid = ({ terms, ...line }: EntryLine): EntryLine => ({
  ...line,
  terms: terms && { ...terms, kept: undefined },
});

type SavedLine = Pick<
  BillingInvoice['lineItems'][number],
  'packageParts' | 'discountTerms' | 'itemPrice' | 'itemAmount' | 'productName' | 'quantity'
> & { lineItemAmount: Cents; estimateLineId?: number | null | undefined };

/** The fields of a line that its schema has under other names; once it is paid for, a percentage stays as it is. */
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
    of: line.estimateLineId ?? null,
  };
}

function termsOf({ base, ...terms }: NonNullable<SavedLine['discountTerms']>, line: SavedLine, isPaid: boolean) {
  const discountPercentage = terms.discountPercentage.toString();
  if (base === null || !isPaid) return { ...terms, discountPercentage };
  const kept = { amount: line.lineItemAmount, itemAmount: line.itemAmount.toString(), base: base.toString() };
  return { ...terms, discountPercentage, kept };
}

/** It is of a product, package or discount, whose price it has. */
export function isNamed({ productId, packageId, discountId }: EntryLine): boolean {
  return [productId, packageId ?? null, discountId ?? null].some((id) => id !== null);
}

/** price × quantity in cents; 0 while one of them is missing. A percentage comes to what the other lines say. */
export function lineAmount(line: EntryLine): Cents {
  if (line.price === null || line.quantity === null) return ZERO;
  return extend(toDecimal(line.price), decimal(line.quantity));
}

/** The facts that price lines besides their own fields. */
export interface Pricing {
  offers: Offers;
  /** The document that the lines are a part of. */
  whole?: Whole | undefined;
}

/** The price of lines by the same functions as the server's. Throws a refusal if their total is below zero. */
function price(lines: readonly EntryLine[], rates: readonly TaxRate[], { offers, whole }: Pricing): PricedInvoice {
  const priceables = lines.map((line) => priceable(line, offers));
  if (whole === undefined) return priceInvoice(priceables, rates);
  return refuseNegative(pricePart(priceables, rates, whole));
}

/** The amount of each line, by its id: a percentage follows the others. */
export function lineAmounts(lines: readonly EntryLine[], pricing: Pricing): ReadonlyMap<number, Cents> {
  try {
    const priced = price(lines, [], pricing);
    return new Map(lines.map((line, index) => [line.id, priced.lines[index]?.lineItemAmount ?? ZERO]));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return new Map(lines.map((line) => [line.id, lineAmount(line)]));
  }
}

/** The properties of products by which discounts match lines. */
export type Offers = readonly (Offer & { id: number; isProduct: boolean })[];

export interface EntryTotals {
  subtotal: Cents;
  /** Undefined while the tax of the customer is not known yet, or when the total is refused. */
  priced: PricedInvoice | undefined;
  /** Why there is no total: "Invoice total cannot be negative". */
  problem: string | undefined;
}

/**
 * Subtotal, tax items and total, by the same function as the server's (docs/accounting.md, "Invoice amounts").
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

/** A line as core checks it. */
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

/** Removed lines go as deleted, and no totals: the server works them out. Throws without customer or date. */
function entryInput(form: EntryForm, id: number, reason: string): BillingInvoiceInput {
  if (form.customerId === null) throw new Error('an unchecked entry is not sent');
  return {
    ...documentInput(form, id, reason),
    customerId: form.customerId,
    arBillingStatus: form.status,
    lineItems: linesInput(form, lineInput, { itemPrice: ZERO, quantity: decimal(0) }),
  };
}

/** A line as the request carries it. */
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
