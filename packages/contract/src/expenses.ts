import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { CustomerOpenInvoice } from './billing.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { chosenId, DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { alias } from './wire.ts';

/** Expense invoices (bills of vendors) and expense payments (Specification part 1 §2, §3, §7; wire: Billing). */

const ExpenseLineItem = z.object({
  id: Id,
  description: z.string(),
  /** Never negative: a credit line counts negative by its flag. */
  lineItemAmount: Usd,
  accountId: Id,
  profitCenterId: Id.nullable(),
  creditLine: z.boolean(),
  deleted: z.boolean(),
});

/**
 * A whole bill. `postingDate` is its date in the books, `invoiceDate` the vendor's. A negative amount is a vendor's
 * credit. `badge` is the derived state (Open, Paid, Partially paid, Overdue, Credit), never stored.
 */
export const ExpenseInvoice = z.object({
  id: Id,
  invoiceid: Id,
  vendorId: Id,
  vendorDisplayName: z.string(),
  invoiceNumber: z.string(),
  locationId: Id.nullable(),
  invoiceDate: DateField,
  dueDate: DateField.nullable(),
  postingDate: DateField,
  /** False: paid at once from `bankAccountId`, never open. */
  postToVendorAccount: z.boolean(),
  bankAccountId: Id.nullable(),
  invoiceAmount: Usd,
  openAmount: Usd,
  lineItems: z.array(ExpenseLineItem),
  documentLinks: z.array(DocumentLink),
  entryDate: DateField,
  badge: z.string(),
  daysOverdue: z.number().int(),
  rowVersion: RowVersion,
});
export type ExpenseInvoice = z.output<typeof ExpenseInvoice>;

export const ExpenseInvoiceRow = ExpenseInvoice.omit({ lineItems: true, documentLinks: true, entryDate: true });
export type ExpenseInvoiceRow = z.output<typeof ExpenseInvoiceRow>;

export const ExpenseLineInput = z.object({
  id: maybe(LineId),
  description: text(2000),
  lineItemAmount: Usd,
  accountId: maybe(Id),
  profitCenterId: maybe(Id),
  creditLine: maybe(z.boolean()),
  deleted: maybe(z.boolean()),
});
export type ExpenseLineInput = z.output<typeof ExpenseLineInput>;

/** What a client may say of a bill. Amounts of the whole are computed and never read. */
export const ExpenseInvoiceInput = alias(
  z.object({
    id: maybe(Id),
    vendorId: chosenId('Please Select a Vendor'),
    invoiceNumber: maybe(text(50)),
    locationId: maybe(Id),
    invoiceDate: DateField,
    /** Missing: by the vendor's terms. */
    dueDate: maybe(DateField),
    /** Missing: the invoice date. */
    postingDate: maybe(DateField),
    /** Missing: true. */
    postToVendorAccount: maybe(z.boolean()),
    bankAccountId: maybe(Id),
    lineItems: z.array(ExpenseLineInput).max(1000),
    documentLinks: documentLinksInput,
    rowVersion: maybe(RowVersion),
    /** An administrator's reason for changing something on or before the closing date. */
    closingOverrideReason: maybe(text(500)),
  }),
  { invoiceid: 'id' },
);
export type ExpenseInvoiceInput = z.output<typeof ExpenseInvoiceInput>;

const VendorInvoice = ExpenseInvoice.pick({
  id: true,
  invoiceNumber: true,
  invoiceDate: true,
  invoiceAmount: true,
  openAmount: true,
});

/** As a customer's; a vendor's credit has negative amounts. */
export const VendorOpenInvoice = CustomerOpenInvoice;
export type VendorOpenInvoice = z.output<typeof VendorOpenInvoice>;

const PaymentApplication = z.object({
  invoiceId: Id,
  profitCenterId: Id.nullable(),
  amount: Usd,
  invoiceDescription: z.string(),
});

export const ExpensePayment = z.object({
  id: Id,
  vendorId: Id,
  vendorDisplayName: z.string(),
  paymentDate: DateField,
  paymentAmount: Usd,
  unappliedAmount: Usd,
  paymentRefNo: z.string(),
  paymentCheckNo: z.string(),
  paymentDescription: z.string(),
  paymentNumber: z.string(),
  bankAccountId: Id.nullable(),
  paymentAccountId: Id.nullable(),
  /** The GL account of either. */
  accountId: Id,
  locationId: Id.nullable(),
  entryDate: DateField,
  documentLinks: z.array(DocumentLink),
  paymentApplications: z.array(PaymentApplication),
  rowVersion: RowVersion,
});
export type ExpensePayment = z.output<typeof ExpensePayment>;

/** Reply of a posted payment: the payment, the bills it touched and the journal transaction. */
export const PostedExpensePayment = ExpensePayment.extend({
  affectedInvoices: z.array(ExpenseInvoiceRow),
  transactionID: Id,
});
export type PostedExpensePayment = z.output<typeof PostedExpensePayment>;

