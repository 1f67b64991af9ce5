import { billCalls, expenseCalls as calls } from '@evenkeel/contract/expenses';
import { PAYABLE } from '@evenkeel/core/documents/side';
import { commandRoute, type Route, route } from '../../platform/http/route.ts';
import { entityActivity, entityStanding } from '../entities/home.ts';
import { documentRoutes } from '../../books/documents/document-routes.ts';
import {
  documentsOfEntity,
  entityHistory,
  listPayments,
  openDocuments,
  openDocumentsById,
  paymentDefaults,
} from '../../books/documents/reads.ts';
import { billRowView, expensePayments as payments } from './views.ts';
import { bills } from './bills.ts';

export const expenseRoutes: Route[] = [
  ...documentRoutes(billCalls, bills),
  route(calls.vendorInvoices, async (ctx, { params, query }) => {
    const rows = await documentsOfEntity(ctx, PAYABLE.document, {
      entityId: params.vendorId,
      number: query.invoiceNumber,
    });
    return rows.map((row) => billRowView(row, ctx.today));
  }),
  route(calls.vendorHistory, (ctx, { params }) => entityHistory(ctx, PAYABLE, params.vendorId)),
  route(calls.vendorStanding, (ctx, { params }) => entityStanding(ctx, PAYABLE, params.vendorId)),
  route(calls.vendorActivity, (ctx, { params, query }) => entityActivity(ctx, PAYABLE, params.vendorId, query)),
  route(calls.vendorOpenInvoices, (ctx, { params }) => openDocuments(ctx, PAYABLE, params.vendorId, 0)),
  route(calls.vendorOpenInvoicesForPayment, (ctx, { params }) =>
    openDocuments(ctx, PAYABLE, params.vendorId, params.paymentId),
  ),
  route(calls.listExpensePayments, (ctx, { query }) => listPayments(ctx, PAYABLE, query)),
  route(calls.getExpensePayment, payments.get),
  route(calls.payableExpenses, (ctx, { query }) => openDocumentsById(ctx, PAYABLE, query.ids ?? [])),
  route(calls.expensePaymentDefaults, (ctx) => paymentDefaults(ctx, PAYABLE)),
  route(calls.createExpensePayments, payments.createAll),
  commandRoute(calls.createExpensePayment, { ...payments.creation, save: payments.update }),
  route(calls.updateExpensePayment, payments.update),
  route(calls.deleteExpensePayment, payments.remove),
];
