import { VOID } from '@evenkeel/core/documents/invoice';
import * as z from 'zod';
import {
  BillingInvoice,
  BillingInvoiceRow,
  BillingLineInput,
  BillingLineItem,
  DocumentParts,
  partQuery,
  statusUpTo,
} from './billing.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { chosenId, DateField, decimalField, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { sentCalls } from './sending.ts';
import * as subledger from './subledger.ts';
import { alias } from './wire.ts';

/** Customers' credit memos, which reverse amounts that were billed on invoices. */

const CreditLine = BillingLineItem.omit({ workItemId: true, sourceLineId: true }).extend({
  /** The invoice line that this line credits. */
  creditedLineId: Id.nullable(),
});

/**
 * A complete credit memo. Lines and tax items are positive, as they were billed. `salesTaxAmount`, `invoiceAmount`, and
 * `openAmount` are negative, like their effect on the customer's balance. `badge` is Draft, Void, Credit, or Applied.
 */
export const BillingCredit = BillingInvoice.extend({
  lineItems: z.array(CreditLine),
  /** The invoice that the credit memo was created from. Null if there is none. */
  creditedInvoiceId: Id.nullable(),
  /** The reason, which is printed on the credit memo. */
  reason: z.string(),
});
export type BillingCredit = z.output<typeof BillingCredit>;

export const BillingCreditRow = BillingInvoiceRow.extend({ creditedInvoiceId: Id.nullable() });
export type BillingCreditRow = z.output<typeof BillingCreditRow>;

const CreditLineInput = BillingLineInput.extend({
  /** The credited invoice line. If given, everything except the quantity comes from that line. */
  creditedLineId: maybe(Id),
});
export type CreditLineInput = z.output<typeof CreditLineInput>;

/**
 * The body that saves a credit memo. Totals, number, and open amount are calculated, so they are ignored in requests.
 */
export const BillingCreditInput = alias(
  z.object({
    id: maybe(LineId),
    invoiceDate: DateField,
    customerId: chosenId('Please Select a Customer'),
    arBillingStatus: maybe(statusUpTo(VOID)),
    reason: maybe(text(500)),
    /**
     * The credited invoice of a new credit memo. Every line must then refer to a line on that invoice. The credited
     * invoice can't be changed later.
     */
    creditedInvoiceId: maybe(Id),
    lineItems: z.array(CreditLineInput).max(1000),
    /**
     * The amount that a new credit memo applies to the credited invoice in the same transaction. At most the invoice's
     * open balance.
     */
    applyAmount: maybe(Usd),
    rowVersion: maybe(RowVersion),
    /** An administrator's reason for a change on or before the closing date. */
    closingOverrideReason: maybe(text(500)),
  }),
  { invoiceid: 'id' },
);
export type BillingCreditInput = z.output<typeof BillingCreditInput>;

/** The credited part of an invoice, for the form that credits the remaining part. */
const Creditable = z.object({
  invoiceId: Id,
  lines: z.array(z.object({ lineId: Id, creditedQuantity: decimalField(6) })),
  parts: DocumentParts,
});
export type Creditable = z.output<typeof Creditable>;

/**
 * The filters for the credit list: credits with a remaining amount, credit memos, write-offs, and refunds. By default,
 * the list contains all of them.
 */
const creditParts = ['remaining', 'creditmemo', 'writeoff', 'refund'] as const;
export type CreditPart = (typeof creditParts)[number];

/** A credit memo, a write-off, or a refund. Amounts are positive. */
const CreditRow = z.object({
  id: Id,
  kind: z.enum(['creditmemo', 'writeoff', 'refund']),
  number: z.string(),
  date: DateField,
  customerId: Id,
  customerDisplayName: z.string(),
  /** The status of a credit memo. Null for write-offs and refunds. */
  arBillingStatus: z.number().int().nullable(),
  /** Draft, Void, Credit, or Applied. Posted for write-offs and refunds. */
  badge: z.string(),
  /**
   * The documents that a credit memo was applied to, the written-off invoice, or the credit memos and payments that
   * a refund pays back, for example "invoice 10568". At most three.
   */
  usedFor: z.array(z.string()),
  /** The total number of these documents and payments. */
  usedCount: z.number().int(),
  /** The amount of a credit memo that was applied to documents or refunded. */
  appliedAmount: Usd,
  refundedAmount: Usd,
  /** The reason for a credit memo or write-off. */
  reason: z.string(),
  checkNumber: z.string(),
  amount: Usd,
  /** The remaining credit of a credit memo. */
  remainingAmount: Usd,
});
export type CreditRow = z.output<typeof CreditRow>;

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
  listAllCredits: endpoint({
    method: 'GET',
    path: '/customercredit',
    needs: 'View Billing',
    summary: 'Lists credit memos, write-offs, and refunds, sorted by date. Set `status` to filter them.',
    query: PageQuery.extend({ status: z.enum(creditParts).optional() }),
    reply: listOf(CreditRow),
  }),
  creditable: endpoint({
    method: 'GET',
    path: '/billinginvoice/{id}/credited',
    needs: 'View Billing',
    summary:
      'Returns the credited quantity of each invoice line, including quantities on draft credit memos. ' +
      'Lines without credits are omitted. ' +
      'Set `parts` to include the credited amounts and tax. Set `without` to exclude one credit memo.',
    params: z.object({ id: IdText }),
    query: partQuery,
    reply: Creditable,
  }),
  viewCredit: creditMemoCalls.view,
  creditSending: creditMemoCalls.sending,
};
