import {
  billingCalls,
  type BillingInvoice,
  type BillingInvoiceInput,
  type BillingInvoiceRow,
  type BillingPayment,
  type BillingPaymentInput,
} from '@evenkeel/contract/billing';
import { ask } from '../api.ts';
import { records, type RecordsSpec } from '../records/records.ts';

/** The query of a delete call: the reason only when there is one. */
const because = (reason: string) => (reason === '' ? {} : { closingOverrideReason: reason });
const LOADING = 'Error Loading Billing Invoices';

export const INVOICES = records<BillingInvoiceRow, BillingInvoice, BillingInvoiceInput>({
  words: { one: 'invoice', many: 'invoices', loadAll: LOADING, loadOne: 'Error Loading Billing Invoice' },
  idOf: (one) => one.id,
  list: () => ask(billingCalls.listInvoices, { query: {} }),
  get: (id) => ask(billingCalls.getInvoice, { params: { id } }),
  create: (body) => ask(billingCalls.createInvoice, { body }),
  update: (_, body) => ask(billingCalls.updateInvoice, { body }),
  remove: (id, reason) => ask(billingCalls.deleteInvoice, { params: { id }, query: because(reason) }),
});

/** Customer payments; there is no list of them but a customer's history. */
export const PAYMENTS: Omit<RecordsSpec<BillingPayment, BillingPayment, BillingPaymentInput>, 'list'> = {
  words: { one: 'payment', many: 'payments', loadAll: LOADING, loadOne: 'Error Loading Billing Payment' },
  idOf: (one) => one.id,
  get: (id) => ask(billingCalls.getPayment, { params: { id } }),
  create: (body) => ask(billingCalls.createPayment, { body }),
  update: (_, body) => ask(billingCalls.updatePayment, { body }),
  remove: (id, reason) => ask(billingCalls.deletePayment, { params: { id }, query: because(reason) }),
};
