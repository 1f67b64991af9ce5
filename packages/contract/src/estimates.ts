import { ESTIMATE_DRAFT, ESTIMATE_VOID } from '@evenkeel/core/documents/estimate';
import * as z from 'zod';
import { BillingInvoice, BillingInvoiceRow, BillingLineInput, BillingLineItem } from './billing.ts';
import { endpoint } from './endpoint.ts';
import {
  chosenId,
  DateField,
  decimalField,
  Id,
  IdText,
  LineId,
  maybe,
  Moment,
  RowVersion,
  text,
  Usd,
} from './fields.ts';
import * as subledger from './subledger.ts';
import { alias } from './wire.ts';

/** Estimates for customers: priced like invoices, posted nowhere, and made into invoices. */

const EstimateLine = BillingLineItem.omit({ workItemId: true }).extend({
  /** The quantity that its invoices have, drafts too. */
  invoicedQuantity: decimalField(6),
});

/**
 * A whole estimate. `dueDate` is its expiration date, `arBillingStatus` its state (11 Draft, 12 Sent, 13 Accepted, 14
 * Declined, 15 Invoiced, 16 Void); nothing is ever open on it. `badge` is Expired where one that was sent has expired.
 */
export const BillingEstimate = BillingInvoice.extend({
  lineItems: z.array(EstimateLine),
  /** Printed on it. */
  note: z.string(),
  /** Who accepted or declined it through its private link, as typed there; empty where the company itself said so. */
  answeredBy: z.string(),
  answerNote: z.string(),
  answeredAt: Moment.nullable(),
});
export type BillingEstimate = z.output<typeof BillingEstimate>;

export const BillingEstimateRow = BillingInvoiceRow;
export type BillingEstimateRow = z.output<typeof BillingEstimateRow>;

/** The body that saves an estimate. Totals and number are computed and never read. */
export const BillingEstimateInput = alias(
  z.object({
    id: maybe(LineId),
    invoiceDate: DateField,
    /** Its expiration date; null is none. A new one without it is good for 30 days. */
    dueDate: maybe(DateField),
    customerId: chosenId('Please Select a Customer'),
    /** Its state; a new one is a draft. Invoiced is accepted: whether something is left follows from its invoices. */
    arBillingStatus: maybe(z.number().int().min(ESTIMATE_DRAFT).max(ESTIMATE_VOID)),
    note: maybe(text(500)),
    lineItems: z.array(BillingLineInput).max(1000),
    rowVersion: maybe(RowVersion),
  }),
  { invoiceid: 'id' },
);
export type BillingEstimateInput = z.output<typeof BillingEstimateInput>;

/** An invoice that was made from an estimate; `badge` is Draft or Void where nothing is posted, else empty. */
const MadeInvoice = z.object({
  id: Id,
  invoiceNumber: z.string(),
  invoiceDate: DateField,
  invoiceAmount: Usd,
  badge: z.string(),
});
export type MadeInvoice = z.output<typeof MadeInvoice>;

const InvoicedLine = z.object({ estimateLineId: Id, quantity: decimalField(6) });

/** An invoice of an estimate: its lines and how much of each. Prices are the estimate's, tax is that of the invoice. */
export const EstimateInvoiceInput = z.object({
  invoiceDate: DateField,
  /** Missing: by the customer's terms. */
  dueDate: maybe(DateField),
  isDraft: maybe(z.boolean()),
  lines: z.array(InvoicedLine).min(1, 'Choose at least one line').max(1000),
  /** The version of the estimate that the user saw; 409, with who changed it, if there is a newer one. */
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for an invoice on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type EstimateInvoiceInput = z.output<typeof EstimateInvoiceInput>;

export const estimateDocumentCalls = subledger.documentCalls(
  { path: '/billingestimate', area: 'Billing' },
  { whole: BillingEstimate, row: BillingEstimateRow, input: BillingEstimateInput },
  {
    list: 'Estimates; `status` may be `all`, or `open`: those that are neither declined, void nor invoiced.',
    get: 'One estimate with its lines and tax, and what is invoiced of each line.',
    create: 'Creates an estimate; it posts nothing.',
    update: 'Saves an estimate. What was accepted stays as it is until its state is set back.',
    remove: 'Removes an estimate that no invoice was made from; its number is not used again.',
  },
);

export const estimateCalls = {
  listEstimates: estimateDocumentCalls.list,
  getEstimate: estimateDocumentCalls.get,
  createEstimate: estimateDocumentCalls.create,
  updateEstimate: estimateDocumentCalls.update,
  deleteEstimate: estimateDocumentCalls.remove,
  estimateInvoices: endpoint({
    method: 'GET',
    path: '/billingestimate/{id}/invoices',
    needs: 'View Billing',
    summary: 'The invoices that were made from an estimate, drafts and void ones too.',
    params: z.object({ id: IdText }),
    reply: z.array(MadeInvoice),
  }),
  invoiceEstimate: endpoint({
    method: 'POST',
    path: '/billingestimate/{id}/invoices',
    needs: 'Manage Billing',
    summary: 'Makes an invoice of lines of an estimate, at most of what is not invoiced yet; the estimate is accepted.',
    params: z.object({ id: IdText }),
    body: EstimateInvoiceInput,
    reply: BillingInvoice,
  }),
  viewEstimate: endpoint({
    method: 'GET',
    path: '/estimateview/{id}',
    needs: 'View Billing',
    summary: 'The estimate as a PDF.',
    params: z.object({ id: IdText }),
    reply: 'application/pdf',
  }),
};
