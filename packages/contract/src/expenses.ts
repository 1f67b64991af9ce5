import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint } from './endpoint.ts';
import { chosenId, DateField, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import * as subledger from './subledger.ts';
import { alias } from './wire.ts';

/** Expense invoices (vendor bills) and expense payments. */

const ExpenseLineItem = z.object({
  id: Id,
  description: z.string(),
  /** Never negative. A flag marks a credit line instead. */
  lineItemAmount: Usd,
  accountId: Id,
  profitCenterId: Id.nullable(),
  creditLine: z.boolean(),
  deleted: z.boolean(),
});

/**
 * A complete bill. `postingDate` is the date in the books, and `invoiceDate` is the date on the vendor's invoice. A
 * negative amount is a vendor credit. `badge` is the derived status (Open, Paid, Partially paid, Overdue, Void; for a
 * credit, Credit or Applied), which is never stored.
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
  /** False if the bill was paid immediately from `bankAccountId` and was never open. */
  postToVendorAccount: z.boolean(),
  bankAccountId: Id.nullable(),
  /** Whether the bill is void. A void bill keeps its number and posts nothing. */
  voided: z.boolean(),
  invoiceAmount: Usd,
  openAmount: Usd,
  ...subledger.discountFields,
  lineItems: z.array(ExpenseLineItem),
  documentLinks: z.array(DocumentLink),
  entryDate: DateField,
  badge: z.string(),
  daysOverdue: z.number().int(),
  rowVersion: RowVersion,
});
export type ExpenseInvoice = z.output<typeof ExpenseInvoice>;

export const ExpenseInvoiceRow = ExpenseInvoice.omit({
  discountPercent: true,
  discountUntil: true,
  lineItems: true,
  documentLinks: true,
  entryDate: true,
});
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

