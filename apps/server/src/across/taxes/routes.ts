import { isTrue } from '@evenkeel/contract/endpoint';
import { taxReturnCalls as calls } from '@evenkeel/contract/taxreturns';
import { type Route, route } from '../../platform/http/route.ts';
import { createTaxAgency, listTaxAgencies, updateTaxAgency } from './agencies.ts';
import { taxDueList } from './due.ts';
import { printTaxReturn } from './print.ts';
import { deleteTaxPayment, payTaxReturn } from './payments.ts';
import { fileTaxReturn, getTaxReturn, prepareTaxReturn, undoTaxReturn } from './returns.ts';

export const taxRoutes: Route[] = [
  route(calls.listTaxAgencies, (ctx) => listTaxAgencies(ctx)),
  route(calls.createTaxAgency, (ctx, { body }) => createTaxAgency(ctx, body), {
    save: (ctx, { body }, id) => updateTaxAgency(ctx, id, body),
  }),
  route(calls.updateTaxAgency, (ctx, { params, body }) => updateTaxAgency(ctx, params.id, body)),
  route(calls.taxDueList, (ctx) => taxDueList(ctx)),
  route(calls.prepareTaxReturn, (ctx, { params, query }) => prepareTaxReturn(ctx, params.id, isTrue(query.amends))),
  route(calls.getTaxReturn, (ctx, { params }) => getTaxReturn(ctx, params.id)),
  route(calls.printTaxReturn, (ctx, { params }) => printTaxReturn(ctx, params.id)),
  route(calls.fileTaxReturn, (ctx, { body }) => fileTaxReturn(ctx, body)),
  route(calls.undoTaxReturn, (ctx, { params, query }) => undoTaxReturn(ctx, params.id, query.closingOverrideReason)),
  route(calls.payTaxReturn, (ctx, { body }) => payTaxReturn(ctx, body)),
  route(calls.deleteTaxPayment, (ctx, { params, query }) =>
    deleteTaxPayment(ctx, params.id, query.closingOverrideReason),
  ),
];
