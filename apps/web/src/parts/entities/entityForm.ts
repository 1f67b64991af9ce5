import { textFields } from '@evenkeel/contract/fields';
import { partyTexts } from '@evenkeel/contract/party';
import { exemptReasonIds } from '@evenkeel/core/taxes/ids';
import { CANADA, canadianProvinces, countries, UNITED_STATES, usStates } from '@evenkeel/core/geography.data';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf } from '../attachments/attachmentForm.ts';
import type { Attachments } from '../attachments/useAttachments.ts';
import { asForm, blankOf, Day } from '../../records/formFields.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import type { AnyEntity, EntityKind } from './kind.ts';

/** The data of the Entity form. For its request body and messages, see entityInput.ts. */

/** The address types. */
export const MAILING = 1;
export const BILLING = 2;

const Phone = z.object({
  /** The ID of the item. Negative until the item is saved. */
  phoneID: z.number(),
  displayNumber: z.string(),
  phoneType: z.string(),
  allowText: z.boolean(),
  primary: z.boolean(),
  deleted: z.boolean(),
});
export type PhoneForm = z.output<typeof Phone>;

const Contact = z.object({
  id: z.number(),
  isPrimary: z.boolean(),
  deleted: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  title: z.string(),
  emailAddress: z.string(),
  phones: z.array(Phone),
});
export type ContactForm = z.output<typeof Contact>;

const Address = z.object({
  addressID: z.number(),
  addressType: z.number(),
  attention: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  stateId: z.number().nullable(),
  zipCode: z.string(),
  plusFour: z.string(),
  county: z.string(),
  municipality: z.string(),
  provinceId: z.number().nullable(),
  provinceName: z.string(),
  postalCode: z.string(),
  countryId: z.number(),
});
export type AddressForm = z.output<typeof Address>;

