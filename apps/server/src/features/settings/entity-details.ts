import type { EntityInput } from '@evenkeel/contract/entities';
import { textFields } from '@evenkeel/contract/fields';
import { type PartyRecord, partyTexts } from '@evenkeel/contract/party';
import { displayAddress, keepOne } from '@evenkeel/core/entities';
import { UNITED_STATES } from '@evenkeel/core/geography.data';

type Phone = PartyRecord['phones'][number];
type Contact = PartyRecord['contacts'][number];
type Address = PartyRecord['addresses'][number];
export type PhoneInput = NonNullable<EntityInput['phones']>[number];
type ContactInput = NonNullable<EntityInput['contacts']>[number];
export type AddressInput = NonNullable<EntityInput['addresses']>[number];

/** The fields in a request that are stored as details. */
type Given = keyof typeof partyTexts | 'emails' | 'phones' | 'contacts' | 'addresses' | 'extendedProperties';

/**
 * An entity's details in one JSON value. The details are read and saved together with the entity, and they are never
 * searched separately.
 */
export interface EntityDetails extends Pick<
  PartyRecord,
  Given | 'primaryContactName' | 'primaryContactEmail' | 'primaryContactPhone'
> {
  /** The highest ID that a phone number, contact, or address of this entity has had. IDs are never reused. */
  lastId: number;
}

/** The request body's fields for an entity's details. */
export type DetailsInput = Pick<EntityInput, Given>;

export const NO_DETAILS: EntityDetails = {
  lastId: 0,
  ...textFields(partyTexts, () => ''),
  emails: [],
  phones: [],
  contacts: [],
  addresses: [],
  extendedProperties: [],
  primaryContactName: '',
  primaryContactEmail: '',
  primaryContactPhone: '',
};

/**
 * Assigns IDs. An item keeps its ID if the ID is in the stored list and no earlier item has it. Any other item gets the
 * next ID.
 */
class Ids {
  last: number;

  constructor(last: number) {
    this.last = last;
  }

  keep(given: number | null | undefined, stored: Set<number>): number {
    if (given !== null && given !== undefined && stored.delete(given)) return given;
    this.last += 1;
    return this.last;
  }
}

/**
 * Returns the details after a save. If a list is omitted, it does not change. Otherwise, the given list replaces the
 * stored list. Its deleted items are omitted, and its new items, which have negative IDs, get IDs. Each list has one
 * primary contact or phone number.
 */
export function mergeDetails(stored: EntityDetails, input: DetailsInput): EntityDetails {
  const ids = new Ids(stored.lastId);
  const phones = input.phones ? mergePhones(stored.phones, input.phones, ids) : stored.phones;
  const contacts = input.contacts ? mergeContacts(stored.contacts, input.contacts, ids) : stored.contacts;
  const addresses = input.addresses ? mergeAddresses(stored.addresses, input.addresses, ids) : stored.addresses;
  const properties = input.extendedProperties?.map((each) => ({ ...each, dataType: each.dataType ?? 2 }));
  return {
    lastId: ids.last,
    ...textFields(partyTexts, (name) => input[name] ?? stored[name]),
    emails: input.emails ?? stored.emails,
    phones,
    contacts,
    addresses,
    extendedProperties: properties ?? stored.extendedProperties,
    ...primaryOf(contacts, phones),
  };
}

function mergePhones(stored: readonly Phone[], given: readonly PhoneInput[], ids: Ids): Phone[] {
  const before = new Set(stored.filter((phone) => phone.primary).map((phone) => phone.phoneID));
  const known = new Set(stored.map((phone) => phone.phoneID));
  const phones = given.flatMap((phone) =>
    phone.deleted === true ? [] : [toPhone(phone, ids.keep(phone.phoneID, known))],
  );
  return keepOne(phones, {
    get: (phone) => phone.primary,
    was: (phone) => before.has(phone.phoneID),
    set: (phone, primary) => ({ ...phone, primary }),
  });
}

