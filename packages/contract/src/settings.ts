import { taxRoundingIds } from '@evenkeel/core/taxes/ids';
import * as z from 'zod';
import { DocumentLinkInput } from './attachments.ts';
import { Company, companyCalls, CustomerSetting } from './company.ts';
import { endpoint, InactiveQuery } from './endpoint.ts';
import { PartyInput } from './entities.ts';
import { DateField, decimalField, Done, Id, IdText, LineId, maybe, RowVersion, text } from './fields.ts';

/** The company, its settings, sales tax, and the small lookup lists. */

/** `addresses` and `phones` take precedence over the flat fields if both are sent. */
export const CompanyInput = PartyInput.extend({
  timeZone: maybe(text(60)),
  phone: maybe(text(40)),
  address1: maybe(text(200)),
  address2: maybe(text(200)),
  city: maybe(text(100)),
  state: maybe(text(100)),
  zipCode: maybe(text(20)),
  countryId: maybe(Id),
  /**
   * The `{documentId}` of an uploaded image replaces the logo, and null removes the logo. If the field is missing, the
   * logo does not change.
   */
  logo: maybe(DocumentLinkInput),
});
export type CompanyInput = z.output<typeof CompanyInput>;

/**
 * Settings are sent as strings. Numbers and booleans are accepted and stored as strings, and null is stored as an empty
 * string.
 */
