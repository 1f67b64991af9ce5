import { exemptReasonIds } from '@evenkeel/core/taxes/ids';
import * as z from 'zod';
import type { Area } from './areas.ts';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, Done, flag, Id, IdText, LineId, maybe, RowVersion, text, textFields, Usd } from './fields.ts';
import { partyFields, partyTexts } from './party.ts';

/** Customers and vendors, which share one format. The company has some of the same fields. */

const PhoneInput = z.object({
  phoneID: maybe(LineId),
  displayNumber: text(40),
  phoneType: maybe(text(40)),
  allowText: maybe(z.boolean()),
  primary: maybe(z.boolean()),
  deleted: maybe(z.boolean()),
});

const AddressInput = z.object({
  addressType: z.number().int().min(1).max(2),
  addressID: maybe(LineId),
  attention: maybe(text(200)),
  address1: maybe(text(200)),
  address2: maybe(text(200)),
  city: maybe(text(100)),
  state: maybe(text(100)),
  stateId: maybe(Id),
  zipCode: maybe(text(20)),
  plusFour: maybe(text(10)),
  county: maybe(text(100)),
  municipality: maybe(text(100)),
  province: maybe(text(100)),
  provinceId: maybe(Id),
  provinceName: maybe(text(100)),
  postalCode: maybe(text(20)),
  countryId: maybe(Id),
});

const ContactInput = z.object({
  id: maybe(LineId),
  isPrimary: maybe(z.boolean()),
  deleted: maybe(z.boolean()),
  contact: z.object({
    id: maybe(LineId),
    firstName: maybe(text(100)),
    lastName: maybe(text(100)),
    title: maybe(text(100)),
    emailAddress: maybe(text(254)),
    phoneNumber: maybe(text(40)),
    phones: maybe(z.array(PhoneInput).max(20)),
    newcontact: maybe(z.boolean()),
  }),
});

/** A complete customer or vendor. */
export const Entity = z.object({
  ...partyFields,
  salesTaxScenarioId: Id.nullable(),
  taxExempt: z.boolean(),
  /** The number of the exemption permit or certificate. */
  taxPermitNo: z.string(),
  /** The reason for the exemption. Null if none was entered. */
  exemptReason: z.enum(exemptReasonIds).nullable(),
  /** The last day on which the certificate of exemption is valid. Null if the certificate doesn't expire. */
  exemptUntil: DateField.nullable(),
  /** The number of days until an invoice or bill is due. If null, the company setting with the same name applies. */
  termsDays: z.number().int().nullable(),
  /**
   * The percentage of the early-payment discount and the number of days within which the discount can be taken. Null if
   * there is no discount.
   */
  discountPercent: z.number().nullable(),
  discountDays: z.number().int().nullable(),
  documentLinks: z.array(DocumentLink),
  rowVersion: RowVersion,
});
export type Entity = z.output<typeof Entity>;

const partyInputFields = {
  id: maybe(LineId),
  displayname: maybe(text(200)),
  /** core/entities checks the required fields and reports missing ones. */
  name: maybe(text(200)),
  ...textFields(partyTexts, (_, maxLength) => maybe(text(maxLength))),
  emailAddress: maybe(text(254)),
  emails: maybe(z.array(text(254)).max(20)),
  accountNumber: maybe(text(50)),
  isIndividual: maybe(z.boolean()),
  phones: maybe(z.array(PhoneInput).max(20)),
  contacts: maybe(z.array(ContactInput).max(100)),
  addresses: maybe(z.array(AddressInput).max(10)),
  extendedProperties: maybe(
    z
      .array(z.object({ baseExtendedPropertyId: Id, propertyValue: text(1000), dataType: maybe(z.number().int()) }))
      .max(100),
  ),
};

/** The body that saves a customer, a vendor, or the company. */
export const PartyInput = z.object({ ...partyInputFields, rowVersion: maybe(RowVersion) });

