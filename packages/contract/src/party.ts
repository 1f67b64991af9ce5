import * as z from 'zod';
import { Id, LineId, RowVersion, textFields, Usd } from './fields.ts';

/**
 * The fields that customers, vendors, and the company share. They are separate from the calls because every page loads
 * them.
 */

const Phone = z.object({
  phoneID: LineId,
  displayNumber: z.string(),
  phoneType: z.string(),
  allowText: z.boolean(),
  primary: z.boolean(),
  deleted: z.boolean(),
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

const ContactRecord = z.object({
  id: LineId,
  firstName: z.string(),
  lastName: z.string(),
  title: z.string(),
  emailAddress: z.string(),
  phoneNumber: z.string(),
  phones: z.array(Phone),
  /** True for an unsaved contact in a form. False for every saved contact. */
  newcontact: z.boolean(),
});
const Contact = z.object({ id: LineId, isPrimary: z.boolean(), deleted: z.boolean(), contact: ContactRecord });

const ExtendedProperty = z.object({
  baseExtendedPropertyId: Id,
  propertyValue: z.string(),
  dataType: z.number().int(),
});

/**
 * The text fields that are stored as details of customers, vendors, and the company, with their maximum lengths. They
 * are in requests, responses, and forms. `notes` are for the users of the company, not for customers and vendors.
 */
export const partyTexts = { dba: 200, notes: 2000 };

/** Fields that customers, vendors, and the company share. `currentbalance` is in dollars. */
export const partyFields = {
  id: Id,
  displayname: z.string(),
  name: z.string(),
  ...textFields(partyTexts, () => z.string()),
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
};

/** A customer, a vendor, or the company. */
export const PartyRecord = z.object({ ...partyFields, rowVersion: RowVersion });
export type PartyRecord = z.output<typeof PartyRecord>;