/** The body that saves a bill. Totals are calculated, so they are ignored in requests. */
export const ExpenseInvoiceInput = alias(
  z.object({
    id: maybe(LineId),
    vendorId: chosenId('Please Select a Vendor'),
    invoiceNumber: maybe(text(50)),
    locationId: maybe(Id),
    invoiceDate: DateField,
    /** Defaults to the vendor's terms. */
    dueDate: maybe(DateField),
    ...subledger.discountInputFields,
    /** Defaults to the invoice date. */
    postingDate: maybe(DateField),
    /** Defaults to true. False pays the bill immediately from `bankAccountId`. */
    postToVendorAccount: maybe(z.boolean()),
    /** Defaults to the saved account of a bill that was paid immediately. */
    bankAccountId: maybe(Id),
    /** Whether the bill is void. If missing, the status does not change. A bill with payments can't be voided. */
    voided: maybe(z.boolean()),
    lineItems: z.array(ExpenseLineInput).max(1000),
    documentLinks: documentLinksInput,
    rowVersion: maybe(RowVersion),
    /** An administrator's reason for a change on or before the closing date. */
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
  voided: true,
});

export const ExpensePayment = z.object({
  ...subledger.paymentFields,
  vendorId: Id,
  vendorDisplayName: z.string(),
  locationId: Id.nullable(),
});
export type ExpensePayment = z.output<typeof ExpensePayment>;

export const ExpensePaymentInput = alias(
  z.object({
    ...subledger.paymentInputFields,
    vendorId: chosenId('Please Select a Vendor'),
    locationId: maybe(Id),
  }),
  { paymentRefNumber: 'paymentRefNo' },
);
export type ExpensePaymentInput = z.output<typeof ExpensePaymentInput>;

export const billCalls = subledger.documentCalls(
  { path: '/expenseinvoice', area: 'Expenses' },
  { whole: ExpenseInvoice, row: ExpenseInvoiceRow, input: ExpenseInvoiceInput },
  {
    list: 'Lists open bills and vendor credits. Set `status` to `all`, `paid`, `overdue`, or `credit` for other bills.',
    get: 'Returns a bill with its lines.',
    create: 'Creates and posts a bill, either on account or, if paid immediately, from a cash account.',
    update: 'Updates a bill and posts the difference.',
    remove: 'Reverses and deletes a bill that has no payments.',
  },
);

export const billPaymentCalls = subledger.paymentCalls(
  { path: '/expensepayment', area: 'Expenses' },
  { whole: ExpensePayment, row: ExpenseInvoiceRow, input: ExpensePaymentInput },
  {
    list: 'Lists vendor payments, sorted by date.',
    get: 'Returns a bill payment with its applications.',
    create:
      'Creates and posts a vendor payment. Without `paymentApplications`, the payment is applied to open bills in ' +
      'list order.',
    payable: 'Returns the bills in `ids` that are open, in list order. The bills can belong to different vendors.',
    defaults:
      "Returns the type and account of your last vendor payment and refund, and each bank account's next check number.",
    createAll: 'Creates and posts several vendor payments in order. If one fails, none are saved.',
    update: 'Updates a bill payment and posts the difference. You can also apply remaining credit.',
    remove: 'Reverses and deletes a bill payment. Its bills become open again.',
  },
);

const vendorParams = z.object({ vendorId: IdText });

const vendorHomeCalls = subledger.homeCalls(
  { entity: 'vendor', params: vendorParams, needs: ['View Expenses', 'View Vendors'] },
  {
    standing: 'Returns what you owe a vendor today, the overdue amount, and the remaining credit.',
    activity:
      "Lists a vendor's bills and payments, newest first. Journal entries require permission to view the ledger.",
  },
);

export const expenseCalls = {
  listExpenses: billCalls.list,
  getExpense: billCalls.get,
  expensePayments: billCalls.paidBy,
  createExpense: billCalls.create,
  updateExpense: billCalls.update,
  deleteExpense: billCalls.remove,
  vendorInvoices: endpoint({
    method: 'GET',
    path: '/vendorinvoice/GetVendorInvoices/{vendorId}',
    needs: ['View Expenses', 'View Vendors'],
    summary: "Lists a vendor's bills, newest first. Set `invoiceNumber` to filter by number.",
    params: vendorParams,
    query: z.object({ invoiceNumber: text(50).optional() }),
    reply: z.array(VendorInvoice),
  }),
  vendorHistory: endpoint({
    method: 'GET',
    path: '/vendorexpensehistory/{vendorId}',
    needs: ['View Expenses', 'View Vendors'],
    summary: "Lists a vendor's bills and payments. `balance` is the unpaid or unapplied amount.",
    params: vendorParams,
    reply: z.array(subledger.HistoryRow),
  }),
  vendorStanding: vendorHomeCalls.standing,
  vendorActivity: vendorHomeCalls.activity,
  vendorOpenInvoices: endpoint({
    method: 'GET',
    path: '/vendoropeninvoices/{vendorId}',
    needs: 'View Expenses',
    summary: "Lists a vendor's open bills and credits, in list order.",
    params: vendorParams,
    reply: z.array(subledger.OpenDocument),
  }),
  vendorOpenInvoicesForPayment: endpoint({
    method: 'GET',
    path: '/vendoropeninvoices/{vendorId}/{paymentId}',
    needs: 'View Expenses',
    summary: "Lists a vendor's open bills, plus the bills that this payment is applied to and the applied amounts.",
    params: z.object({ vendorId: IdText, paymentId: IdText }),
    reply: z.array(subledger.OpenDocument),
  }),
  listExpensePayments: billPaymentCalls.list,
  getExpensePayment: billPaymentCalls.get,
  createExpensePayment: billPaymentCalls.create,
  payableExpenses: billPaymentCalls.payable,
  expensePaymentDefaults: billPaymentCalls.defaults,
  createExpensePayments: billPaymentCalls.createAll,
  updateExpensePayment: billPaymentCalls.update,
  deleteExpensePayment: billPaymentCalls.remove,
};
