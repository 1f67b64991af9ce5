import {
  billingCalls,
  type BillingInvoice,
  type BillingInvoiceInput,
  type BillingInvoiceRow,
  BillingPayment,
  customerPaymentCalls,
  invoiceCalls,
} from '@evenkeel/contract/billing';
import {
  type BillingCredit,
  type BillingCreditInput,
  type BillingCreditRow,
  creditMemoCalls,
} from '@evenkeel/contract/credits';
import {
  type BillingEstimate,
  type BillingEstimateInput,
  type BillingEstimateRow,
  estimateDocumentCalls,
} from '@evenkeel/contract/estimates';
import { documentKinds, RECEIVABLE } from '@evenkeel/core/documents/side';
import { ask } from '../../client/api.ts';
import { activityQuery, documentRecords, documentSide, type DocumentSide } from '../../parts/documents/side.ts';
import { BILLED_CUSTOMERS } from '../../parts/documents/sideEntities.ts';

export const INVOICES = documentRecords<BillingInvoiceRow, BillingInvoice, BillingInvoiceInput>(invoiceCalls, {
  loadAll: 'Error Loading Billing Invoices',
  loadOne: 'Error Loading Billing Invoice',
});

export const CREDITS = documentRecords<BillingCreditRow, BillingCredit, BillingCreditInput>(creditMemoCalls, {
  one: 'credit memo',
  many: 'credit memos',
  loadAll: 'Error Loading Credit Memos',
  loadOne: 'Error Loading Credit Memo',
});

export const ESTIMATES = documentRecords<BillingEstimateRow, BillingEstimate, BillingEstimateInput>(
  estimateDocumentCalls,
  {
    one: 'estimate',
    many: 'estimates',
    loadAll: 'Error Loading Estimates',
    loadOne: 'Error Loading Estimate',
  },
);

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

/** Like BILLING, but with credit memos as the documents. */
export const CREDIT_SIDE: DocumentSide<BillingCredit> = {
  ...BILLING,
  core: { ...RECEIVABLE, document: documentKinds.creditmemo },
  documents: CREDITS,
  paidBy: (id) => ask(creditMemoCalls.paidBy, { params: { id } }),
  words: { ...BILLING.words, openDocument: 'Open Credit Memo' },
};

/** Like BILLING, but with estimates as the documents, which have no payments. */
export const ESTIMATE_SIDE: DocumentSide<BillingEstimate> = {
  ...BILLING,
  core: { ...RECEIVABLE, document: documentKinds.estimate },
  documents: ESTIMATES,
  words: { ...BILLING.words, openDocument: 'Open Estimate' },
};
