import {
  billCalls,
  billPaymentCalls,
  expenseCalls,
  type ExpenseInvoice,
  type ExpenseInvoiceInput,
  type ExpenseInvoiceRow,
  ExpensePayment,
} from '@evenkeel/contract/expenses';
import { PAYABLE } from '@evenkeel/core/documents/side';
import { ask } from '../../client/api.ts';
import { activityQuery, documentRecords, documentSide } from '../../parts/documents/side.ts';
import { PAID_VENDORS } from '../../parts/documents/sideEntities.ts';

export const BILLS = documentRecords<ExpenseInvoiceRow, ExpenseInvoice, ExpenseInvoiceInput>(billCalls, {
  loadAll: 'Error Loading Expenses Invoices',
  loadOne: 'Error Loading Expenses Invoice',
  create: 'Failure Saving Invoice',
});

/** Vendor bills and payments, for the components that both sides share. */
export const EXPENSES = documentSide({
  core: PAYABLE,
  entities: PAID_VENDORS,
  documents: BILLS,
  paidBy: (id) => ask(billCalls.paidBy, { params: { id } }),
  payments: { calls: billPaymentCalls, body: ({ entityId, ...payment }) => ({ ...payment, vendorId: entityId }) },
  paymentReply: ExpensePayment,
  openDocuments: (vendorId, paymentId) =>
    paymentId === 0
      ? ask(expenseCalls.vendorOpenInvoices, { params: { vendorId } })
      : ask(expenseCalls.vendorOpenInvoicesForPayment, { params: { vendorId, paymentId } }),
  history: (vendorId) => ask(expenseCalls.vendorHistory, { params: { vendorId } }),
  standing: (vendorId) => ask(expenseCalls.vendorStanding, { params: { vendorId } }),
  activity: (vendorId, after) =>
    ask(expenseCalls.vendorActivity, { params: { vendorId }, query: activityQuery(after) }),
  words: {
    payment: 'Expense Payment',
    pay: 'Pay',
    moneyAccount: 'Cash Account',
    noMoneyAccount: 'Please Select a Cash Account',
    credit: 'a credit with the vendor',
    openDocument: 'Open Expense Invoice',
    paid: 'paid',
  },
  takes: 'allowPayments',
  draft: 'expensepayment',
});
