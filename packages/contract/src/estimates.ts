import { ESTIMATE_DRAFT, ESTIMATE_VOID } from '@evenkeel/core/documents/estimate';
import * as z from 'zod';
import {
  BillingInvoice,
  BillingInvoiceRow,
  BillingLineInput,
  BillingLineItem,
  DocumentParts,
  partQuery,
} from './billing.ts';
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

/** Estimates for customers. Estimates are priced like invoices, post nothing, and can be converted to invoices. */

const EstimateLine = BillingLineItem.omit({ workItemId: true, sourceLineId: true }).extend({
  /** The quantity that is already on the estimate's invoices, including drafts. */
  invoicedQuantity: decimalField(6),
});

/**
 * A complete estimate. `dueDate` is its expiration date, and `arBillingStatus` is its status (11 Draft, 12 Sent, 13
 * Accepted, 14 Declined, 15 Invoiced, 16 Void). An estimate never has an open balance. `badge` is Expired if a sent
 * estimate has expired.
 */
export const BillingEstimate = BillingInvoice.extend({
  lineItems: z.array(EstimateLine),
  /** The note, which is printed on the estimate. */
  note: z.string(),
  /**
   * The name that the customer entered to accept or decline the estimate through its private link. Empty if a user set
   * the status.
   */
  answeredBy: z.string(),
  answerNote: z.string(),
  answeredAt: Moment.nullable(),
});
export type BillingEstimate = z.output<typeof BillingEstimate>;

export const BillingEstimateRow = BillingInvoiceRow;
export type BillingEstimateRow = z.output<typeof BillingEstimateRow>;

/** The body that saves an estimate. Totals and number are calculated, so they are ignored in requests. */
export const BillingEstimateInput = alias(
  z.object({
    id: maybe(LineId),
    invoiceDate: DateField,
    /** The expiration date. Null means none. Defaults to 30 days for a new estimate. */
    dueDate: maybe(DateField),
    customerId: chosenId('Please Select a Customer'),
    /**
     * The status. A new estimate is a draft by default. Invoiced is treated as Accepted, because the invoices determine
     * whether anything remains to be invoiced.
     */
    arBillingStatus: maybe(z.number().int().min(ESTIMATE_DRAFT).max(ESTIMATE_VOID)),
    note: maybe(text(500)),
    lineItems: z.array(BillingLineInput).max(1000),
    rowVersion: maybe(RowVersion),
  }),
  { invoiceid: 'id' },
);
export type BillingEstimateInput = z.output<typeof BillingEstimateInput>;

/** An invoice created from an estimate. `badge` is Draft or Void if the invoice is not posted, and empty otherwise. */
const MadeInvoice = z.object({
  id: Id,
  invoiceNumber: z.string(),
  invoiceDate: DateField,
  invoiceAmount: Usd,
  badge: z.string(),
});
export type MadeInvoice = z.output<typeof MadeInvoice>;

const InvoicedLine = z.object({ estimateLineId: Id, quantity: decimalField(6) });

/**
 * An invoice to create from an estimate: the lines and their quantities. Prices come from the estimate, and the tax is
 * calculated for the invoice.
 */
export const EstimateInvoiceInput = z.object({
  invoiceDate: DateField,
  /** Defaults to the customer's terms. */
  dueDate: maybe(DateField),
  isDraft: maybe(z.boolean()),
  lines: z.array(InvoicedLine).min(1, 'Select at least one line').max(1000),
  /**
   * The version of the estimate that the user saw. If there is a newer version, the call returns 409 with the name of
   * the user who saved the newer version.
   */
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
      update: 'Updates an estimate. To change an accepted estimate, first set its status back to Draft or Sent.',
      remove: 'Deletes an estimate that has no invoices. Its number is not reused.',
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
  invoiceable: endpoint({
    method: 'GET',
    path: '/billingestimate/{id}/invoiced',
    needs: 'View Billing',
    summary:
      "Returns each estimate line's quantity and amount, the tax, and how much of each has been invoiced, including " +
      'on drafts. Set `without` to exclude one invoice.',
    params: z.object({ id: IdText }),
    query: partQuery,
    reply: z.object({ estimateId: Id, parts: DocumentParts }),
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
