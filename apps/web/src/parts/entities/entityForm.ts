import { CANADA, canadianProvinces, countries, UNITED_STATES, usStates } from '@evenkeel/core/geography.data';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf } from '../attachments/attachmentForm.ts';
import type { Attachments } from '../attachments/useAttachments.ts';
import { asForm, blankOf } from '../../records/formFields.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import type { AnyEntity, EntityKind } from './kind.ts';

/** The Entity form as data: the typed values. entityInput.ts has the body to send and the messages. */

/** Types of addresses. */
export const MAILING = 1;
export const BILLING = 2;

const Phone = z.object({
  /** Negative until saved. */
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
  /** Empty: the same as the name. */
  displayname: z.string(),
  dba: z.string(),
  emailAddress: z.string(),
  /** Further addresses, one a line. */
  emails: z.array(z.string()),
  phones: z.array(Phone),
  /** Contacts of a business; for an individual the first one that is not deleted is the person. */
  contacts: z.array(Contact),
  addresses: z.array(Address),
  accountNumber: z.string(),
  taxExempt: z.boolean(),
  taxPermitNo: z.string(),
  /** Null: the company's default. */
  salesTaxScenarioId: z.number().nullable(),
  /** Null: the company's. */
  termsDays: z.number().nullable(),
  /** Percent off where a document is paid within so many days. */
  discountPercent: z.number().nullable(),
  discountDays: z.number().nullable(),
  /** By definition id; dates as YYYY-MM-DD, yes/no as true or false, '' for nothing. */
  properties: z.record(z.string(), z.string()),
  /** A company's alone. */
  timeZone: z.string(),
  /** The logo of a company: the one that is not deleted. */
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type EntityForm = z.output<typeof EntityForm>;

/** Properties of every tab of the form; messages stand at the form's own places (entityInput.ts). */
export interface EntityTabProps {
  kind: EntityKind;
  form: RecordForm<EntityForm>;
  files: Attachments;
}

const DEFAULT_COUNTRY = 'defaultCountry';

/** The country of a new address: the one set on this device, else the one marked, else 341. */
export function defaultCountryId(): number {
  const set = Number(readLocal(DEFAULT_COUNTRY));
  const found = countries.find((one) => one.countryId === set) ?? countries.find((one) => one.defaultCountry);
  return found?.countryId ?? UNITED_STATES;
}

export function setDefaultCountry(countryId: number): void {
  writeLocal(DEFAULT_COUNTRY, String(countryId));
}

/** 0 US states, 1 Canadian provinces, 2 a province in free text. */
export function addressFormat(countryId: number): number {
  return countries.find((country) => country.countryId === countryId)?.addressFormatType ?? 2;
}

/** The next id of an unsaved item: negative, counting down. */
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

/** A field of the same name as the record's is taken as it is. */
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
    documentLinks: attachmentsFormOf(entity.logo ? [entity.logo] : []),
  });
}

/** An individual has one list: numbers that stand with the person alone join it (entityInput sends them there). */
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

/** The contact's own number, where one was given beside its phones, becomes the first of them. */
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

/** A state written out by another program is recognised by its abbreviation or name. */
function idNamed(list: readonly { id: number; abbrev: string; displayName: string }[], text: string): number | null {
  const wanted = text.toLowerCase();
  const found = list.find(({ abbrev, displayName }) => [abbrev, displayName].some((n) => n.toLowerCase() === wanted));
  return found?.id ?? null;
}

/** The form always shows a mailing and a billing address; what stays blank is not sent. */
function bothAddresses(addresses: readonly AddressForm[]): AddressForm[] {
  const missing = [MAILING, BILLING].filter((type) => !addresses.some((each) => each.addressType === type));
  return [...addresses, ...missing.map(blankAddress)].toSorted((a, b) => a.addressType - b.addressType);
}

/** The list with this item in the place of the one with its id, or after the others. */
export function withItem<Item>(items: readonly Item[], item: Item, idOf: (item: Item) => number): Item[] {
  const isKnown = items.some((each) => idOf(each) === idOf(item));
  return isKnown ? items.map((each) => (idOf(each) === idOf(item) ? item : each)) : [...items, item];
}

/** A saved item is marked (and can be brought back until the save), an unsaved one is gone. */
export function withoutItem<Item extends { deleted: boolean }>(
  items: readonly Item[],
  item: Item,
  idOf: (item: Item) => number,
): Item[] {
  if (idOf(item) < 0) return items.filter((each) => idOf(each) !== idOf(item));
  return items.map((each) => (idOf(each) === idOf(item) ? { ...each, deleted: true } : each));
}

/** One primary phone of a list: marking one clears the others. */
export function withPrimaryPhone(phones: readonly PhoneForm[], id: number): PhoneForm[] {
  return phones.map((phone) => ({ ...phone, primary: phone.phoneID === id }));
}

/** One primary contact: marking one clears the others. */
export function withPrimaryContact(contacts: readonly ContactForm[], id: number): ContactForm[] {
  return contacts.map((contact) => ({ ...contact, isPrimary: contact.id === id }));
}

/** The person that an individual is: the first contact that is not deleted, or a new one. */
export function personOf(form: EntityForm): ContactForm {
  return form.contacts.find((contact) => !contact.deleted) ?? blankContact(form.contacts.map((each) => each.id));
}

/** Business or Individual; a person who was never named does not stay behind as a contact. */
export function withKind(form: EntityForm, isIndividual: boolean): EntityForm {
  const isNamed = (contact: ContactForm) => contact.id > 0 || `${contact.firstName}${contact.lastName}`.trim() !== '';
  if (isIndividual) return { ...form, isIndividual };
  return { ...form, isIndividual, contacts: form.contacts.filter(isNamed) };
}
