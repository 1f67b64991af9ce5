import { billingCalls as calls } from '@evenkeel/contract/billing';
import { billingStatuses } from '@evenkeel/core/invoice';
import { RECEIVABLE } from '@evenkeel/core/side';
import { queuedRoute, type Route, route, savingRoute } from '../http/route.ts';
import { entityHistory, listDocuments, openDocuments, paidBy } from '../subledger/reads.ts';
import * as reads from './invoice-reads.ts';
import { billingPayments as payments, invoiceRowView } from './views.ts';
import { deleteInvoice, invoiceCreation, updateInvoice } from './invoices.ts';
import { printInvoice } from './print.ts';

export const billingRoutes: Route[] = [
  route(calls.listInvoices, (ctx, { query }) =>
    listDocuments(ctx, RECEIVABLE, query, (row) => invoiceRowView(row, ctx.today)),
  ),
  route(calls.getInvoice, (ctx, { params }) => reads.getInvoice(ctx, params.id)),
  route(calls.invoicePayments, (ctx, { params }) => paidBy(ctx, RECEIVABLE, params.id)),
  queuedRoute(calls.createInvoice, invoiceCreation, { save: (ctx, { body }) => updateInvoice(ctx, body) }),
  route(calls.updateInvoice, (ctx, { body }) => updateInvoice(ctx, body)),
  route(calls.deleteInvoice, (ctx, { params, query }) => deleteInvoice(ctx, params.id, query.closingOverrideReason)),
  route(calls.viewInvoice, (ctx, { params }) => printInvoice(ctx, params.id)),
  route(calls.listStatuses, async () => [...billingStatuses]),
  route(calls.invoiceHistory, (ctx, { body, query }) => reads.invoiceHistory(ctx, body, query)),
  route(calls.customerHistory, (ctx, { params }) => entityHistory(ctx, RECEIVABLE, params.customerId)),
  route(calls.openInvoices, (ctx, { params }) => openDocuments(ctx, RECEIVABLE, params.customerId, 0)),
  route(calls.openInvoicesForPayment, (ctx, { params }) =>
    openDocuments(ctx, RECEIVABLE, params.customerId, params.paymentId),
  ),
  route(calls.getPayment, payments.get),
  savingRoute(calls.createPayment, payments.create, payments.update),
  route(calls.updatePayment, payments.update),
  route(calls.deletePayment, payments.remove),
];
