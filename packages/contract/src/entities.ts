import * as z from 'zod';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';

/** Customers, vendors and the company are one shape (Specification part 1 §3 "Entity"). */

const Phone = z.object({
  phoneID: LineId,
  displayNumber: z.string(),
  phoneType: z.string(),
  allowText: z.boolean(),
  primary: z.boolean(),
  deleted: z.boolean(),
});
const PhoneInput = z.object({
  phoneID: maybe(LineId),
  displayNumber: text(40),
  phoneType: maybe(text(40)),
  allowText: maybe(z.boolean()),
  primary: maybe(z.boolean()),
  deleted: maybe(z.boolean()),
});

const Address = z.object({
  addressType: z.number().int(),
  addressID: LineId,
  attention: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  stateId: Id.nullable(),
  zipCode: z.string(),
  plusFour: z.string(),
  county: z.string(),
  municipality: z.string(),
  province: z.string(),
  provinceId: Id.nullable(),
  provinceName: z.string(),
  postalCode: z.string(),
  countryId: Id,
  displayAddress: z.string(),
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

const ContactRecord = z.object({
  id: LineId,
  firstName: z.string(),
  lastName: z.string(),
  title: z.string(),
  emailAddress: z.string(),
  phoneNumber: z.string(),
  phones: z.array(Phone),
});
const Contact = z.object({ id: LineId, isPrimary: z.boolean(), deleted: z.boolean(), contact: ContactRecord });
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
  }),
});

const ExtendedProperty = z.object({
  baseExtendedPropertyId: Id,
  propertyValue: z.string(),
  dataType: z.number().int(),
});

/** A customer or vendor, whole. `currentbalance` is what is owed, in dollars. */
export const Entity = z.object({
  id: Id,
  displayname: z.string(),
  name: z.string(),
  dba: z.string(),
  emailAddress: z.string(),
  emails: z.array(z.string()),
  accountNumber: z.string(),
  isIndividual: z.boolean(),
  phones: z.array(Phone),
  phoneList: z.array(Phone),
  contacts: z.array(Contact),
  contactList: z.array(Contact),
  addresses: z.array(Address),
  extendedProperties: z.array(ExtendedProperty),
  primaryContactName: z.string(),
  primaryContactEmail: z.string(),
  primaryContactPhone: z.string(),
  deleted: z.boolean(),
  currentbalance: Usd,
  salesTaxScenarioId: Id.nullable(),
  taxExempt: z.boolean(),
  taxPermitNo: z.string(),
  rowVersion: RowVersion,
});
export type Entity = z.output<typeof Entity>;

export const EntityInput = z.object({
  id: maybe(z.number().int()),
  displayname: maybe(text(200)),
  /** Required by the rules of core/entities, whose sentences name what is missing. */
  name: maybe(text(200)),
  dba: maybe(text(200)),
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
  salesTaxScenarioId: maybe(Id),
  taxExempt: maybe(z.boolean()),
  taxPermitNo: maybe(text(50)),
  /** false restores a record that was deactivated; ignored on create. */
  deleted: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type EntityInput = z.output<typeof EntityInput>;

/**
 * A row of the customers list; `currentbalance` only for those who may see the area's amounts. What decides the tax of
 * an invoice is there for those who may view billing or customers, so that a biller previews the tax that is saved.
 */
export const CustomerRow = z.object({
  id: Id,
  displayname: z.string(),
  emailAddress: z.string(),
  primaryContactPhone: z.string(),
  /** The customer's own scenario; null is the company's default. */
  salesTaxScenarioId: Id.nullable().optional(),
  taxExempt: z.boolean().optional(),
  currentbalance: Usd.optional(),
});
export type CustomerRow = z.output<typeof CustomerRow>;

const idParams = z.object({ id: IdText });

export const entityCalls = {
  listCustomers: endpoint({
    method: 'GET',
    path: '/customer',
    needs: 'signed-in',
    summary: 'Customers by display name; tax for those who may view billing, balance for those who may view customers.',
    query: PageQuery,
    reply: listOf(CustomerRow),
  }),
  getCustomer: endpoint({
    method: 'GET',
    path: '/customer/{id}',
    needs: 'View Customers',
    summary: 'One customer with addresses, contacts and phones.',
    params: idParams,
    reply: Entity,
  }),
  createCustomer: endpoint({
    method: 'POST',
    path: '/customer',
    needs: 'Manage Customers',
    summary: 'Creates a customer.',
    body: EntityInput,
    reply: Entity,
  }),
  updateCustomer: endpoint({
    method: 'PUT',
    path: '/customer/{id}',
    needs: 'Manage Customers',
    summary: 'Saves a customer.',
    params: idParams,
    body: EntityInput,
    reply: Entity,
  }),
  deleteCustomer: endpoint({
    method: 'DELETE',
    path: '/customer/{id}',
    needs: 'Manage Customers',
    summary: 'Removes a customer; one with history is deactivated.',
    params: idParams,
    reply: Done,
  }),
};
