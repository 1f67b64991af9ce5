import type { BillingInvoice, BillingInvoiceInput } from '@evenkeel/contract/billing';
import { addDays, type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { Failure, type FieldMessages } from '@evenkeel/core/failure';
import {
  checkLines,
  type LineRequirements,
  OPEN,
  posts,
  priceInvoice,
  type PricedInvoice,
} from '@evenkeel/core/invoice';
import { type Cents, cents, decimal, extend, sum, toDecimal, ZERO } from '@evenkeel/core/money';
import type { TaxRate } from '@evenkeel/core/tax';
import * as z from 'zod';
import type { Shape } from '../records/useRecordForm.ts';

/** The Billing Entry form as data: what is typed, what is wrong with it, what it comes to, what is sent. */

const Money = z.custom<Cents>(Number.isSafeInteger);
const Day = z.custom<IsoDate>((value) => typeof value === 'string' && isIsoDate(value));

const EntryLine = z.object({
  /** Negative until the line is saved. */
  id: z.number(),
  productId: z.number().nullable(),
  productName: z.string(),
  description: z.string(),
  serviceDate: Day.nullable(),
  price: Money.nullable(),
  quantity: z.number().nullable(),
  taxable: z.boolean(),
  accountId: z.number().nullable(),
  profitCenterId: z.number().nullable(),
  locationId: z.number().nullable(),
});
export type EntryLine = z.output<typeof EntryLine>;

const EntryForm = z.object({
  customerId: z.number().nullable(),
  invoiceDate: Day.nullable(),
  dueDate: Day.nullable(),
  status: z.number(),
  lines: z.array(EntryLine),
  /** The line being typed, once something is in it: a draft keeps it too. */
  working: EntryLine.nullable(),
  /** Saved lines that were removed; they are sent as deleted (Specification part 1 §4). */
  removed: z.array(z.number()),
  rowVersion: z.number().nullable(),
});
export type EntryForm = z.output<typeof EntryForm>;

/** Days from invoice to due date until another date is typed (accounting: terms, default 30). */
const TERMS_DAYS = 30;

/** A draft as it comes back from this device, its line in work among the lines. */
export const EntryDraft: Shape<EntryForm> = {
  safeParse: (stored) => {
    const read = EntryForm.safeParse(stored);
    return read.success ? { success: true, data: settled(read.data) } : { success: false };
  },
};

export function blankEntry(today: IsoDate, customerId: number | null): EntryForm {
  return {
    customerId,
    invoiceDate: today,
    dueDate: addDays(today, TERMS_DAYS),
    status: OPEN,
    lines: [],
    working: null,
    removed: [],
    rowVersion: null,
  };
}

export function entryOf(invoice: BillingInvoice): EntryForm {
  return {
    customerId: invoice.customerId,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    status: invoice.arBillingStatus,
    lines: invoice.lineItems.filter((line) => !line.deleted).map(entryLine),
    working: null,
    removed: [],
    rowVersion: invoice.rowVersion,
  };
}

function entryLine(line: BillingInvoice['lineItems'][number]): EntryLine {
  return {
    id: line.id,
    productId: line.productId,
    productName: line.productName ?? '',
    description: line.description,
    serviceDate: line.serviceDate,
    price: line.itemPrice,
    quantity: Number(line.quantity),
    taxable: line.taxable,
    accountId: line.accountId,
    profitCenterId: line.profitCenterId,
    locationId: line.locationId,
  };
}

/** A new line: quantity 1, the invoice's date; profit center and location as on the line before. */
export function blankLine(lines: readonly EntryLine[], form: EntryForm): EntryLine {
  const before = lines.at(-1);
  return {
    id: Math.min(0, ...lines.map((line) => line.id), ...form.lines.map((line) => line.id)) - 1,
    productId: null,
    productName: '',
    description: '',
    serviceDate: form.invoiceDate,
    price: null,
    quantity: 1,
    taxable: false,
    accountId: null,
    profitCenterId: before?.profitCenterId ?? null,
    locationId: before?.locationId ?? null,
  };
}

/** The line in work as the draft keeps it: null while nothing is in it that the lines do not have. */
export function workOf(line: EntryLine | undefined, lines: readonly EntryLine[]): EntryLine | null {
  if (line === undefined || lines.includes(line)) return null;
  const isEmpty = line.id < 0 && line.description.trim() === '' && line.price === null && line.productId === null;
  return isEmpty ? null : line;
}

/** The line in its place among the lines, or after them. */
export function withLine(lines: readonly EntryLine[], line: EntryLine): EntryLine[] {
  return lines.some((one) => one.id === line.id)
    ? lines.map((one) => (one.id === line.id ? line : one))
    : [...lines, line];
}

/** The form with its line in work committed. */
export function settled(form: EntryForm): EntryForm {
  if (form.working === null) return form;
  return { ...form, lines: withLine(form.lines, form.working), working: null };
}

export function withoutLine(form: EntryForm, id: number): EntryForm {
  const removed = id > 0 ? [...form.removed, id] : form.removed;
  return { ...form, lines: form.lines.filter((line) => line.id !== id), working: null, removed };
}

/** The due date follows the invoice date by the same number of days while it was not typed otherwise. */
export function withInvoiceDate(form: EntryForm, invoiceDate: IsoDate | null): EntryForm {
  const follows = form.invoiceDate !== null && form.dueDate === addDays(form.invoiceDate, TERMS_DAYS);
  const dueDate = follows && invoiceDate !== null ? addDays(invoiceDate, TERMS_DAYS) : form.dueDate;
  const lines = form.lines.map((line) =>
    line.id < 0 && line.serviceDate === form.invoiceDate ? { ...line, serviceDate: invoiceDate } : line,
  );
  return { ...form, invoiceDate, dueDate, lines };
}

/** price × quantity in cents; 0 while one of them is missing. */
export function lineAmount(line: EntryLine): Cents {
  if (line.price === null || line.quantity === null) return ZERO;
  return extend(toDecimal(line.price), decimal(line.quantity));
}

export interface EntryTotals {
  subtotal: Cents;
  /** Undefined while the tax of the customer is not known yet, or when the total is refused. */
  priced: PricedInvoice | undefined;
  /** Why there is no total: "Invoice total cannot be negative". */
  problem: string | undefined;
}

/** Subtotal, tax items and total, by the same function as the server's (accounting: A4). */
export function entryTotals(lines: readonly EntryLine[], rates: readonly TaxRate[] | undefined): EntryTotals {
  const subtotal = sum(lines.map(lineAmount));
  if (rates === undefined) return { subtotal, priced: undefined, problem: undefined };
  try {
    return { subtotal, priced: priceInvoice(lines.map(priceable), rates), problem: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { subtotal, priced: undefined, problem: error.message };
  }
}

function priceable(line: EntryLine) {
  return {
    itemPrice: toDecimal(line.price ?? ZERO),
    quantity: decimal(line.quantity ?? 0),
    taxable: line.taxable,
  };
}

/** Messages of one line by the property they belong to (Specification part 1 §5). */
export function lineFaults(line: EntryLine, required: LineRequirements): FieldMessages {
  const checked = checkLines([checkable(line)], required);
  const faults: FieldMessages = {};
  for (const [path, message] of Object.entries(checked)) {
    const name = path.slice('lineItems.0.'.length);
    faults[name === 'itemPrice' ? 'price' : name] = message;
  }
  if (line.price === null) faults['price'] = 'Please enter a price';
  if (line.quantity === null) faults['quantity'] = 'Please enter a quantity';
  return faults;
}

function checkable(line: EntryLine) {
  return {
    description: line.description,
    accountId: line.accountId,
    isProduct: line.productId !== null,
    isPackage: false,
    itemPrice: toDecimal(line.price ?? ZERO),
    quantity: decimal(line.quantity ?? 0),
    profitCenterId: line.profitCenterId,
    locationId: line.locationId,
  };
}

/** What stands in the way of saving: fields of the head by name, lines as `lineItems.0.description`. */
export function entryFaults(form: EntryForm, required: LineRequirements): FieldMessages {
  const faults: FieldMessages = {};
  if (form.customerId === null) faults['customerId'] = 'Please Select a Customer';
  if (form.invoiceDate === null) faults['invoiceDate'] = 'Please enter a date';
  form.lines.forEach((line, index) => {
    for (const [name, message] of Object.entries(lineFaults(line, required))) {
      faults[`lineItems.${index}.${name}`] = message;
    }
  });
  if (posts(form.status) && form.lines.length === 0) faults['lineItems'] = 'An invoice needs at least one line item';
  return faults;
}

/** What is sent: removed lines as deleted, no totals (the server works them out). Throws without customer or date. */
export function entryInput(form: EntryForm, id: number, reason: string): BillingInvoiceInput {
  if (form.customerId === null || form.invoiceDate === null) throw new Error('an unchecked entry is not sent');
  const gone = form.removed.map((lineId) => ({
    id: lineId,
    itemPrice: ZERO,
    quantity: decimal(0),
    description: '',
    deleted: true,
  }));
  return {
    id,
    invoiceDate: form.invoiceDate,
    dueDate: form.dueDate,
    customerId: form.customerId,
    arBillingStatus: form.status,
    lineItems: [...form.lines.map(lineInput), ...gone],
    rowVersion: form.rowVersion,
    ...(reason === '' ? {} : { closingOverrideReason: reason }),
  };
}

function lineInput(line: EntryLine) {
  return {
    id: line.id,
    productId: line.productId,
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

/** Mine, to be saved over theirs: their version, and lines that they removed come back as new ones. */
export function overTheirs(form: EntryForm, theirs: BillingInvoice): EntryForm {
  const known = new Set(theirs.lineItems.map((line) => line.id));
  const lowest = Math.min(0, ...form.lines.map((line) => line.id));
  const lines = form.lines.map((line, index) =>
    line.id > 0 && !known.has(line.id) ? { ...line, id: lowest - 1 - index } : line,
  );
  const kept = new Set(lines.map((line) => line.id));
  const removed = theirs.lineItems.map((line) => line.id).filter((id) => !kept.has(id));
  return { ...form, lines, removed, rowVersion: theirs.rowVersion };
}
