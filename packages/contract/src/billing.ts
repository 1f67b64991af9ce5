import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { chosenId, DateField, decimalField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { alias } from './wire.ts';

/** Billing invoices and customer payments (Specification part 1 §2, §3, §7; wire: Billing). */

const LineTaxItem = z.object({ salesTaxType: z.number().int(), total: decimalField(6) });
const TaxItem = z.object({
  id: Id,
  label: z.string(),
  salesTaxType: z.number().int(),
  percentage: decimalField(6),
  total: Usd,
});

/** What is in a package on a line, as it was when the line was made; `amount` is what is posted of it. */
const LinePart = z.object({
  /** One of the two. */
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

/** What a discount on a line takes off, as it was when the line was made. */
const LineTerms = z.object({
  discountType: z.number().int(),
  discountTypeTarget: z.number().int(),
  productCategoryID: Id.nullable(),
  discountPercentage: decimalField(6),
  discountFlatValue: Usd,
  /** What the percentage was taken of; null for a fixed amount. */
  base: decimalField(6).nullable(),
});

const BillingLineItem = z.object({
  id: Id,
  productId: Id.nullable(),
  packageId: Id.nullable(),
  discountId: Id.nullable(),
  isProduct: z.boolean(),
  isPackage: z.boolean(),
  isDiscount: z.boolean(),
  isProductLine: z.boolean(),
  /** Name of the product, package or discount, for showing. */
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

/** A whole invoice; `badge` is the derived state (Paid, Partially paid, Overdue …), never stored. */
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
  salesTaxScenario: Id.nullable(),
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
  itemPrice: Usd,
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

/** What a client may say of an invoice. Totals, number and open amount are computed and never read. */
export const BillingInvoiceInput = alias(
  z.object({
    id: maybe(Id),
    invoiceDate: DateField,
    dueDate: maybe(DateField),
    customerId: chosenId('Please Select a Customer'),
    arBillingStatus: maybe(z.number(NO_STATUS).int(NO_STATUS).min(1, NO_STATUS).max(5, NO_STATUS)),
    lineItems: z.array(BillingLineInput).max(1000),
    rowVersion: maybe(RowVersion),
    /** An administrator's reason for changing something on or before the closing date. */
    closingOverrideReason: maybe(text(500)),
  }),
  { invoiceid: 'id' },
);
export type BillingInvoiceInput = z.output<typeof BillingInvoiceInput>;

const BillingStatus = z.object({ id: Id, displayName: z.string(), displayOrder: z.number().int() });

const PaymentApplication = z.object({
  invoiceId: Id,
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  amount: Usd,
  invoiceDescription: z.string(),
});

export const BillingPayment = z.object({
  id: Id,
  customerId: Id,
  customerDisplayName: z.string(),
  paymentDate: DateField,
  paymentAmount: Usd,
  unappliedAmount: Usd,
  paymentTypeId: Id.nullable(),
  paymentRefNo: z.string(),
  paymentRefNumber: z.string(),
  paymentCheckNo: z.string(),
  paymentDescription: z.string(),
  paymentNumber: z.string(),
  bankAccountId: Id.nullable(),
  paymentAccountId: Id.nullable(),
  accountId: Id,
  entryDate: DateField,
  documentLinks: z.array(DocumentLink),
  paymentApplications: z.array(PaymentApplication),
  rowVersion: RowVersion,
});
export type BillingPayment = z.output<typeof BillingPayment>;

/** Reply of a posted payment: the payment, the invoices it touched and the journal transaction. */
export const PostedBillingPayment = BillingPayment.extend({
  affectedInvoices: z.array(BillingInvoiceRow),
  transactionID: Id,
});

export const BillingPaymentInput = alias(
  z.object({
    id: maybe(Id),
    customerId: chosenId('Please Select a Customer'),
    paymentDate: DateField,
    paymentAmount: Usd,
    paymentTypeId: maybe(Id),
    paymentRefNo: maybe(text(100)),
    paymentCheckNo: maybe(text(50)),
    paymentDescription: maybe(text(500)),
    bankAccountId: maybe(Id),
    paymentAccountId: maybe(Id),
    /** Missing: filled in list order. Empty: all stays the customer's credit. */
    paymentApplications: maybe(z.array(z.object({ invoiceId: Id, amount: Usd })).max(1000)),
    documentLinks: documentLinksInput,
    rowVersion: maybe(RowVersion),
    closingOverrideReason: maybe(text(500)),
  }),
  { paymentRefNumber: 'paymentRefNo' },
);
export type BillingPaymentInput = z.output<typeof BillingPaymentInput>;

export const CustomerOpenInvoice = z.object({
  invoiceId: Id,
  invoiceNumber: z.string(),
  invoiceDate: DateField,
  dueDate: DateField.nullable(),
  invoiceAmount: Usd,
  openAmount: Usd,
  appliedAmount: Usd,
  applyAmount: Usd,
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  lineItems: z.array(
    z.object({
      description: z.string(),
      lineItemAmount: Usd,
      profitCenterId: Id.nullable(),
      locationId: Id.nullable(),
    }),
  ),
});
export type CustomerOpenInvoice = z.output<typeof CustomerOpenInvoice>;

const HistoryRow = z.object({
  refNumber: z.string(),
  historyDate: DateField,
  amount: Usd,
  balance: Usd,
  id: Id,
  kind: z.enum(['invoice', 'payment']),
});

const idParams = z.object({ id: IdText });
const customerParams = z.object({ customerId: IdText });

/** An administrator's reason when what is deleted lies on or before the closing date. */
const closingQuery = z.object({ closingOverrideReason: text(500).optional() });

export const billingCalls = {
  listInvoices: endpoint({
    method: 'GET',
    path: '/billinginvoice',
    needs: 'View Billing',
    summary: 'Open invoices and drafts; `status=all` answers every invoice.',
    query: PageQuery.extend({ status: z.enum(['open', 'all']).optional() }),
    reply: listOf(BillingInvoiceRow),
  }),
  getInvoice: endpoint({
    method: 'GET',
    path: '/billinginvoice/{id}',
    needs: 'View Billing',
    summary: 'One invoice with its lines and tax.',
    params: idParams,
    reply: BillingInvoice,
  }),
  createInvoice: endpoint({
    method: 'POST',
    path: '/billinginvoice',
    needs: 'Manage Billing',
    summary: 'Creates an invoice, gives it the next number and posts it unless it is a draft.',
    body: BillingInvoiceInput,
    reply: BillingInvoice,
  }),
  updateInvoice: endpoint({
    method: 'PUT',
    path: '/billinginvoice',
    needs: 'Manage Billing',
    summary: 'Saves an invoice and posts the difference.',
    body: BillingInvoiceInput,
    reply: BillingInvoice,
  }),
  deleteInvoice: endpoint({
    method: 'DELETE',
    path: '/billinginvoice/{id}',
    needs: 'Manage Billing',
    summary: 'Reverses and removes an invoice without payments; its number is not used again.',
    params: idParams,
    query: closingQuery,
    reply: Done,
  }),
  viewInvoice: endpoint({
    method: 'GET',
    path: '/invoiceview/{id}',
    needs: 'View Billing',
    summary: 'The invoice as a PDF.',
    params: idParams,
    reply: 'application/pdf',
  }),
  listStatuses: endpoint({
    method: 'GET',
    path: '/billingstatuses',
    needs: 'signed-in',
    summary: 'Billing statuses: Draft, Open, Sent, On Hold, Void.',
    reply: z.array(BillingStatus),
  }),
  invoiceHistory: endpoint({
    method: 'PUT',
    path: '/BillingInvoiceHistory',
    needs: 'View Billing',
    summary: 'Invoices dated within the window, ordered by date, then number.',
    query: PageQuery,
    body: z.object({ fromDate: DateField, toDate: DateField }),
    reply: listOf(BillingInvoiceRow),
    reads: true,
  }),
  customerHistory: endpoint({
    method: 'GET',
    path: '/customerbillinghistory/{customerId}',
    needs: ['View Billing', 'View Customers'],
    summary: 'Invoices and payments of one customer; balance is what is unpaid or unapplied.',
    params: customerParams,
    reply: z.array(HistoryRow),
  }),
  openInvoices: endpoint({
    method: 'GET',
    path: '/customeropeninvoices/{customerId}',
    needs: 'View Billing',
    summary: 'Invoices of a customer with an open amount, in list order.',
    params: customerParams,
    reply: z.array(CustomerOpenInvoice),
  }),
  openInvoicesForPayment: endpoint({
    method: 'GET',
    path: '/customeropeninvoices/{customerId}/{paymentId}',
    needs: 'View Billing',
    summary: 'As without a payment, and the invoices which that payment touched, with what it applied.',
    params: z.object({ customerId: IdText, paymentId: IdText }),
    reply: z.array(CustomerOpenInvoice),
  }),
  getPayment: endpoint({
    method: 'GET',
    path: '/billingpayment/{id}',
    needs: 'View Billing',
    summary: 'One customer payment with its applications.',
    params: idParams,
    reply: BillingPayment,
  }),
  createPayment: endpoint({
    method: 'POST',
    path: '/billingpayment',
    needs: 'Manage Billing',
    summary: 'Posts a customer payment; without applications it fills the open invoices in list order.',
    body: BillingPaymentInput,
    reply: PostedBillingPayment,
  }),
  updatePayment: endpoint({
    method: 'PUT',
    path: '/billingpayment',
    needs: 'Manage Billing',
    summary: 'Saves a payment and posts the difference; also applies credit that was left.',
    body: BillingPaymentInput,
    reply: PostedBillingPayment,
  }),
  deletePayment: endpoint({
    method: 'DELETE',
    path: '/billingpayment/{id}',
    needs: 'Manage Billing',
    summary: 'Reverses and removes a payment; its invoices are open again.',
    params: idParams,
    query: closingQuery,
    reply: z.object({ ok: z.literal(true), affectedInvoices: z.array(BillingInvoiceRow) }),
  }),
};
