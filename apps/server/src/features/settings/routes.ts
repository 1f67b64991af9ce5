import { isTrue } from '@evenkeel/contract/endpoint';
import { settingsCalls as calls } from '@evenkeel/contract/settings';
import { taxRuleCalls } from '@evenkeel/contract/taxrules';
import { notFound } from '@evenkeel/core/failure';
import { canadianProvinces, countries, type StateProvince, usStates } from '@evenkeel/core/geography.data';
import { preparedRoute, type Route, route } from '../../platform/http/route.ts';
import { getCompany, updateCompany } from './company.ts';
import { checkedLogo } from './logo.ts';
import { getSettings, saveSettings } from './customersettings.ts';
import { createProperty, listProperties, removeProperty, updateProperty } from './properties.ts';
import { createSalesTax, getSalesTax, listSalesTax, updateSalesTax } from './salestax.ts';
import { createTaxRule, deleteTaxRule, listTaxRules, updateTaxRule } from './taxrules.ts';

/** Returns the US states (1) or Canadian provinces (2). Throws 404 for any other kind. */
async function listStates(kind: number): Promise<StateProvince[]> {
  if (kind === 1) return [...usStates];
  if (kind === 2) return [...canadianProvinces];
  throw notFound('List of states');
}

export const settingsRoutes: Route[] = [
  route(calls.getCompany, (ctx) => getCompany(ctx)),
  route(calls.getCompanyById, (ctx, { params }) => getCompany(ctx, params.id)),
  preparedRoute(
    calls.createCompany,
    (preparing, { body }) => checkedLogo(preparing, body),
    (ctx, { body }, logo) => updateCompany(ctx, ctx.companyId, body, logo),
    (ctx, { body }, id, logo) => updateCompany(ctx, id, body, logo),
  ),
  preparedRoute(
    calls.updateCompany,
    (preparing, { body }) => checkedLogo(preparing, body),
    (ctx, { params, body }, logo) => updateCompany(ctx, params.id, body, logo),
  ),
  route(calls.entityDetails, (ctx, { params, query }) => listProperties(ctx, params.kind, isTrue(query.inactive))),
  route(calls.createProperty, (ctx, { body }) => createProperty(ctx, body), {
    save: (ctx, { body }, id) => updateProperty(ctx, id, body),
  }),
  route(calls.updateProperty, (ctx, { params, body }) => updateProperty(ctx, params.id, body)),
  route(calls.deleteProperty, (ctx, { params }) => removeProperty(ctx, params.id)),
  route(calls.getSettings, (ctx) => getSettings(ctx)),
  route(calls.saveSettings, (ctx, { body }) => saveSettings(ctx, body)),
  route(calls.listSalesTax, (ctx) => listSalesTax(ctx)),
  route(calls.getSalesTax, (ctx, { params }) => getSalesTax(ctx, params.id)),
  route(calls.createSalesTax, (ctx, { body }) => createSalesTax(ctx, body), {
    save: (ctx, { body }, id) => updateSalesTax(ctx, id, body),
  }),
  route(calls.updateSalesTax, (ctx, { params, body }) => updateSalesTax(ctx, params.id, body)),
  route(taxRuleCalls.listTaxRules, (ctx) => listTaxRules(ctx)),
  route(taxRuleCalls.createTaxRule, (ctx, { body }) => createTaxRule(ctx, body), {
    save: (ctx, { body }, id) => updateTaxRule(ctx, id, body),
  }),
  route(taxRuleCalls.updateTaxRule, (ctx, { params, body }) => updateTaxRule(ctx, params.id, body)),
  route(taxRuleCalls.deleteTaxRule, (ctx, { params }) => deleteTaxRule(ctx, params.id)),
  route(calls.listCountries, async () => [...countries]),
  route(calls.listStates, (_ctx, { params }) => listStates(params.kind)),
];
