import {
  billingCalls,
  type BillingInvoice,
  type BillingInvoiceInput,
  type BillingInvoiceRow,
  BillingPayment,
  customerPaymentCalls,
  invoiceCalls,
} from '@evenkeel/contract/billing';
import type { DocumentCalls } from '@evenkeel/contract/subledger';
import { RECEIVABLE, type SettledKind } from '@evenkeel/core/documents/side';
import { ask } from '../../client/api.ts';
import {
  activityQuery,
  documentRecords,
  documentSide,
  type DocumentSide,
  type SettledDocument,
  titled,
} from '../../parts/documents/side.ts';
import { BILLED_CUSTOMERS } from '../../parts/documents/sideEntities.ts';

export const INVOICES = documentRecords<BillingInvoiceRow, BillingInvoice, BillingInvoiceInput>(invoiceCalls, {
  loadAll: 'Error Loading Billing Invoices',
  loadOne: 'Error Loading Billing Invoice',
});

/** Customer invoices and payments, for the components that both sides share. */
export const BILLING = documentSide({
  core: RECEIVABLE,
  entities: BILLED_CUSTOMERS,
  documents: INVOICES,
  paidBy: (id) => ask(invoiceCalls.paidBy, { params: { id } }),
  payments: { calls: customerPaymentCalls, body: ({ entityId, ...payment }) => ({ ...payment, customerId: entityId }) },
  paymentReply: BillingPayment,
  openDocuments: (customerId, paymentId) =>
    paymentId === 0
      ? ask(billingCalls.openInvoices, { params: { customerId } })
      : ask(billingCalls.openInvoicesForPayment, { params: { customerId, paymentId } }),
  history: (customerId) => ask(billingCalls.customerHistory, { params: { customerId } }),
  standing: (customerId) => ask(billingCalls.customerStanding, { params: { customerId } }),
  activity: (customerId, after) =>
    ask(billingCalls.customerActivity, { params: { customerId }, query: activityQuery(after) }),
  words: {
    payment: 'Billing Payment',
    pay: 'Take Payment for',
    moneyAccount: 'Deposit Account',
    noMoneyAccount: 'Please Select a Bank Account',
    credit: 'the customer’s credit',
    openDocument: 'Open Billing Invoice',
    paid: 'received',
  },
  takes: 'allowDeposits',
  draft: 'billingpayment',
});

/** Defines another kind of customer document by its calls. Its alerts are derived from its labels. */
export function billingRecords<Row extends { id: number }, One extends SettledDocument, Body>(
  kind: SettledKind,
  calls: DocumentCalls<Row, One, Body>,
) {
  const { label, words } = kind;
  const records = documentRecords<Row, One, Body>(calls, {
    one: label.toLowerCase(),
    many: words.many,
    loadAll: `Error Loading ${titled(words.many)}`,
    loadOne: `Error Loading ${titled(label)}`,
  });
  const side: DocumentSide<One> = {
    ...BILLING,
    core: { ...RECEIVABLE, document: kind },
    documents: records,
    paidBy: (id) => ask(calls.paidBy, { params: { id } }),
    words: { ...BILLING.words, openDocument: `Open ${titled(label)}` },
  };
  return { records, side };
}
