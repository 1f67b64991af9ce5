import { billingCalls as calls } from '@evenkeel/contract/billing';
import { billingStatuses } from '@evenkeel/core/documents/invoice';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { chargeCalls } from '@evenkeel/contract/charges';
import { creditCalls } from '@evenkeel/contract/credits';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { workItemCalls as itemCalls } from '@evenkeel/contract/workitems';
import {
  manyRoute,
  queuedRoute,
  type Route,
  route,
  savingRoute,
  severalRoute,
  sharedRoute,
} from '../../platform/http/route.ts';
import { entityHistory, listPayments, openDocuments, openDocumentsById } from '../../books/documents/reads.ts';
import { entityActivity, entityStanding } from '../entities/home.ts';
import { financeChargeSettings, leaveOutOfCharges, saveFinanceChargeSettings } from './charge-settings.ts';
import { listFinanceCharges, makeFinanceCharge } from './charges.ts';
import { invoiceHistory } from './invoice-reads.ts';
import { credits } from './credits.ts';
import {
  createWriteOff,
  getWriteOff,
  listWriteOffs,
  outcomeOf,
  removeWriteOff,
  writeOffCandidates,
} from './writeoffs.ts';
import { estimates } from './estimates.ts';
import { invoices } from './invoices.ts';
import { billingPayments as payments } from './views.ts';
import { printReceipt } from './print.ts';
import { sentCredits } from './credit-sent.ts';
import { sentEstimates } from './estimate-sent.ts';
import { sentInvoices } from './invoice-sent.ts';
import { printed } from './sent.ts';
import { billWorkItems, listWorkItemInvoices, resultOf } from './workitem-invoices.ts';
import {
  createWorkItem,
  deleteWorkItem,
  getWorkItem,
  itemCreation,
  listWorkItems,
  updateWorkItem,
} from './workitems.ts';

