import { VOID } from '@evenkeel/core/documents/invoice';
import * as z from 'zod';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import {
  chosenId,
  DateField,
  decimalField,
  Id,
  IdText,
  LineId,
  maybe,
  Price,
  RowVersion,
  text,
  Usd,
} from './fields.ts';
import { sentCalls } from './sending.ts';
import * as subledger from './subledger.ts';
import { alias } from './wire.ts';

/** Invoices and customer payments. */

const LineTaxItem = z.object({ salesTaxType: z.number().int(), total: decimalField(6) });
const TaxItem = z.object({
  id: Id,
  label: z.string(),
  salesTaxType: z.number().int(),
  percentage: decimalField(6),
  /** True if the tax was rounded once at the combined rate of all items. Otherwise missing. */
  combined: z.boolean().optional(),
  total: Usd,
});

/** A package component on a line, as it was when the line was created. `amount` is its posted share. */
const LinePart = z.object({
  /** Either a product or a discount. */
  productID: Id.nullable(),
  discountID: Id.nullable(),
  name: z.string(),
  GLAccountID: Id,
  profitCenterID: Id.nullable(),
  taxable: z.boolean(),
  productServiceType: z.number().int(),
  productCategoryID: Id.nullable(),
  quantity: decimalField(4),
  weight: decimalField(6),
  amount: Usd,
});

/** The terms of a line's discount, as they were when the line was created. */
const LineTerms = z.object({
  discountType: z.number().int(),
  discountTypeTarget: z.number().int(),
  productCategoryID: Id.nullable(),
  discountPercentage: decimalField(6),
  discountFlatValue: Usd,
  /** The amount on which the percentage is based. Null for a fixed amount. */
  base: decimalField(6).nullable(),
});

export const BillingLineItem = z.object({
  id: Id,
  /** The work item that the line bills. Missing in responses from older versions. */
  workItemId: Id.nullish(),
  /** The estimate line that this line was created from. Missing if there is none. */
  sourceLineId: Id.nullish(),
  productId: Id.nullable(),
  packageId: Id.nullable(),
  discountId: Id.nullable(),
  isProduct: z.boolean(),
  isPackage: z.boolean(),
  isDiscount: z.boolean(),
  isProductLine: z.boolean(),
  /** The display name of the product, package, or discount. */
  productName: z.string().nullable(),
  itemPrice: Usd,
  itemAmount: decimalField(4),
  quantity: decimalField(6),
  description: z.string(),
  serviceDate: DateField.nullable(),
  taxable: z.boolean(),
  accountId: Id,
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  lineItemAmount: Usd,
  lineItemTax: decimalField(6),
  taxItems: z.array(LineTaxItem),
  packageParts: z.array(LinePart).nullable(),
  discountTerms: LineTerms.nullable(),
  deleted: z.boolean(),
});

/**
 * A document and the other documents that are parts of it, including drafts: an invoice's credit memos or an estimate's
 * invoices. The last part takes the remainder (docs/accounting.md, "Credit memos").
 */
export const DocumentParts = z.object({
  lines: z.array(
    z.object({
      id: Id,
      quantity: decimalField(6),
      amount: Usd,
      /** The type of a discount. Null for other lines. */
      discountType: z.number().int().nullable(),
      taken: z.object({ quantity: decimalField(6), amount: Usd }),
    }),
  ),
  /** Tax items that have the same percentage in every part. */
  taxItems: z.array(z.object({ id: Id, percentage: decimalField(6), total: Usd })),
  taken: z.object({
    /** The number of parts. */
    count: z.number().int(),
    /** Whether a part has lines that are not from this document. */
    hasOtherLines: z.boolean(),
    taxItems: z.array(z.object({ id: Id, total: Usd })),
  }),
});
export type DocumentParts = z.output<typeof DocumentParts>;

/** The part that is being edited, which the response excludes. */
export const partQuery = z.object({ without: IdText.optional() });