export const EntityInput = z.object({
  ...partyInputFields,
  salesTaxScenarioId: maybe(Id),
  taxExempt: maybe(z.boolean()),
  taxPermitNo: maybe(text(50)),
  exemptReason: maybe(z.enum(exemptReasonIds)),
  exemptUntil: maybe(DateField),
  termsDays: maybe(z.number().int()),
  /**
   * The discount percentage with at most 3 decimal places. If the percentage or the number of days is given, both are
   * required.
   */
  discountPercent: maybe(z.number()),
  discountDays: maybe(z.number().int()),
  documentLinks: documentLinksInput,
  /** If false, an inactive record becomes active. Ignored for a new record. */
  deleted: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type EntityInput = z.output<typeof EntityInput>;

/**
 * A row in the customer or vendor list. `currentbalance` is included only for users who may see the area's amounts. The
 * fields that determine a document's tax and due date are also included for users who may view the area's documents, so
 * that the preview of a document matches the saved document. `deleted` is included if inactive records were requested.
 */
export const EntityRow = z.object({
  id: Id,
  displayname: z.string(),
  dba: z.string(),
  emailAddress: z.string(),
  primaryContactPhone: z.string(),
  /** The customer's own scenario. If null, the company's default applies. */
  salesTaxScenarioId: Id.nullable().optional(),
  taxExempt: z.boolean().optional(),
  exemptUntil: DateField.nullable().optional(),
  /** If null, the company's default applies. */
  termsDays: z.number().int().nullable().optional(),
  discountPercent: z.number().nullable().optional(),
  discountDays: z.number().int().nullable().optional(),
  currentbalance: Usd.optional(),
  deleted: z.boolean().optional(),
});
export type EntityRow = z.output<typeof EntityRow>;

/**
 * A customer or vendor in a list of choices. `namesake` means that another active customer or vendor has the same name.
 * The email address, phone, and number are always included so that users can distinguish the records.
 */
export const EntityChoice = EntityRow.omit({ currentbalance: true, deleted: true }).extend({
  namesake: z.boolean(),
  /** For a vendor, the account of the first line on the newest posted bill. Null if the vendor has no bills. */
  usualAccountId: Id.nullable().optional(),
});
export type EntityChoice = z.output<typeof EntityChoice>;

/** At most 50 matches. Names that start with the search text come first. */
export const EntityChoices = z.object({ items: z.array(EntityChoice), hasMore: z.boolean() });
export type EntityChoices = z.output<typeof EntityChoices>;

const EntityListQuery = PageQuery.extend({ inactive: flag });
export type EntityListQuery = z.output<typeof EntityListQuery>;

const params = z.object({ id: IdText });

/** Returns the five calls for customers or for vendors. */
function entityCallsOf<const A extends Area>(
  path: string,
  area: A,
  words: { one: string; many: string; list: string },
) {
  const reads = `View ${area}` as const;
  const writes = `Manage ${area}` as const;
  const { one, many } = words;
  const each = `${path}/{id}`;
  return {
    list: endpoint({
      method: 'GET',
      path,
      needs: 'signed-in',
      summary: words.list,
      query: EntityListQuery,
      reply: listOf(EntityRow),
    }),
    choose: endpoint({
      method: 'GET',
      path: `${path}/choices`,
      needs: 'signed-in',
      summary: `Searches for ${many} to select. Returns up to 50 that match \`q\`, or the one with this \`id\`.`,
      query: z.object({ q: z.string().max(200).optional(), id: IdText.optional() }),
      reply: EntityChoices,
    }),
    get: endpoint({
      method: 'GET',
      path: each,
      needs: reads,
      summary: `Returns a ${one} with addresses, contacts, and phone numbers.`,
      params,
      reply: Entity,
    }),
    create: endpoint({
      method: 'POST',
      path,
      needs: writes,
      summary: `Creates a ${one} (id 0), or updates the one with this ID.`,
      body: EntityInput,
      names: 'id',
      reply: Entity,
    }),
    update: endpoint({
      method: 'PUT',
      path: each,
      needs: writes,
      summary: `Updates a ${one}. To make an inactive one active, set \`deleted\` to false.`,
      params,
      body: EntityInput,
      reply: Entity,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: each,
      needs: writes,
      summary: `Deletes a ${one}, or makes it inactive if it has transactions.`,
      params,
      reply: Done,
    }),
  };
}

const customer = entityCallsOf('/customer', 'Customers', {
  one: 'customer',
  many: 'Customers',
  list: 'Lists customers, sorted by display name. Tax and terms require View Billing. Balances require View Customers.',
});
const vendor = entityCallsOf('/vendor', 'Vendors', {
  one: 'vendor',
  many: 'Vendors',
  list: 'Lists vendors, sorted by display name. Terms require View Expenses. Balances require View Vendors.',
});

export const entityCalls = {
  listCustomers: customer.list,
  chooseCustomer: customer.choose,
  getCustomer: customer.get,
  createCustomer: customer.create,
  updateCustomer: customer.update,
  deleteCustomer: customer.remove,
  listVendors: vendor.list,
  chooseVendor: vendor.choose,
  getVendor: vendor.get,
  createVendor: vendor.create,
  updateVendor: vendor.update,
  deleteVendor: vendor.remove,
};