export const SettingInput = z.object({
  id: maybe(Id),
  settingName: text(100),
  settingValue: z.union([text(500), z.number(), z.boolean(), z.null()]),
  changed: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type SettingInput = z.output<typeof SettingInput>;

/** A later rate for a tax item, with its effective date. */
const SalesTaxRate = z.object({ from: DateField, percentage: decimalField(6, 1_000_000) });

const SalesTaxItem = z.object({
  id: Id,
  label: z.string(),
  salesTaxType: z.number().int(),
  /** The percentage until the first of `rates` takes effect. */
  percentage: decimalField(6),
  /** Later rates, in date order. An invoice uses the rate that is in effect on its date. */
  rates: z.array(SalesTaxRate),
  deleted: z.boolean(),
  displayLabel: z.string(),
  displayValue: z.string(),
});
export const SalesTaxScenario = z.object({
  id: Id,
  /** The item's name. Empty if there is only one item. */
  name: z.string(),
  glAccountId: Id,
  filingFrequency: z.number().int(),
  /** Whether tax is rounded for each item, or once at the combined rate of all items. */
  taxRounding: z.enum(taxRoundingIds),
  salesTaxItems: z.array(SalesTaxItem),
  rowVersion: RowVersion,
});
export type SalesTaxScenario = z.output<typeof SalesTaxScenario>;

/** core/salestax checks the required fields and reports missing ones. */
export const SalesTaxInput = z.object({
  id: maybe(LineId),
  name: maybe(text(100)),
  glAccountId: maybe(Id),
  filingFrequency: maybe(z.number().int()),
  /** If omitted, a saved scenario keeps its rule, and a new scenario rounds the tax for each item. */
  taxRounding: maybe(z.enum(taxRoundingIds)),
  salesTaxItems: z
    .array(
      z.object({
        id: maybe(LineId),
        label: maybe(text(100)),
        salesTaxType: maybe(z.number().int()),
        percentage: decimalField(6, 1_000_000),
        /** If omitted, a saved item keeps its later rates. */
        rates: maybe(z.array(SalesTaxRate).max(100)),
        deleted: maybe(z.boolean()),
      }),
    )
    .max(50),
  rowVersion: maybe(RowVersion),
});
export type SalesTaxInput = z.output<typeof SalesTaxInput>;

export const PropertyDefinition = z.object({
  id: Id,
  /** 0 for customers, 1 for vendors, 2 for the company. */
  kind: z.number().int(),
  displayName: z.string(),
  /** The data type: 1 date, 2 text, 4 yes/no. */
  dataType: z.number().int(),
  active: z.boolean(),
  rowVersion: RowVersion,
});
export type PropertyDefinition = z.output<typeof PropertyDefinition>;

/** The kind and type of a saved custom field cannot change. */
export const PropertyInput = z.object({
  id: maybe(LineId),
  kind: maybe(z.number().int()),
  displayName: maybe(text(100)),
  dataType: maybe(z.number().int()),
  active: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type PropertyInput = z.output<typeof PropertyInput>;

const Country = z.object({
  countryId: Id,
  countryName: z.string(),
  defaultCountry: z.boolean(),
  addressFormatType: z.number().int(),
});
const StateProvince = z.object({ id: Id, abbrev: z.string(), displayName: z.string() });

const CompanyDetailKind = z.object({ kind: IdText });

export const settingsCalls = {
  ...companyCalls,
  getCompanyById: endpoint({
    method: 'GET',
    path: '/company/{id}',
    needs: 'signed-in',
    summary: "Returns the user's company. `id` must be that company's ID.",
    params: z.object({ id: IdText }),
    reply: Company,
  }),
  createCompany: endpoint({
    method: 'POST',
    path: '/company',
    needs: 'Administrator',
    summary: 'Updates the company. Same as `PUT`.',
    body: CompanyInput,
    names: 'id',
    reply: Company,
  }),
  updateCompany: endpoint({
    method: 'PUT',
    path: '/company/{id}',
    needs: 'Administrator',
    summary: 'Updates the company.',
    params: z.object({ id: IdText }),
    body: CompanyInput,
    reply: Company,
  }),
  entityDetails: endpoint({
    method: 'GET',
    path: '/entitydetails/{kind}',
    needs: 'signed-in',
    summary: 'Lists the custom fields of customers (0), vendors (1), or the company (2).',
    params: CompanyDetailKind,
    query: InactiveQuery,
    reply: z.array(PropertyDefinition),
  }),
  createProperty: endpoint({
    method: 'POST',
    path: '/entitydetails',
    needs: 'Administrator',
    summary:
      'Creates a custom field for customers (kind 0), vendors (1), or the company (2), or updates ' +
      'the one with this ID.',
    body: PropertyInput,
    names: 'id',
    reply: PropertyDefinition,
  }),
  updateProperty: endpoint({
    method: 'PUT',
    path: '/entitydetails/{id}',
    needs: 'Administrator',
    summary: "Renames a custom field, or makes it active again. Its kind and type can't be changed.",
    params: z.object({ id: IdText }),
    body: PropertyInput,
    reply: PropertyDefinition,
  }),
  deleteProperty: endpoint({
    method: 'DELETE',
    path: '/entitydetails/{id}',
    needs: 'Administrator',
    summary: 'Makes a custom field inactive. Existing values are kept.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  saveSettings: endpoint({
    method: 'POST',
    path: '/customersettings',
    needs: 'Administrator',
    summary: 'Updates one setting, or a list of settings. If one fails, none are saved.',
    body: z.union([SettingInput, z.array(SettingInput).min(1).max(50)]),
    reply: z.union([CustomerSetting, z.array(CustomerSetting)]),
  }),
  listSalesTax: endpoint({
    method: 'GET',
    path: '/salestax',
    needs: 'signed-in',
    summary: 'Lists sales tax scenarios. The first is the default.',
    reply: z.array(SalesTaxScenario),
  }),
  getSalesTax: endpoint({
    method: 'GET',
    path: '/salestax/{id}',
    needs: 'signed-in',
    summary: 'Returns a sales tax scenario.',
    params: z.object({ id: IdText }),
    reply: SalesTaxScenario,
  }),
  createSalesTax: endpoint({
    method: 'POST',
    path: '/salestax',
    needs: 'Administrator',
    summary:
      'Creates a sales tax scenario (id 0), or updates the one with this ID. The first unnamed scenario is the ' +
      'default.',
    body: SalesTaxInput,
    names: 'id',
    reply: SalesTaxScenario,
  }),
  updateSalesTax: endpoint({
    method: 'PUT',
    path: '/salestax/{id}',
    needs: 'Administrator',
    summary: 'Updates a sales tax scenario. Existing invoices keep their rates.',
    params: z.object({ id: IdText }),
    body: SalesTaxInput,
    reply: SalesTaxScenario,
  }),
  listCountries: endpoint({
    method: 'GET',
    path: '/countries',
    needs: 'signed-in',
    summary: 'Lists countries. ID 341 is the United States.',
    reply: z.array(Country),
  }),
  listStates: endpoint({
    method: 'GET',
    path: '/stateprovince/{kind}',
    needs: 'signed-in',
    summary: 'Lists US states (1) or Canadian provinces (2).',
    params: z.object({ kind: IdText }),
    reply: z.array(StateProvince),
  }),
};
