import { isTrue } from '@evenkeel/contract/endpoint';
import { formCalls } from '@evenkeel/contract/forms1099';
import { taxReturnCalls as calls } from '@evenkeel/contract/taxreturns';
import { type Route, route } from '../../platform/http/route.ts';
import { createTaxAgency, listTaxAgencies, updateTaxAgency } from './agencies.ts';
import { taxDueList } from './due.ts';
import { exportForms, fileForms, getForm, undoForm } from './form-filing.ts';
import { printForm } from './form-print.ts';
import { getFormSettings, updateFormSettings } from './form-settings.ts';
import { listFormPayments, listForms } from './forms.ts';
import { printTaxReturn } from './print.ts';
import { deleteTaxPayment, payTaxReturn } from './payments.ts';
import { fileTaxReturn, getTaxReturn, prepareTaxReturn, undoTaxReturn } from './returns.ts';
import { getVendorTax, showTaxId, updateVendorTax } from './vendor-tax.ts';

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
  route(formCalls.getVendorTax, (ctx, { params }) => getVendorTax(ctx, params.id)),
  route(formCalls.updateVendorTax, (ctx, { params, body }) => updateVendorTax(ctx, params.id, body)),
  route(formCalls.showTaxId, (ctx, { params }) => showTaxId(ctx, params.id)),
  route(formCalls.getFormSettings, (ctx) => getFormSettings(ctx)),
  route(formCalls.updateFormSettings, (ctx, { body }) => updateFormSettings(ctx, body)),
  route(formCalls.listForms, (ctx, { query }) => listForms(ctx, query.year)),
  route(formCalls.listFormPayments, (ctx, { params, query }) => listFormPayments(ctx, params.id, query.year)),
  route(formCalls.fileForms, (ctx, { body }) => fileForms(ctx, body)),
  route(formCalls.getForm, (ctx, { params }) => getForm(ctx, params.id)),
  route(formCalls.undoForm, (ctx, { params }) => undoForm(ctx, params.id)),
  route(formCalls.printForm, (ctx, { params }) => printForm(ctx, params.id)),
  route(formCalls.exportForms, (ctx, { query }) => exportForms(ctx, query.year, query.part)),
];
