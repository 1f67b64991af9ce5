import {
  billingCalls,
  type BillingInvoice,
  type BillingInvoiceInput,
  type BillingInvoiceRow,
  BillingPayment,
} from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { CUSTOMER } from '@evenkeel/core/entities';
import { RECEIVABLE } from '@evenkeel/core/side';
import { ask } from '../../client/api.ts';
import { CUSTOMERS } from '../../parts/choices/entities.ts';
import { because, type DocumentSide, type PaymentBody } from '../../parts/documents/side.ts';
import { records } from '../../records/records.ts';

const LOADING = 'Error Loading Billing Invoices';

export const INVOICES = records<BillingInvoiceRow, BillingInvoice, BillingInvoiceInput>({
  words: { one: 'invoice', many: 'invoices', loadAll: LOADING, loadOne: 'Error Loading Billing Invoice' },
  idOf: (one) => one.id,
  list: (_, query) => ask(billingCalls.listInvoices, { query }),
  get: (id) => ask(billingCalls.getInvoice, { params: { id } }),
  create: (body) => ask(billingCalls.createInvoice, { body }),
  update: (_, body) => ask(billingCalls.updateInvoice, { body }),
  remove: (id, reason) => ask(billingCalls.deleteInvoice, { params: { id }, query: because(reason) }),
});

const paymentBody = ({ entityId, ...body }: PaymentBody) => ({ body: { ...body, customerId: entityId } });

/** Invoices and payments of customers, for the rooms that both sides share. */
export const BILLING: DocumentSide<BillingInvoice> = {
  core: RECEIVABLE,
  view: 'View Billing',
  manage: 'Manage Billing',
  entities: {
    kind: CUSTOMER,
    path: '/customers',
    view: 'View Customers',
    manage: 'Manage Customers',
    ...CUSTOMERS,
    create: (body) => ask(entityCalls.createCustomer, { body }),
    failed: 'Failure Saving Customer',
  },
  documents: INVOICES,
  payments: {
    words: { one: 'payment', many: 'payments', loadAll: LOADING, loadOne: 'Error Loading Billing Payment' },
    idOf: (one) => one.id,
    get: (id) => ask(billingCalls.getPayment, { params: { id } }),
    create: (body) => ask(billingCalls.createPayment, paymentBody(body)),
    update: (_, body) => ask(billingCalls.updatePayment, paymentBody(body)),
    remove: (id, reason) => ask(billingCalls.deletePayment, { params: { id }, query: because(reason) }),
  },
  paymentReply: BillingPayment,
  openDocuments: (customerId, paymentId) =>
    paymentId === 0
      ? ask(billingCalls.openInvoices, { params: { customerId } })
      : ask(billingCalls.openInvoicesForPayment, { params: { customerId, paymentId } }),
  history: (customerId) => ask(billingCalls.customerHistory, { params: { customerId } }),
  paidBy: (id) => ask(billingCalls.invoicePayments, { params: { id } }),
  words: {
    addPayment: 'Add Billing Payment',
    payment: 'Billing Payment',
    moneyAccount: 'Deposit Account',
    noMoneyAccount: 'Please Select a Bank Account',
    credit: 'the customer’s credit',
    openDocument: 'Open Billing Invoice',
    paid: 'received',
  },
  takes: 'allowDeposits',
  hasTypes: RECEIVABLE.hasPaymentTypes,
  draft: 'billingpayment',
};
