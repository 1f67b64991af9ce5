import type { Entity, EntityInput } from '@evenkeel/contract/entities';
import { displayAddress, keepOne } from '@evenkeel/core/entities';
import { UNITED_STATES } from '@evenkeel/core/geography.data';

type Phone = Entity['phones'][number];
type Contact = Entity['contacts'][number];
type Address = Entity['addresses'][number];
type PhoneInput = NonNullable<EntityInput['phones']>[number];
type ContactInput = NonNullable<EntityInput['contacts']>[number];
type AddressInput = NonNullable<EntityInput['addresses']>[number];

/** What is kept of an entity in one JSON value: read and saved with it, never searched alone. */
export interface EntityDetails {
  /** The highest id given to a phone, contact or address of this entity; ids are not used twice. */
  lastId: number;
  dba: string;
  emails: string[];
  phones: Phone[];
  contacts: Contact[];
  addresses: Address[];
  extendedProperties: Entity['extendedProperties'];
  primaryContactName: string;
  primaryContactEmail: string;
  primaryContactPhone: string;
}

export const NO_DETAILS: EntityDetails = {
  lastId: 0,
  dba: '',
  emails: [],
  phones: [],
  contacts: [],
  addresses: [],
  extendedProperties: [],
  primaryContactName: '',
  primaryContactEmail: '',
  primaryContactPhone: '',
};

/** Gives out ids: a known one stays (once), every other becomes the next. */
class Ids {
  last: number;
  private readonly known: Set<number>;

  constructor(details: EntityDetails) {
    this.last = details.lastId;
    const phones = [...details.phones, ...details.contacts.flatMap(({ contact }) => contact.phones)];
    this.known = new Set([
      ...phones.map((phone) => phone.phoneID),
      ...details.contacts.map((contact) => contact.id),
      ...details.addresses.map((address) => address.addressID),
    ]);
  }

  keep(given: number | null | undefined): number {
    if (given !== null && given !== undefined && this.known.delete(given)) return given;
    this.last += 1;
    return this.last;
  }
}

/**
 * The details after a save. A list that is not given stays; a given one takes the stored one's place, without what is
 * marked deleted; new items (negative ids) get ids; one contact is primary, and one phone of each list
 * (Specification part 1 §4).
 */
export function mergeDetails(stored: EntityDetails, input: EntityInput): EntityDetails {
  const ids = new Ids(stored);
  const phones = input.phones ? mergePhones(stored.phones, input.phones, ids) : stored.phones;
  const contacts = input.contacts ? mergeContacts(stored.contacts, input.contacts, ids) : stored.contacts;
  const addresses = input.addresses ? input.addresses.map((each) => toAddress(each, ids)) : stored.addresses;
  const properties = input.extendedProperties?.map((each) => ({ ...each, dataType: each.dataType ?? 2 }));
  return {
    lastId: ids.last,
    dba: input.dba ?? stored.dba,
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
  const phones = given.flatMap((phone) => (phone.deleted === true ? [] : [toPhone(phone, ids)]));
  return keepOne(phones, {
    get: (phone) => phone.primary,
    was: (phone) => before.has(phone.phoneID),
    set: (phone, primary) => ({ ...phone, primary }),
  });
}

function toPhone(phone: PhoneInput, ids: Ids): Phone {
  return {
    phoneID: ids.keep(phone.phoneID),
    displayNumber: phone.displayNumber,
    phoneType: phone.phoneType ?? '',
    allowText: phone.allowText ?? false,
    primary: phone.primary ?? false,
    deleted: false,
  };
}

function mergeContacts(stored: readonly Contact[], given: readonly ContactInput[], ids: Ids): Contact[] {
  const before = new Map(stored.map((contact) => [contact.id, contact]));
  const contacts = given.flatMap((contact) => (contact.deleted === true ? [] : [toContact(contact, before, ids)]));
  return keepOne(contacts, {
    get: (contact) => contact.isPrimary,
    was: (contact) => before.get(contact.id)?.isPrimary === true,
    set: (contact, isPrimary) => ({ ...contact, isPrimary }),
  });
}

function toContact(given: ContactInput, before: ReadonlyMap<number, Contact>, ids: Ids): Contact {
  const id = ids.keep(given.id ?? given.contact.id);
  const stored = before.get(id)?.contact;
  const { contact } = given;
  return {
    id,
    isPrimary: given.isPrimary ?? false,
    deleted: false,
    contact: {
      id,
      firstName: contact.firstName ?? '',
      lastName: contact.lastName ?? '',
      title: contact.title ?? stored?.title ?? '',
      emailAddress: contact.emailAddress ?? stored?.emailAddress ?? '',
      phoneNumber: contact.phoneNumber ?? stored?.phoneNumber ?? '',
      phones: contact.phones ? mergePhones(stored?.phones ?? [], contact.phones, ids) : (stored?.phones ?? []),
    },
  };
}

function toAddress(given: AddressInput, ids: Ids): Address {
  const address = {
    addressType: given.addressType,
    addressID: ids.keep(given.addressID),
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

/** Whom to call: the primary contact, else the first; the phone of that contact, else the entity's own. */
function primaryOf(contacts: readonly Contact[], phones: readonly Phone[]) {
  const contact = (contacts.find((each) => each.isPrimary) ?? contacts[0])?.contact;
  const number = (list: readonly Phone[]): string =>
    (list.find((phone) => phone.primary) ?? list[0])?.displayNumber ?? '';
  return {
    primaryContactName: contact === undefined ? '' : `${contact.firstName} ${contact.lastName}`.trim(),
    primaryContactEmail: contact?.emailAddress ?? '',
    primaryContactPhone: contact?.phoneNumber || number(contact?.phones ?? []) || number(phones),
  };
}