export const ExpensePaymentInput = alias(
  z.object({
    id: maybe(Id),
    vendorId: chosenId('Please Select a Vendor'),
    paymentDate: DateField,
    /** 0 where credits pay for all of it. */
    paymentAmount: Usd,
    paymentRefNo: maybe(text(100)),
    paymentCheckNo: maybe(text(50)),
    paymentDescription: maybe(text(500)),
    bankAccountId: maybe(Id),
    paymentAccountId: maybe(Id),
    locationId: maybe(Id),
    /** Missing: filled in list order, without credits. Empty: all stays unapplied. */
    paymentApplications: maybe(z.array(z.object({ invoiceId: Id, amount: Usd })).max(1000)),
    documentLinks: documentLinksInput,
    rowVersion: maybe(RowVersion),
    closingOverrideReason: maybe(text(500)),
  }),
  { paymentRefNumber: 'paymentRefNo' },
);
export type ExpensePaymentInput = z.output<typeof ExpensePaymentInput>;

const HistoryRow = z.object({
  refNumber: z.string(),
  historyDate: DateField,
  amount: Usd,
  balance: Usd,
  id: Id,
  kind: z.enum(['invoice', 'payment']),
});

const idParams = z.object({ id: IdText });
const vendorParams = z.object({ vendorId: IdText });
const closingQuery = z.object({ closingOverrideReason: text(500).optional() });

export const expenseCalls = {
  listExpenses: endpoint({
    method: 'GET',
    path: '/expenseinvoice',
    needs: 'View Expenses',
    summary: 'Bills with an open amount, vendor credits too; `status=all` answers every bill.',
    query: PageQuery.extend({ status: z.enum(['open', 'all']).optional() }),
    reply: listOf(ExpenseInvoiceRow),
  }),
  getExpense: endpoint({
    method: 'GET',
    path: '/expenseinvoice/{id}',
    needs: 'View Expenses',
    summary: 'One bill with its lines.',
    params: idParams,
    reply: ExpenseInvoice,
  }),
  createExpense: endpoint({
    method: 'POST',
    path: '/expenseinvoice',
    needs: 'Manage Expenses',
    summary: 'Creates a bill and posts it: to the vendor, or from a bank account where it is paid at once.',
    body: ExpenseInvoiceInput,
    reply: ExpenseInvoice,
  }),
  updateExpense: endpoint({
    method: 'PUT',
    path: '/expenseinvoice',
    needs: 'Manage Expenses',
    summary: 'Saves a bill and posts the difference.',
    body: ExpenseInvoiceInput,
    reply: ExpenseInvoice,
  }),
  deleteExpense: endpoint({
    method: 'DELETE',
    path: '/expenseinvoice/{id}',
    needs: 'Manage Expenses',
    summary: 'Reverses and removes a bill without payments.',
    params: idParams,
    query: closingQuery,
    reply: Done,
  }),
  vendorInvoices: endpoint({
    method: 'GET',
    path: '/vendorinvoice/GetVendorInvoices/{vendorId}',
    needs: ['View Expenses', 'View Vendors'],
    summary: 'All bills of a vendor, newest first; `invoiceNumber` answers those with that number alone.',
    params: vendorParams,
    query: z.object({ invoiceNumber: text(50).optional() }),
    reply: z.array(VendorInvoice),
  }),
  vendorHistory: endpoint({
    method: 'GET',
    path: '/vendorexpensehistory/{vendorId}',
    needs: ['View Expenses', 'View Vendors'],
    summary: 'Bills and payments of one vendor; balance is what is unpaid or unapplied.',
    params: vendorParams,
    reply: z.array(HistoryRow),
  }),
  vendorOpenInvoices: endpoint({
    method: 'GET',
    path: '/vendoropeninvoices/{vendorId}',
    needs: 'View Expenses',
    summary: 'Bills and credits of a vendor with an open amount, in list order.',
    params: vendorParams,
    reply: z.array(VendorOpenInvoice),
  }),
  vendorOpenInvoicesForPayment: endpoint({
    method: 'GET',
    path: '/vendoropeninvoices/{vendorId}/{paymentId}',
    needs: 'View Expenses',
    summary: 'As without a payment, and the bills which that payment touched, with what it applied.',
    params: z.object({ vendorId: IdText, paymentId: IdText }),
    reply: z.array(VendorOpenInvoice),
  }),
  getExpensePayment: endpoint({
    method: 'GET',
    path: '/expensepayment/{id}',
    needs: 'View Expenses',
    summary: 'One expense payment with its applications.',
    params: idParams,
    reply: ExpensePayment,
  }),
  createExpensePayment: endpoint({
    method: 'POST',
    path: '/expensepayment',
    needs: 'Manage Expenses',
    summary: 'Posts a payment to a vendor; without applications it fills the open bills in list order.',
    body: ExpensePaymentInput,
    reply: PostedExpensePayment,
  }),
  updateExpensePayment: endpoint({
    method: 'PUT',
    path: '/expensepayment',
    needs: 'Manage Expenses',
    summary: 'Saves an expense payment and posts the difference; also applies credit that was left.',
    body: ExpensePaymentInput,
    reply: PostedExpensePayment,
  }),
  deleteExpensePayment: endpoint({
    method: 'DELETE',
    path: '/expensepayment/{id}',
    needs: 'Manage Expenses',
    summary: 'Reverses and removes an expense payment; its bills are open again.',
    params: idParams,
    query: closingQuery,
    reply: z.object({ ok: z.literal(true), affectedInvoices: z.array(ExpenseInvoiceRow) }),
  }),
};
