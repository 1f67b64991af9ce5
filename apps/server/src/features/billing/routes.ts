import { billingCalls as calls } from '@evenkeel/contract/billing';
import { billingStatuses } from '@evenkeel/core/documents/invoice';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { chargeCalls } from '@evenkeel/contract/charges';
import { creditCalls } from '@evenkeel/contract/credits';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { workItemCalls as itemCalls } from '@evenkeel/contract/workitems';
import { commandRoute, type Route, route } from '../../platform/http/route.ts';
import {
  entityHistory,
  listPayments,
  openDocuments,
  openDocumentsById,
  paymentDefaults,
} from '../../books/documents/reads.ts';
import { entityActivity, entityStanding } from '../entities/home.ts';
import { financeChargeSettings, leaveOutOfCharges, saveFinanceChargeSettings } from './charge-settings.ts';
import { listFinanceCharges, makeFinanceCharge } from './charges.ts';
import { listAllCredits } from './credit-list.ts';
import { invoiceHistory } from './invoice-reads.ts';
import {
  createWriteOff,
  getWriteOff,
  listWriteOffs,
  outcomeOf,
  removeWriteOff,
  writeOffCandidates,
} from './writeoffs.ts';
import { billingPayments as payments } from './views.ts';
import { printReceipt } from './print.ts';
import { sentDocuments } from './sent-documents.ts';
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
  ...sentDocuments.flatMap(({ routes }) => routes),
  route(calls.viewReceipt, (ctx, { params }) => printReceipt(ctx, params.id)),
  route(creditCalls.listAllCredits, (ctx, { query }) => listAllCredits(ctx, query)),
  route(writeOffCalls.writeOffCandidates, (ctx, { query }) => writeOffCandidates(ctx, query)),
  route(writeOffCalls.listWriteOffs, (ctx, { query }) => listWriteOffs(ctx, query)),
  route(writeOffCalls.getWriteOff, (ctx, { params }) => getWriteOff(ctx, params.id)),
  commandRoute(writeOffCalls.createWriteOff, { create: createWriteOff, told: outcomeOf }),
  route(writeOffCalls.deleteWriteOff, (ctx, { params, query }) =>
    removeWriteOff(ctx, params.id, query.closingOverrideReason),
  ),
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
  route(calls.paymentDefaults, (ctx) => paymentDefaults(ctx, RECEIVABLE)),
  route(calls.createPayments, payments.createAll),
  commandRoute(calls.createPayment, { ...payments.creation, save: payments.update }),
  route(calls.updatePayment, payments.update),
  route(calls.deletePayment, payments.remove),
  route(itemCalls.listWorkItems, (ctx, { query }) => listWorkItems(ctx, query)),
  route(itemCalls.getWorkItem, (ctx, { params }) => getWorkItem(ctx, params.id)),
  route(itemCalls.createWorkItem, (ctx, { body }) => createWorkItem(ctx, body), {
    save: (ctx, { body }) => updateWorkItem(ctx, body),
  }),
  commandRoute(itemCalls.createWorkItems, { creation: itemCreation }),
  route(itemCalls.updateWorkItem, (ctx, { body }) => updateWorkItem(ctx, body)),
  route(itemCalls.deleteWorkItem, (ctx, { params }) => deleteWorkItem(ctx, params.id)),
  route(itemCalls.listWorkItemInvoices, listWorkItemInvoices),
  commandRoute(itemCalls.billWorkItems, { create: billWorkItems, told: resultOf }),
  route(chargeCalls.listFinanceCharges, (ctx, { query }) => listFinanceCharges(ctx, query.date)),
  commandRoute(chargeCalls.makeFinanceCharges, { create: makeFinanceCharge, told: resultOf }),
  route(chargeCalls.getFinanceChargeSettings, financeChargeSettings),
  route(chargeCalls.saveFinanceChargeSettings, (ctx, { body }) => saveFinanceChargeSettings(ctx, body)),
  route(chargeCalls.leaveOutOfFinanceCharges, (ctx, { params, body }) =>
    leaveOutOfCharges(ctx, params.customerId, body.leftOut),
  ),
];