export const billingRoutes: Route[] = [
  route(calls.listInvoices, (ctx, { query }) => invoices.list(ctx, query)),
  route(calls.getInvoice, (ctx, { params }) => invoices.get(ctx, params.id)),
  route(calls.invoicePayments, (ctx, { params }) => invoices.paidBy(ctx, params.id)),
  queuedRoute(calls.createInvoice, invoices.creation, { save: (ctx, { body }) => invoices.update(ctx, body) }),
  route(calls.updateInvoice, (ctx, { body }) => invoices.update(ctx, body)),
  route(calls.deleteInvoice, (ctx, { params, query }) => invoices.remove(ctx, params.id, query.closingOverrideReason)),
  route(calls.viewInvoice, (ctx, { params }) => printed(sentInvoices, ctx, params.id)),
  route(calls.viewReceipt, (ctx, { params }) => printReceipt(ctx, params.id)),
  route(creditCalls.listCredits, (ctx, { query }) => credits.list(ctx, query)),
  route(creditCalls.getCredit, (ctx, { params }) => credits.get(ctx, params.id)),
  route(creditCalls.creditPayments, (ctx, { params }) => credits.paidBy(ctx, params.id)),
  savingRoute(creditCalls.createCredit, credits.create, (ctx, { body }) => credits.update(ctx, body)),
  route(creditCalls.updateCredit, (ctx, { body }) => credits.update(ctx, body)),
  route(creditCalls.deleteCredit, (ctx, { params, query }) =>
    credits.remove(ctx, params.id, query.closingOverrideReason),
  ),
  route(creditCalls.creditable, (ctx, { params, query }) => credits.creditable(ctx, params.id, query.without)),
  route(creditCalls.viewCredit, (ctx, { params }) => printed(sentCredits, ctx, params.id)),
  route(writeOffCalls.writeOffCandidates, (ctx, { query }) => writeOffCandidates(ctx, query)),
  route(writeOffCalls.listWriteOffs, (ctx, { query }) => listWriteOffs(ctx, query)),
  route(writeOffCalls.getWriteOff, (ctx, { params }) => getWriteOff(ctx, params.id)),
  severalRoute(writeOffCalls.createWriteOff, createWriteOff, outcomeOf),
  route(writeOffCalls.deleteWriteOff, (ctx, { params, query }) =>
    removeWriteOff(ctx, params.id, query.closingOverrideReason),
  ),
  route(estimateCalls.listEstimates, (ctx, { query }) => estimates.list(ctx, query)),
  route(estimateCalls.getEstimate, (ctx, { params }) => estimates.get(ctx, params.id)),
  queuedRoute(estimateCalls.createEstimate, estimates.creation, {
    save: (ctx, { body }) => estimates.update(ctx, body),
  }),
  route(estimateCalls.updateEstimate, (ctx, { body }) => estimates.update(ctx, body)),
  route(estimateCalls.deleteEstimate, (ctx, { params }) => estimates.remove(ctx, params.id, undefined)),
  route(estimateCalls.invoiceable, (ctx, { params, query }) => estimates.invoiceable(ctx, params.id, query.without)),
  route(estimateCalls.estimateInvoices, (ctx, { params }) => estimates.invoices(ctx, params.id)),
  route(estimateCalls.invoiceEstimate, (ctx, { params, body }) => estimates.invoice(ctx, params.id, body)),
  route(estimateCalls.viewEstimate, (ctx, { params }) => printed(sentEstimates, ctx, params.id)),
  route(calls.listStatuses, async () => [...billingStatuses]),
  route(calls.invoiceHistory, (ctx, { body, query }) => invoiceHistory(ctx, body, query)),
  route(calls.customerHistory, (ctx, { params }) => entityHistory(ctx, RECEIVABLE, params.customerId)),
  route(calls.customerStanding, (ctx, { params }) => entityStanding(ctx, RECEIVABLE, params.customerId)),
  route(calls.customerActivity, (ctx, { params, query }) => entityActivity(ctx, RECEIVABLE, params.customerId, query)),
  route(calls.openInvoices, (ctx, { params }) => openDocuments(ctx, RECEIVABLE, params.customerId, 0)),
  route(calls.openInvoicesForPayment, (ctx, { params }) =>
    openDocuments(ctx, RECEIVABLE, params.customerId, params.paymentId),
  ),
  route(calls.listPayments, (ctx, { query }) => listPayments(ctx, RECEIVABLE, query)),
  route(calls.getPayment, payments.get),
  route(calls.payableInvoices, (ctx, { query }) => openDocumentsById(ctx, RECEIVABLE, query.ids ?? [])),
  route(calls.createPayments, payments.createAll),
  sharedRoute(calls.createPayment, payments.creation, payments.update),
  route(calls.updatePayment, payments.update),
  route(calls.deletePayment, payments.remove),
  route(itemCalls.listWorkItems, (ctx, { query }) => listWorkItems(ctx, query)),
  route(itemCalls.getWorkItem, (ctx, { params }) => getWorkItem(ctx, params.id)),
  savingRoute(
    itemCalls.createWorkItem,
    (ctx, { body }) => createWorkItem(ctx, body),
    (ctx, { body }) => updateWorkItem(ctx, body),
  ),
  manyRoute(itemCalls.createWorkItems, itemCreation),
  route(itemCalls.updateWorkItem, (ctx, { body }) => updateWorkItem(ctx, body)),
  route(itemCalls.deleteWorkItem, (ctx, { params }) => deleteWorkItem(ctx, params.id)),
  route(itemCalls.listWorkItemInvoices, listWorkItemInvoices),
  severalRoute(itemCalls.billWorkItems, billWorkItems, resultOf),
  route(chargeCalls.listFinanceCharges, (ctx, { query }) => listFinanceCharges(ctx, query.date)),
  severalRoute(chargeCalls.makeFinanceCharges, makeFinanceCharge, resultOf),
  route(chargeCalls.getFinanceChargeSettings, financeChargeSettings),
  route(chargeCalls.saveFinanceChargeSettings, (ctx, { body }) => saveFinanceChargeSettings(ctx, body)),
  route(chargeCalls.leaveOutOfFinanceCharges, (ctx, { params, body }) =>
    leaveOutOfCharges(ctx, params.customerId, body.leftOut),
  ),
];
