import type { BillingInvoice, DocumentParts } from '@evenkeel/contract/billing';
import { BillingCredit, type BillingCreditInput, type Creditable } from '@evenkeel/contract/credits';
import { creditFault, leftToCredit } from '@evenkeel/core/documents/credit';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { DRAFT, OPEN, paidSoFar, posts, VOID } from '@evenkeel/core/documents/invoice';
import { type Cents, decimal, formatUsd, minCents, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { entryKind } from '../../../parts/documents/entry/entryKind.ts';
import { linesInput } from '../../../parts/documents/entry/lineForm.ts';
import { Day, Money } from '../../../records/formFields.ts';
import { because } from '../../../records/reads.ts';
import { type ChoosableLine, chosenFaults, ChosenLine, chosenOf, chosenTotals } from '../workItems/chosenLines.ts';
import { EntryForm, EntryLine, INVOICE_ENTRY, lineInput, lineOf, type Offers } from '../invoices/invoiceForm.ts';
import { BILLING } from '../records.ts';
import { CREDITS } from './records.ts';

/**
 * The data of two credit memo forms: one for a credit memo without an invoice, which is filled in like an invoice, and
 * one for a credit memo that credits an invoice.
 */

const FreeForm = EntryForm.extend({ reason: z.string() });
export type FreeForm = z.output<typeof FreeForm>;

/** The form definition of a credit memo without an invoice. */
export const CREDIT_ENTRY = entryKind({
  posts: true,
  title: 'Credit Memo',
  words: { save: 'Save', remove: 'Delete' },
  draft: 'billingcredit',
  side: BILLING,
  records: CREDITS,
  schema: FreeForm,
  line: EntryLine,
  reply: BillingCredit,
  headOf: (memo) => ({ status: memo.arBillingStatus }),
  lineOf: (line, memo) => lineOf(line, paidSoFar({ ...memo, status: memo.arBillingStatus }) !== 0),
  starts: { status: OPEN },
  lineStarts: INVOICE_ENTRY.lineStarts ?? (() => ({})),
  isBlankLine: INVOICE_ENTRY.isBlankLine,
  entityId: (form) => form.customerId,
  check: ({ customerId, status, lines }) => ({
    ...(customerId === null ? { customerId: 'Please Select a Customer' } : {}),
    ...(posts(status) && lines.length === 0 ? { lineItems: 'Add at least one line item to the credit memo' } : {}),
  }),
  lineFaults: INVOICE_ENTRY.lineFaults,
  input: freeInput,
  places: { arBillingStatus: 'status' },
  isPayable: () => false,
});

function freeInput(form: FreeForm, id: number, reason: string): BillingCreditInput {
  const { customerId, invoiceDate, rowVersion, status: arBillingStatus } = form;
  if (customerId === null || invoiceDate === null) throw new Error('the entry was not validated');
  const lineItems = linesInput(form, lineInput, { itemPrice: ZERO, quantity: decimal(0) });
  const head = { id, customerId, invoiceDate, arBillingStatus, reason: form.reason, rowVersion };
  return { ...head, lineItems, ...because(reason) };
}

/** Saves a credit memo as void and keeps its lines. */
export function voidCredit(memo: BillingCredit, reason: string) {
  if (memo.creditedInvoiceId === null) return CREDIT_ENTRY.saving({ status: VOID })(memo, reason);
  const { id, invoiceDate, customerId, creditedInvoiceId, rowVersion, lineItems } = memo;
  return CREDITS.update(id, {
    id,
    invoiceDate,
    customerId,
    creditedInvoiceId,
    arBillingStatus: VOID,
    reason: memo.reason,
    rowVersion,
    lineItems,
    ...because(reason),
  });
}

/** The form for a credit memo that credits an invoice: the credited lines and their quantities. */
export const OriginForm = z.object({
  invoiceDate: Day.nullable(),
  reason: z.string(),
  lines: z.array(ChosenLine),
  isApplied: z.boolean(),
  /** The amount to apply. Null while it is calculated from the credit and the unpaid amount. */
  applyAmount: Money.nullable(),
  rowVersion: z.number().nullable(),
});
export type OriginForm = z.output<typeof OriginForm>;

/** An invoice line with the quantity that is already on other credit memos. */
export interface OriginLine extends ChoosableLine {
  /** The line on the saved credit memo. */
  own: BillingCredit['lineItems'][number] | undefined;
}

export interface Origin {
  invoice: BillingInvoice;
  saved: BillingCredit | undefined;
  lines: readonly OriginLine[];
  /** The invoice and the amounts that other credit memos have already credited. */
  parts: DocumentParts;
}

/** Returns an invoice and the amounts that other credit memos have already credited. */
export function originOf(
  invoice: BillingInvoice,
  { parts }: Pick<Creditable, 'parts'>,
  saved: BillingCredit | undefined,
): Origin {
  const priced = INVOICE_ENTRY.formOf(invoice).lines;
  const owns = saved && CREDIT_ENTRY.formOf(saved).lines;
  const lines = invoice.lineItems.flatMap((line, at): OriginLine[] => {
    const form = priced[at];
    if (form === undefined) return [];
    const own = saved?.lineItems.find(({ creditedLineId }) => creditedLineId === line.id);
    const others = parts.lines.find(({ id }) => id === line.id)?.taken.quantity ?? decimal(0);
    const discountType = line.discountTerms?.discountType;
    const left = leftToCredit({ quantity: line.quantity, credited: others, discountType });
    // A percentage discount is calculated from the credited lines. After the credit memo is applied, the discount stays
    // the same.
    const kept = owns?.find(({ id }) => id === own?.id)?.terms;
    const terms = form.terms && { ...form.terms, kept: kept?.kept };
    return [{ line, priced: { ...form, terms }, taken: others, left, own }];
  });
  return { invoice, saved, lines, parts };
}

/**
 * Returns the form. A new credit memo preselects all uncredited quantities. A saved credit memo keeps its quantities.
 */
export function originForm({ invoice, saved, lines }: Origin, today: IsoDate): OriginForm {
  return {
    invoiceDate: saved?.invoiceDate ?? today,
    reason: saved?.reason ?? '',
    lines: lines.map(({ line, left, own }) => {
      const isIn = saved === undefined ? left.gt(0) : own !== undefined;
      return { lineId: line.id, isIn, quantity: Number(own?.quantity ?? left) };
    }),
    isApplied: saved === undefined && invoice.openAmount > 0,
    applyAmount: null,
    rowVersion: saved?.rowVersion ?? null,
  };
}

/** Returns the total of the selected lines including the invoice's tax, and the amount of each line. */
export function originTotals(form: OriginForm, origin: Origin, offers: Offers) {
  const rates = origin.invoice.taxItems.map(({ id, label, salesTaxType, percentage }) => {
    return { id, label, salesTaxType, percentage };
  });
  const totals = chosenTotals(form, origin.lines, { rates, offers, whole: origin.parts });
  return { ...totals, credit: totals.priced?.invoiceAmount ?? ZERO };
}

/** Returns the amount applied to the invoice, which is the maximum unless the user entered an amount. */
export function appliedOf(form: OriginForm, { invoice, saved }: Origin, credit: Cents): Cents {
  if (!form.isApplied || saved !== undefined) return ZERO;
  return form.applyAmount ?? minCents(credit, invoice.openAmount);
}

/** Returns messages by field. For lines, the field has the form `lines.0.quantity`. */
export function originFaults(form: OriginForm, origin: Origin, offers: Offers): FieldMessages {
  const { invoice, lines } = origin;
  const fields: FieldMessages = {
    ...(form.invoiceDate === null ? { invoiceDate: 'Please enter a date' } : {}),
    ...chosenFaults(form, lines, {
      faultOf: ({ taken: credited, line: { quantity: billed, discountTerms } }, quantity) =>
        creditFault({ quantity: billed, credited, discountType: discountTerms?.discountType }, quantity),
      none: 'Choose at least one line to credit',
    }),
  };
  const { credit, problem } = originTotals(form, origin, offers);
  if (problem !== undefined) fields['lineItems'] = problem;
  const most = minCents(credit, invoice.openAmount);
  const applied = appliedOf(form, origin, credit);
  if (applied > most || applied < 0) fields['applyAmount'] = `At most ${formatUsd(most)}`;
  return fields;
}

/** Returns the request. A draft applies no amount. Throws if the date is missing. */
export function originInput(
  form: OriginForm,
  origin: Origin,
  { applied, isDraft, reason }: { applied: Cents; isDraft: boolean; reason: string },
): BillingCreditInput {
  const { invoice, saved } = origin;
  if (form.invoiceDate === null) throw new Error('the credit memo was not validated');
  const chosen = chosenOf(form, origin.lines);
  const kept = chosen.map(({ line, own, quantity }) => ({
    id: own?.id ?? 0,
    creditedLineId: line.id,
    quantity: decimal(quantity ?? 0),
    itemPrice: line.itemPrice,
    description: line.description,
  }));
  const gone = origin.lines.flatMap(({ line, own }) =>
    own === undefined || chosen.some((each) => each.line.id === line.id)
      ? []
      : [{ id: own.id, description: '', itemPrice: ZERO, quantity: decimal(0), deleted: true }],
  );
  return {
    id: saved?.id ?? 0,
    invoiceDate: form.invoiceDate,
    customerId: invoice.customerId,
    arBillingStatus: isDraft ? DRAFT : OPEN,
    reason: form.reason,
    creditedInvoiceId: invoice.id,
    lineItems: [...kept, ...gone],
    ...(isDraft || applied === 0 ? {} : { applyAmount: applied }),
    rowVersion: form.rowVersion,
    ...because(reason),
  };
}