/** A complete invoice. `badge` is the derived status (Paid, Partially paid, Overdue …), which is never stored. */
export const BillingInvoice = z.object({
  id: Id,
  invoiceid: Id,
  invoiceNumber: z.string(),
  invoiceDate: DateField,
  dueDate: DateField.nullable(),
  customerId: Id,
  customerDisplayName: z.string(),
  arBillingStatus: z.number().int(),
  lineItems: z.array(BillingLineItem),
  taxItems: z.array(TaxItem),
  salesTaxAmount: Usd,
  invoiceAmount: Usd,
  ...subledger.discountFields,
  salesTaxScenario: Id.nullable(),
  /** The estimate that the invoice was created from. Missing if there is none. */
  estimateId: Id.optional(),
  /** The customer's purchase order number and a note to the customer. Missing if empty. */
  poNumber: z.string().optional(),
  customerNote: z.string().optional(),
  /** The payment terms, for example "Net 30". Empty if the invoice has no due date. */
  terms: z.string().optional(),
  entryDate: DateField,
  openAmount: Usd,
  readyToPay: z.boolean(),
  badge: z.string(),
  daysOverdue: z.number().int(),
  rowVersion: RowVersion,
});
export type BillingInvoice = z.output<typeof BillingInvoice>;

export const BillingInvoiceRow = BillingInvoice.pick({
  id: true,
  invoiceid: true,
  invoiceNumber: true,
  invoiceDate: true,
  dueDate: true,
  customerId: true,
  customerDisplayName: true,
  arBillingStatus: true,
  salesTaxAmount: true,
  invoiceAmount: true,
  poNumber: true,
  customerNote: true,
  terms: true,
  openAmount: true,
  readyToPay: true,
  badge: true,
  daysOverdue: true,
  rowVersion: true,
});
export type BillingInvoiceRow = z.output<typeof BillingInvoiceRow>;

export const BillingLineInput = z.object({
  id: maybe(LineId),
  productId: maybe(Id),
  packageId: maybe(Id),
  discountId: maybe(Id),
  itemPrice: Price,
  quantity: decimalField(6),
  description: text(2000),
  serviceDate: maybe(DateField),
  taxable: maybe(z.boolean()),
  accountId: maybe(Id),
  profitCenterId: maybe(Id),
  locationId: maybe(Id),
  deleted: maybe(z.boolean()),
});
export type BillingLineInput = z.output<typeof BillingLineInput>;

const NO_STATUS = 'Please Select a Billing Status';

/** Returns the schema for a billing status ID from 1 to `last`. */
export const statusUpTo = (last: number) => z.number(NO_STATUS).int(NO_STATUS).min(1, NO_STATUS).max(last, NO_STATUS);

/** The body that saves an invoice. Totals, number, and open amount are calculated, so they are ignored in requests. */
export const BillingInvoiceInput = alias(
  z.object({
    id: maybe(LineId),
    invoiceDate: DateField,
    dueDate: maybe(DateField),
    ...subledger.discountInputFields,
    customerId: chosenId('Please Select a Customer'),
    arBillingStatus: maybe(statusUpTo(VOID)),
    /**
     * The sales tax scenario. If missing, null, or 0, the customer's scenario is used, or else the company's. A saved
     * invoice keeps its scenario until its date or customer changes. If the customer changes but the scenario does not,
     * the scenario counts as missing.
     */
    salesTaxScenario: maybe(Id),
    /** The customer's purchase order number and a note to the customer. Missing fields do not change. */
    poNumber: maybe(text(50)),
    customerNote: maybe(text(2000)),
    lineItems: z.array(BillingLineInput).max(1000),
    rowVersion: maybe(RowVersion),
    /** An administrator's reason for a change on or before the closing date. */
    closingOverrideReason: maybe(text(500)),
  }),
  { invoiceid: 'id' },
);
export type BillingInvoiceInput = z.output<typeof BillingInvoiceInput>;

const BillingStatus = z.object({ id: Id, displayName: z.string(), displayOrder: z.number().int() });

export const BillingPayment = z.object({
  ...subledger.paymentFields,
  customerId: Id,
  customerDisplayName: z.string(),
  paymentTypeId: Id.nullable(),
  paymentRefNumber: z.string(),
});
export type BillingPayment = z.output<typeof BillingPayment>;

export const BillingPaymentInput = alias(
  z.object({
    ...subledger.paymentInputFields,
    customerId: chosenId('Please Select a Customer'),
    /** If the type is missing or 0, a saved payment keeps its type, and a new payment gets the first payment type. */
    paymentTypeId: maybe(Id),
  }),
  { paymentRefNumber: 'paymentRefNo' },
);
export type BillingPaymentInput = z.output<typeof BillingPaymentInput>;

export const invoiceCalls = {
  ...subledger.documentCalls(
    { path: '/billinginvoice', area: 'Billing' },
    { whole: BillingInvoice, row: BillingInvoiceRow, input: BillingInvoiceInput },
    {
      list:
        'Lists open invoices and drafts. Set `status` to `all`, `paid`, `overdue`, `draft`, or `hold` for other ' +
        'invoices.',
      get: 'Returns an invoice with its lines and tax.',
      create: 'Creates an invoice, assigns the next number, and posts it unless it is a draft.',
      update: 'Updates an invoice and posts the difference.',
      remove: 'Reverses and deletes an invoice that has no payments. Its number is not reused.',
    },
  ),
  ...sentCalls('invoice', 'an invoice'),
};

