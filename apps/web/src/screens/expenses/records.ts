import { entityCalls } from '@evenkeel/contract/entities';
import {
  expenseCalls,
  type ExpenseInvoice,
  type ExpenseInvoiceInput,
  type ExpenseInvoiceRow,
  ExpensePayment,
} from '@evenkeel/contract/expenses';
import { VENDOR } from '@evenkeel/core/entities';
import { PAYABLE } from '@evenkeel/core/side';
import { ask } from '../../client/api.ts';
import { VENDORS } from '../../parts/choices/entities.ts';
import { because, type DocumentSide, type PaymentBody } from '../../parts/documents/side.ts';
import { records } from '../../records/records.ts';

const LOADING = 'Error Loading Expenses Invoices';

export const BILLS = records<ExpenseInvoiceRow, ExpenseInvoice, ExpenseInvoiceInput>({
  words: {
    one: 'invoice',
    many: 'invoices',
    loadAll: LOADING,
    loadOne: 'Error Loading Expenses Invoice',
    create: 'Failure Saving Invoice',
  },
  idOf: (one) => one.id,
  list: (_, query) => ask(expenseCalls.listExpenses, { query }),
  get: (id) => ask(expenseCalls.getExpense, { params: { id } }),
  create: (body) => ask(expenseCalls.createExpense, { body }),
  update: (_, body) => ask(expenseCalls.updateExpense, { body }),
  remove: (id, reason) => ask(expenseCalls.deleteExpense, { params: { id }, query: because(reason) }),
});

const paymentBody = ({ entityId, ...body }: PaymentBody) => ({ body: { ...body, vendorId: entityId } });

/** Bills of vendors and payments to them, for the rooms that both sides share. */
export const EXPENSES: DocumentSide<ExpenseInvoice> = {
  core: PAYABLE,
  view: 'View Expenses',
  manage: 'Manage Expenses',
  entities: {
    kind: VENDOR,
    path: '/vendors',
    view: 'View Vendors',
    manage: 'Manage Vendors',
    ...VENDORS,
    create: (body) => ask(entityCalls.createVendor, { body }),
    failed: 'Failure Saving Vendor',
  },
  documents: BILLS,
  payments: {
    words: { one: 'payment', many: 'payments', loadAll: LOADING, loadOne: 'Error Loading Expense Payment' },
    idOf: (one) => one.id,
    get: (id) => ask(expenseCalls.getExpensePayment, { params: { id } }),
    create: (body) => ask(expenseCalls.createExpensePayment, paymentBody(body)),
    update: (_, body) => ask(expenseCalls.updateExpensePayment, paymentBody(body)),
    remove: (id, reason) => ask(expenseCalls.deleteExpensePayment, { params: { id }, query: because(reason) }),
  },
  paymentReply: ExpensePayment,
  openDocuments: (vendorId, paymentId) =>
    paymentId === 0
      ? ask(expenseCalls.vendorOpenInvoices, { params: { vendorId } })
      : ask(expenseCalls.vendorOpenInvoicesForPayment, { params: { vendorId, paymentId } }),
  history: (vendorId) => ask(expenseCalls.vendorHistory, { params: { vendorId } }),
  paidBy: (id) => ask(expenseCalls.expensePayments, { params: { id } }),
  words: {
    addPayment: 'Add Expense Payment',
    payment: 'Expense Payment',
    moneyAccount: 'Cash Account',
    noMoneyAccount: 'Please Select a Cash Account',
    credit: 'a credit with the vendor',
    openDocument: 'Open Expense Invoice',
    paid: 'paid',
  },
  takes: 'allowPayments',
  hasTypes: PAYABLE.hasPaymentTypes,
  draft: 'expensepayment',
};
