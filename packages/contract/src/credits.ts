import { VOID } from '@evenkeel/core/documents/invoice';
import * as z from 'zod';
import { BillingInvoice, BillingInvoiceRow, BillingLineInput, BillingLineItem, statusUpTo } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { chosenId, DateField, decimalField, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { sentCalls } from './sending.ts';
import * as subledger from './subledger.ts';
import { alias } from './wire.ts';

/** Credit memos of customers: what an invoice billed, taken back. */

const CreditLine = BillingLineItem.omit({ workItemId: true }).extend({
  /** The line of the invoice that it credits. */
  creditedLineId: Id.nullable(),
});

/**
 * A whole credit memo. Lines and tax items are as they were billed, above zero; `salesTaxAmount`, `invoiceAmount` and
 * `openAmount` are what it adds to the customer's balance, below zero. `badge` is Draft, Void, Credit or Applied.
 */
export const BillingCredit = BillingInvoice.extend({
  lineItems: z.array(CreditLine),
  /** The invoice that it was made from; null where it stands alone. */
  creditedInvoiceId: Id.nullable(),
  /** Printed on it. */
  reason: z.string(),
});
export type BillingCredit = z.output<typeof BillingCredit>;

export const BillingCreditRow = BillingInvoiceRow.extend({ creditedInvoiceId: Id.nullable() });
export type BillingCreditRow = z.output<typeof BillingCreditRow>;

const CreditLineInput = BillingLineInput.extend({
  /** With it all but the quantity is that of the invoice's line. */
  creditedLineId: maybe(Id),
});
export type CreditLineInput = z.output<typeof CreditLineInput>;

/** The body that saves a credit memo. Totals, number and open amount are computed and never read. */
export const BillingCreditInput = alias(
  z.object({
    id: maybe(LineId),
    invoiceDate: DateField,
    customerId: chosenId('Please Select a Customer'),
    arBillingStatus: maybe(statusUpTo(VOID)),
    reason: maybe(text(500)),
    /** A new one: every line then names a line of that invoice. It stays as it was first saved. */
    creditedInvoiceId: maybe(Id),
    lineItems: z.array(CreditLineInput).max(1000),
    /** A new one: applied to the invoice that it credits with the same commit, at most what is unpaid. */
    applyAmount: maybe(Usd),
    rowVersion: maybe(RowVersion),
    /** An administrator's reason for changing something on or before the closing date. */
    closingOverrideReason: maybe(text(500)),
  }),
  { invoiceid: 'id' },
);
export type BillingCreditInput = z.output<typeof BillingCreditInput>;

/** Quantities of an invoice's lines that are credited, for the form that credits the rest. */
const Creditable = z.object({
  invoiceId: Id,
  lines: z.array(z.object({ lineId: Id, creditedQuantity: decimalField(6) })),
});
export type Creditable = z.output<typeof Creditable>;

export const creditMemoCalls = {
  ...subledger.documentCalls(
    { path: '/billingcredit', area: 'Billing' },
    { whole: BillingCredit, row: BillingCreditRow, input: BillingCreditInput },
    {
      list:
        'Lists credit memos with remaining credit, and drafts. Set `status` to `all`, `paid` (fully ' +
        'applied), or `draft`.',
      get: 'Returns a credit memo with its lines and tax.',
      create: 'Creates and posts a credit memo, with or without an invoice. You can apply it in the same request.',
      update: 'Updates a credit memo and posts the difference.',
      remove: 'Reverses and deletes a credit memo that is not applied. Its number is not reused.',
    },
  ),
  ...sentCalls('credit', 'a credit memo'),
};

export const creditCalls = {
  listCredits: creditMemoCalls.list,
  getCredit: creditMemoCalls.get,
  creditPayments: creditMemoCalls.paidBy,
  createCredit: creditMemoCalls.create,
  updateCredit: creditMemoCalls.update,
  deleteCredit: creditMemoCalls.remove,
  creditable: endpoint({
    method: 'GET',
    path: '/billinginvoice/{id}/credited',
    needs: 'View Billing',
    summary: 'Returns the credited quantity of each invoice line, including drafts. Lines without credits are omitted.',
    params: z.object({ id: IdText }),
    reply: Creditable,
  }),
  viewCredit: creditMemoCalls.view,
  creditSending: creditMemoCalls.sending,
};
