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
import { sentCalls } from './sending.ts';
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
  lines: z.array(InvoicedLine).min(1, 'Select at least one line').max(1000),
  /** The version of the estimate that the user saw; 409, with who changed it, if there is a newer one. */
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for an invoice on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type EstimateInvoiceInput = z.output<typeof EstimateInvoiceInput>;

export const estimateDocumentCalls = {
  ...subledger.documentCalls(
    { path: '/billingestimate', area: 'Billing' },
    { whole: BillingEstimate, row: BillingEstimateRow, input: BillingEstimateInput },
    {
      list:
        "Lists estimates. Set `status` to `all`, or to `open` for estimates that aren't declined, " +
        'void, or fully invoiced.',
      get: 'Returns an estimate with its lines, tax, and the invoiced quantity of each line.',
      create: "Creates an estimate. Estimates don't post to the ledger.",
      update: 'Updates an estimate. To change an accepted estimate, set its status back first.',
      remove: 'Deletes an estimate without invoices. Its number is not reused.',
    },
  ),
  ...sentCalls('estimate', 'an estimate'),
};

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
    summary: 'Lists the invoices created from an estimate, including drafts and void invoices.',
    params: z.object({ id: IdText }),
    reply: z.array(MadeInvoice),
  }),
  invoiceEstimate: endpoint({
    method: 'POST',
    path: '/billingestimate/{id}/invoices',
    needs: 'Manage Billing',
    summary: 'Creates an invoice from the estimate lines you select and marks the estimate as accepted.',
    params: z.object({ id: IdText }),
    body: EstimateInvoiceInput,
    reply: BillingInvoice,
  }),
  viewEstimate: estimateDocumentCalls.view,
  estimateSending: estimateDocumentCalls.sending,
};