export const customerPaymentCalls = subledger.paymentCalls(
  { path: '/billingpayment', area: 'Billing' },
  { whole: BillingPayment, row: BillingInvoiceRow, input: BillingPaymentInput },
  {
    list: 'Lists customer payments, sorted by date.',
    get: 'Returns a customer payment with its applications.',
    create:
      'Creates and posts a customer payment. Without `paymentApplications`, the payment is applied to open invoices ' +
      'in list order.',
    payable:
      'Returns the invoices in `ids` that are open, in list order. The invoices can belong to different customers.',
    defaults:
      "Returns the type and account of your last customer payment and refund, and each bank account's next check " +
      'number.',
    createAll: 'Creates and posts several customer payments in order. If one fails, none are saved.',
    update: 'Updates a payment and posts the difference. You can also apply remaining credit.',
    remove: 'Reverses and deletes a payment. Its invoices become open again.',
  },
);

export const receiptCalls = sentCalls('receipt', 'a payment receipt');

const customerParams = z.object({ customerId: IdText });

const customerHomeCalls = subledger.homeCalls(
  { entity: 'customer', params: customerParams, needs: ['View Billing', 'View Customers'] },
  {
    standing: "Returns a customer's balance today, the overdue amount, and the remaining credit.",
    activity:
      "Lists a customer's invoices, drafts, and payments, newest first. Journal entries require " +
      'permission to view the ledger.',
  },
);

export const billingCalls = {
  listInvoices: invoiceCalls.list,
  getInvoice: invoiceCalls.get,
  invoicePayments: invoiceCalls.paidBy,
  createInvoice: invoiceCalls.create,
  updateInvoice: invoiceCalls.update,
  deleteInvoice: invoiceCalls.remove,
  viewInvoice: invoiceCalls.view,
  invoiceSending: invoiceCalls.sending,
  viewReceipt: receiptCalls.view,
  receiptSending: receiptCalls.sending,
  listStatuses: endpoint({
    method: 'GET',
    path: '/billingstatuses',
    needs: 'signed-in',
    summary: 'Lists the billing statuses: Draft, Open, Sent, On Hold, and Void.',
    reply: z.array(BillingStatus),
  }),
  invoiceHistory: endpoint({
    method: 'PUT',
    path: '/BillingInvoiceHistory',
    needs: 'View Billing',
    summary: 'Lists the invoices dated in a period, sorted by date and number. Set `status` to filter them.',
    query: PageQuery.extend({ status: z.enum(subledger.listStatuses).optional() }),
    body: z.object({ fromDate: DateField, toDate: DateField }),
    reply: listOf(BillingInvoiceRow),
    reads: true,
  }),
  customerHistory: endpoint({
    method: 'GET',
    path: '/customerbillinghistory/{customerId}',
    needs: ['View Billing', 'View Customers'],
    summary: "Lists a customer's invoices and payments. `balance` is the unpaid or unapplied amount.",
    params: customerParams,
    reply: z.array(subledger.HistoryRow),
  }),
  customerStanding: customerHomeCalls.standing,
  customerActivity: customerHomeCalls.activity,
  openInvoices: endpoint({
    method: 'GET',
    path: '/customeropeninvoices/{customerId}',
    needs: 'View Billing',
    summary: "Lists a customer's open invoices, in list order.",
    params: customerParams,
    reply: z.array(subledger.OpenDocument),
  }),
  openInvoicesForPayment: endpoint({
    method: 'GET',
    path: '/customeropeninvoices/{customerId}/{paymentId}',
    needs: 'View Billing',
    summary:
      "Lists a customer's open invoices, plus the invoices that this payment is applied to and the " +
      'applied amounts.',
    params: z.object({ customerId: IdText, paymentId: IdText }),
    reply: z.array(subledger.OpenDocument),
  }),
  listPayments: customerPaymentCalls.list,
  getPayment: customerPaymentCalls.get,
  createPayment: customerPaymentCalls.create,
  payableInvoices: customerPaymentCalls.payable,
  paymentDefaults: customerPaymentCalls.defaults,
  createPayments: customerPaymentCalls.createAll,
  updatePayment: customerPaymentCalls.update,
  deletePayment: customerPaymentCalls.remove,
};
