import { billingCalls as calls } from '@evenkeel/contract/billing';
import { billingStatuses } from '@evenkeel/core/invoice';
import { queuedRoute, type Route, route } from '../http/route.ts';
import * as reads from './invoice-reads.ts';
import { deleteInvoice, invoiceCreation, updateInvoice } from './invoices.ts';
import { createPayment, deletePayment, getPayment, updatePayment } from './payments.ts';
import { printInvoice } from './print.ts';

export const billingRoutes: Route[] = [
  route(calls.listInvoices, (ctx, { query }) => reads.listInvoices(ctx, query)),
  route(calls.getInvoice, (ctx, { params }) => reads.getInvoice(ctx, params.id)),
  queuedRoute(calls.createInvoice, invoiceCreation),
  route(calls.updateInvoice, (ctx, { body }) => updateInvoice(ctx, body)),
  route(calls.deleteInvoice, (ctx, { params, query }) => deleteInvoice(ctx, params.id, query.closingOverrideReason)),
  route(calls.viewInvoice, (ctx, { params }) => printInvoice(ctx, params.id)),
  route(calls.listStatuses, async () => [...billingStatuses]),
  route(calls.invoiceHistory, (ctx, { body }) => reads.invoiceHistory(ctx, body)),
  route(calls.customerHistory, (ctx, { params }) => reads.customerHistory(ctx, params.customerId)),
  route(calls.openInvoices, (ctx, { params }) => reads.openInvoices(ctx, params.customerId, 0)),
  route(calls.openInvoicesForPayment, (ctx, { params }) =>
    reads.openInvoices(ctx, params.customerId, params.paymentId),
  ),
  route(calls.getPayment, (ctx, { params }) => getPayment(ctx, params.id)),
  route(calls.createPayment, (ctx, { body }) => createPayment(ctx, body)),
  route(calls.updatePayment, (ctx, { body }) => updatePayment(ctx, body)),
  route(calls.deletePayment, (ctx, { params, query }) => deletePayment(ctx, params.id, query.closingOverrideReason)),
];