export const EntityForm = z.object({
  isIndividual: z.boolean(),
  name: z.string(),
  /** The display name. Empty if it is the same as the name. */
  displayname: z.string(),
  ...textFields(partyTexts, () => z.string()),
  emailAddress: z.string(),
  /** Additional email addresses, one per line. */
  emails: z.array(z.string()),
  phones: z.array(Phone),
  /** The contacts of a business. For an individual, the first contact that isn't deleted is the person. */
  contacts: z.array(Contact),
  addresses: z.array(Address),
  accountNumber: z.string(),
  taxExempt: z.boolean(),
  taxPermitNo: z.string(),
  exemptReason: z.enum(exemptReasonIds).nullable(),
  /** The expiration date of the exemption certificate. Null if it doesn't expire. */
  exemptUntil: Day.nullable(),
  /** The sales tax scenario. Null for the company's default. */
  salesTaxScenarioId: z.number().nullable(),
  /** The terms in days. Null for the company's terms. */
  termsDays: z.number().nullable(),
  /** The discount in percent if a document is paid within the discount days. */
  discountPercent: z.number().nullable(),
  discountDays: z.number().nullable(),
  /**
   * The values of custom fields by definition ID: dates as YYYY-MM-DD, yes/no as true or false, and '' for an empty
   * value.
   */
  properties: z.record(z.string(), z.string()),
  /** Used only for a company. */
  timeZone: z.string(),
  /** The attachments of a customer or vendor, or a company's logo, which is the link that isn't deleted. */
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type EntityForm = z.output<typeof EntityForm>;

/** The props of all tabs in the form. Messages are keyed by the form's own field names. See entityInput.ts. */
export interface EntityTabProps {
  kind: EntityKind;
  form: RecordForm<EntityForm>;
  files: Attachments;
}

const DEFAULT_COUNTRY = 'defaultCountry';

/** Returns the country of a new address: the device's default, the country marked as default, or country 341. */
export function defaultCountryId(): number {
  const set = Number(readLocal(DEFAULT_COUNTRY));
  const found = countries.find((one) => one.countryId === set) ?? countries.find((one) => one.defaultCountry);
  return found?.countryId ?? UNITED_STATES;
}

export function setDefaultCountry(countryId: number): void {
  writeLocal(DEFAULT_COUNTRY, String(countryId));
}

/** Returns the address format: 0 US states, 1 Canadian provinces, 2 free text. */
export function addressFormat(countryId: number): number {
  return countries.find((country) => country.countryId === countryId)?.addressFormatType ?? 2;
}

/** Returns the next ID of an unsaved item, which is negative and counts down. */
export function nextId(ids: readonly number[]): number {
  return Math.min(0, ...ids) - 1;
}

export function blankPhone(ids: readonly number[]): PhoneForm {
  return blankOf(Phone, { phoneID: nextId(ids), primary: ids.length === 0 });
}

export function blankContact(ids: readonly number[]): ContactForm {
  return blankOf(Contact, { id: nextId(ids), isPrimary: ids.length === 0 });
}

function blankAddress(addressType: number): AddressForm {
  return blankOf(Address, { addressID: -addressType, addressType, countryId: defaultCountryId() });
}

export function blankEntity(): EntityForm {
  return blankOf(EntityForm, { addresses: [blankAddress(MAILING), blankAddress(BILLING)] });
}

/** Fields that have the same name on the record are copied unchanged. */
export function entityFormOf(entity: AnyEntity | undefined): EntityForm {
  if (entity === undefined) return blankEntity();
  const properties = entity.extendedProperties.map((each) => [String(each.baseExtendedPropertyId), each.propertyValue]);
  return asForm(EntityForm, {
    ...blankEntity(),
    ...entity,
    displayname: entity.displayname === entity.name ? '' : entity.displayname,
    phones: phonesOf(entity),
    contacts: entity.contacts.map(contactForm),
    addresses: bothAddresses(entity.addresses.map(addressForm)),
    properties: Object.fromEntries(properties),
    documentLinks: attachmentsFormOf(entity.documentLinks ?? (entity.logo ? [entity.logo] : [])),
  });
}

/**
 * Returns an individual's phone numbers as one list, including the numbers stored with the person. entityInput sends
 * them as the entity's phone numbers.
 */
function phonesOf(entity: AnyEntity): PhoneForm[] {
  const [person] = entity.contacts;
  if (!entity.isIndividual || person === undefined) return entity.phones;
  const known = new Set(entity.phones.map((phone) => phone.displayNumber));
  const missing = contactForm(person).phones.filter((phone) => !known.has(phone.displayNumber));
  const lowest = nextId(entity.phones.map((phone) => phone.phoneID));
  const joined = missing.map((phone, index) => ({
    ...phone,
    phoneID: lowest - index,
    primary: phone.primary && entity.phones.length === 0,
  }));
  return [...entity.phones, ...joined];
}

/** A contact's own number becomes the first in the contact's list of phone numbers. */
function contactForm({ id, isPrimary, deleted, contact }: AnyEntity['contacts'][number]): ContactForm {
  const { phones, phoneNumber, firstName, lastName, title, emailAddress } = contact;
  const isListed = phoneNumber === '' || phones.some((phone) => phone.displayNumber === phoneNumber);
  const ids = phones.map((phone) => phone.phoneID);
  const own = { ...blankPhone(ids), displayNumber: phoneNumber, primary: true };
  const all = isListed ? phones : [own, ...phones.map((phone) => ({ ...phone, primary: false }))];
  return { id, isPrimary, deleted, firstName, lastName, title, emailAddress, phones: all };
}

function addressForm(address: AnyEntity['addresses'][number]): AddressForm {
  const { displayAddress: _, state, province, ...rest } = address;
  return {
    ...rest,
    stateId: address.stateId ?? idNamed(usStates, state),
    provinceId: address.provinceId ?? (address.countryId === CANADA ? idNamed(canadianProvinces, province) : null),
    provinceName: address.provinceName === '' ? province : address.provinceName,
    zipCode: address.zipCode,
    postalCode: address.postalCode === '' && address.countryId !== UNITED_STATES ? address.zipCode : address.postalCode,
  };
}

/** Finds a state by its abbreviation or by its full name, which other programs may use. */
function idNamed(list: readonly { id: number; abbrev: string; displayName: string }[], text: string): number | null {
  const wanted = text.toLowerCase();
  const found = list.find(({ abbrev, displayName }) => [abbrev, displayName].some((n) => n.toLowerCase() === wanted));
  return found?.id ?? null;
}

/** Returns a mailing and a billing address. A blank address isn't sent. */
function bothAddresses(addresses: readonly AddressForm[]): AddressForm[] {
  const missing = [MAILING, BILLING].filter((type) => !addresses.some((each) => each.addressType === type));
  return [...addresses, ...missing.map(blankAddress)].toSorted((a, b) => a.addressType - b.addressType);
}

/** Returns the list with the item that has the same ID replaced, or with the item added at the end. */
export function withItem<Item>(items: readonly Item[], item: Item, idOf: (item: Item) => number): Item[] {
  const isKnown = items.some((each) => idOf(each) === idOf(item));
  return isKnown ? items.map((each) => (idOf(each) === idOf(item) ? item : each)) : [...items, item];
}

/**
 * Marks a saved item as deleted, which can be undone until the record is saved. An unsaved item is removed immediately.
 */
export function withoutItem<Item extends { deleted: boolean }>(
  items: readonly Item[],
  item: Item,
  idOf: (item: Item) => number,
): Item[] {
  if (idOf(item) < 0) return items.filter((each) => idOf(each) !== idOf(item));
  return items.map((each) => (idOf(each) === idOf(item) ? { ...each, deleted: true } : each));
}

/** Marks a phone number as primary, and all others as not primary. */
export function withPrimaryPhone(phones: readonly PhoneForm[], id: number): PhoneForm[] {
  return phones.map((phone) => ({ ...phone, primary: phone.phoneID === id }));
}

/** Marks a contact as primary, and all others as not primary. */
export function withPrimaryContact(contacts: readonly ContactForm[], id: number): ContactForm[] {
  return contacts.map((contact) => ({ ...contact, isPrimary: contact.id === id }));
}

/** Returns the person of an individual: the first contact that isn't deleted, or a new contact. */
export function personOf(form: EntityForm): ContactForm {
  return form.contacts.find((contact) => !contact.deleted) ?? blankContact(form.contacts.map((each) => each.id));
}

/** Switches between Business and Individual. An unnamed person isn't kept as a contact. */
export function withKind(form: EntityForm, isIndividual: boolean): EntityForm {
  const isNamed = (contact: ContactForm) => contact.id > 0 || `${contact.firstName}${contact.lastName}`.trim() !== '';
  if (isIndividual) return { ...form, isIndividual };
  return { ...form, isIndividual, contacts: form.contacts.filter(isNamed) };
}
