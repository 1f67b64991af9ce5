import { BillingEstimate, type BillingEstimateInput, type EstimateInvoiceInput } from '@evenkeel/contract/estimates';
import {
  ESTIMATE_DAYS,
  ESTIMATE_DRAFT,
  estimateStatuses,
  invoiceFault,
  INVOICED,
  leftToInvoice,
} from '@evenkeel/core/documents/estimate';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { decimal, ZERO } from '@evenkeel/core/money';
import type { TaxRate } from '@evenkeel/core/documents/tax';
import * as z from 'zod';
import { entryKind } from '../../../parts/documents/entry/entryKind.ts';
import { dueOf, linesInput } from '../../../parts/documents/entry/lineForm.ts';
import { Day } from '../../../records/formFields.ts';
import { because } from '../../../records/reads.ts';
import { type ChoosableLine, chosenFaults, ChosenLine, chosenOf, chosenTotals } from '../workItems/chosenLines.ts';
import { EntryForm, EntryLine, INVOICE_ENTRY, lineInput, lineOf, type Pricing } from '../invoices/invoiceForm.ts';
import { ESTIMATE_SIDE, ESTIMATES } from './records.ts';

/**
 * The data of the estimate form, which is filled in like an invoice, and of the form that creates an invoice from an
 * estimate.
 */

const EstimateForm = EntryForm.extend({ note: z.string() });
export type EstimateForm = z.output<typeof EstimateForm>;

export const ESTIMATE_ENTRY = entryKind({
  title: 'Estimate',
  words: { save: 'Save', remove: 'Delete' },
  draft: 'billingestimate',
  side: ESTIMATE_SIDE,
  records: ESTIMATES,
  schema: EstimateForm,
  line: EntryLine,
  reply: BillingEstimate,
  headOf: (estimate) => ({ status: estimate.arBillingStatus }),
  lineOf: (line) => lineOf(line, false),
  starts: { status: ESTIMATE_DRAFT },
  lineStarts: () => ({ quantity: 1 }),
  isBlankLine: INVOICE_ENTRY.isBlankLine,
  entityId: (form) => form.customerId,
  check: ({ customerId, status, lines, ...dates }) => ({
    ...(customerId === null ? { customerId: 'Please Select a Customer' } : {}),
    ...(status !== ESTIMATE_DRAFT && lines.length === 0
      ? { lineItems: 'Add at least one line item to the estimate' }
      : {}),
    ...expiryFault(dates),
  }),
  lineFaults: INVOICE_ENTRY.lineFaults,
  input: estimateInput,
  places: { arBillingStatus: 'status' },
  isPayable: () => false,
});

function expiryFault(form: Pick<EstimateForm, 'invoiceDate' | 'dueDate'>): FieldMessages {
  const expires = dueOf(form, ESTIMATE_DAYS);
  const isBefore = expires !== null && form.invoiceDate !== null && expires < form.invoiceDate;
  return isBefore ? { dueDate: "The expiration date can't be before the estimate date" } : {};
}

function estimateInput(form: EstimateForm, id: number): BillingEstimateInput {
  const { customerId, invoiceDate, dueDate, rowVersion, status: arBillingStatus, note } = form;
  if (customerId === null || invoiceDate === null) throw new Error('the estimate was not validated');
  const lineItems = linesInput(form, lineInput, { itemPrice: ZERO, quantity: decimal(0) });
  return { id, customerId, invoiceDate, dueDate, arBillingStatus, note, lineItems, rowVersion };
}

/** Returns the statuses that can be selected. Invoiced is included only if the estimate already has this status. */
export function statusesFor(saved: BillingEstimate | undefined) {
  return estimateStatuses
    .filter(({ id }) => id !== INVOICED || saved?.arBillingStatus === INVOICED)
    .map(({ id, displayName }) => ({ id, label: displayName }));
}

/** The form for an invoice created from an estimate: the invoiced lines and their quantities. */
export const InvoicingForm = z.object({
  invoiceDate: Day.nullable(),
  dueDate: Day.nullable().optional(),
  lines: z.array(ChosenLine),
});
export type InvoicingForm = z.output<typeof InvoicingForm>;

/** Returns an estimate's lines with the quantities that are already on invoices. */
export function choosableLines(estimate: BillingEstimate): ChoosableLine[] {
  const priced = ESTIMATE_ENTRY.formOf(estimate).lines;
  return estimate.lineItems.flatMap((line, at): ChoosableLine[] => {
    const form = priced[at];
    return form === undefined
      ? []
      : [{ line, priced: form, taken: line.invoicedQuantity, left: leftToInvoice(estimatedOf(line)) }];
  });
}

const estimatedOf = ({ quantity, invoicedQuantity, discountTerms }: BillingEstimate['lineItems'][number]) => {
  return { quantity, invoiced: invoicedQuantity, discountType: discountTerms?.discountType };
};

/** Returns the form with all remaining quantities preselected. */
export function invoicingForm(lines: readonly ChoosableLine[], today: IsoDate): InvoicingForm {
  return {
    invoiceDate: today,
    dueDate: undefined,
    lines: lines.map(({ line, left }) => ({ lineId: line.id, isIn: left.gt(0), quantity: Number(left) })),
  };
}

interface Ground extends Pricing {
  lines: readonly ChoosableLine[];
  /** The tax rates on the invoice date. Undefined while loading. */
  rates: readonly TaxRate[] | undefined;
}

export const invoicingTotals = (form: InvoicingForm, { lines, ...ground }: Ground) => chosenTotals(form, lines, ground);

export function invoicingFaults(form: InvoicingForm, ground: Ground): FieldMessages {
  const { problem } = invoicingTotals(form, ground);
  return {
    ...(form.invoiceDate === null ? { invoiceDate: 'Please enter a date' } : {}),
    ...chosenFaults(form, ground.lines, {
      faultOf: ({ line: { quantity: estimated, discountTerms }, taken }, quantity) =>
        invoiceFault({ quantity: estimated, invoiced: taken, discountType: discountTerms?.discountType }, quantity),
      none: 'Choose at least one line to invoice',
    }),
    ...(problem === undefined ? {} : { lineItems: problem }),
  };
}

/** Returns the request. Throws if the date is missing. */
export function invoicingInput(
  form: InvoicingForm,
  lines: readonly ChoosableLine[],
  { isDraft, reason, rowVersion }: { isDraft: boolean; reason: string; rowVersion: number },
): EstimateInvoiceInput {
  if (form.invoiceDate === null) throw new Error('the invoice was not validated');
  const chosen = chosenOf(form, lines).map(({ line, quantity }) => {
    return { estimateLineId: line.id, quantity: decimal(quantity ?? 0) };
  });
  return {
    invoiceDate: form.invoiceDate,
    dueDate: form.dueDate,
    isDraft,
    lines: chosen,
    rowVersion,
    ...because(reason),
  };
}