function toPhone(phone: PhoneInput, phoneID: number): Phone {
  return {
    phoneID,
    displayNumber: phone.displayNumber,
    phoneType: phone.phoneType ?? '',
    allowText: phone.allowText ?? false,
    primary: phone.primary ?? false,
    deleted: false,
  };
}

function mergeContacts(stored: readonly Contact[], given: readonly ContactInput[], ids: Ids): Contact[] {
  const before = new Map(stored.map((contact) => [contact.id, contact]));
  const known = new Set(before.keys());
  const contacts = given.flatMap((contact) => {
    if (contact.deleted === true) return [];
    const id = ids.keep(contact.id ?? contact.contact.id, known);
    return [toContact({ ...contact, id }, before.get(id)?.contact, ids)];
  });
  return keepOne(contacts, {
    get: (contact) => contact.isPrimary,
    was: (contact) => before.get(contact.id)?.isPrimary === true,
    set: (contact, isPrimary) => ({ ...contact, isPrimary }),
  });
}

function toContact(
  { id, isPrimary, contact }: ContactInput & { id: number },
  stored: Contact['contact'] | undefined,
  ids: Ids,
): Contact {
  return {
    id,
    isPrimary: isPrimary ?? false,
    deleted: false,
    contact: {
      id,
      firstName: contact.firstName ?? '',
      lastName: contact.lastName ?? '',
      title: contact.title ?? stored?.title ?? '',
      emailAddress: contact.emailAddress ?? stored?.emailAddress ?? '',
      phoneNumber: contact.phoneNumber ?? stored?.phoneNumber ?? '',
      phones: contact.phones ? mergePhones(stored?.phones ?? [], contact.phones, ids) : (stored?.phones ?? []),
      newcontact: false,
    },
  };
}

function mergeAddresses(stored: readonly Address[], given: readonly AddressInput[], ids: Ids): Address[] {
  const known = new Set(stored.map((address) => address.addressID));
  return given.map((address) => toAddress(address, ids.keep(address.addressID, known)));
}

function toAddress(given: AddressInput, addressID: number): Address {
  const address = {
    addressType: given.addressType,
    addressID,
    attention: given.attention ?? '',
    address1: given.address1 ?? '',
    address2: given.address2 ?? '',
    city: given.city ?? '',
    state: given.state ?? '',
    stateId: given.stateId || null,
    zipCode: given.zipCode ?? '',
    plusFour: given.plusFour ?? '',
    county: given.county ?? '',
    municipality: given.municipality ?? '',
    province: given.province ?? '',
    provinceId: given.provinceId || null,
    provinceName: given.provinceName ?? '',
    postalCode: given.postalCode ?? '',
    countryId: given.countryId || UNITED_STATES,
  };
  return { ...address, displayAddress: displayAddress(address) };
}

/**
 * Returns the primary contact, or else the first contact, together with the contact's phone number, or else the
 * entity's.
 */
function primaryOf(contacts: readonly Contact[], phones: readonly Phone[]) {
  const contact = (contacts.find((each) => each.isPrimary) ?? contacts[0])?.contact;
  const number = (list: readonly Phone[]): string => primaryPhone(list)?.displayNumber ?? '';
  return {
    primaryContactName: contact === undefined ? '' : `${contact.firstName} ${contact.lastName}`.trim(),
    primaryContactEmail: contact?.emailAddress ?? '',
    primaryContactPhone: contact?.phoneNumber || number(contact?.phones ?? []) || number(phones),
  };
}

/** Returns the primary phone number in a list, or else the first phone number. */
export function primaryPhone(phones: readonly Phone[]): Phone | undefined {
  return phones.find((phone) => phone.primary) ?? phones[0];
}

/** Returns the details in the entity's format. Contacts and phone numbers appear under both of their field names. */
export function shownDetails(stored: Partial<EntityDetails>) {
  const { lastId: _, ...shown } = { ...NO_DETAILS, ...stored };
  const contacts = shown.contacts.map((each) => ({ ...each, contact: { ...each.contact, newcontact: false } }));
  return { ...shown, contacts, phoneList: shown.phones, contactList: contacts };
}
