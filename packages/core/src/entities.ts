import { parseWireDate } from './dates.ts';
import { isEmailAddress } from './email.ts';
import type { FieldMessages } from './failure.ts';
import { canadianProvinces, CANADA, countries, UNITED_STATES, usStates } from './geography.data.ts';
import { discountTermsFaults, isTermsDays, TERMS_MESSAGE } from './documents/terms.ts';

/** Rules for customers, vendors, and contacts that the form and the server share. */

export const CUSTOMER = 0;
export const VENDOR = 1;
export const COMPANY = 2;
export type EntityKind = typeof CUSTOMER | typeof VENDOR | typeof COMPANY;

const LABELS = ['Customer', 'Vendor', 'Company'] as const;

/** Returns the label for messages: "Customer", "Vendor", or "Company". */
export function entityLabel(kind: EntityKind): string {
  return LABELS[kind];
}

const INVALID_EMAIL = 'Please enter a valid email address';
type Maybe<T> = T | null | undefined;

export interface CheckableContact {
  deleted?: Maybe<boolean>;
  contact: { firstName?: Maybe<string>; lastName?: Maybe<string>; emailAddress?: Maybe<string> };
}

export interface CheckableAddress {
  countryId?: Maybe<number>;
  stateId?: Maybe<number>;
  provinceId?: Maybe<number>;
}

export interface CheckableEntity {
  name?: Maybe<string>;
  emailAddress?: Maybe<string>;
  emails?: Maybe<readonly string[]>;
  isIndividual?: Maybe<boolean>;
  contacts?: Maybe<readonly CheckableContact[]>;
  addresses?: Maybe<readonly CheckableAddress[]>;
  /** The number of days until a document is due. If null, the company's terms apply. */
  termsDays?: Maybe<number>;
  /**
   * The percentage of the early-payment discount. If the percentage or the number of days is given, both are required.
   */
  discountPercent?: Maybe<number>;
  discountDays?: Maybe<number>;
}

/**
 * Returns the validation messages for an entity by field path, or an empty object if it is valid. A name and an email
 * address are required. Each contact needs a first and last name, and an individual's contact also needs an email
 * address. An individual's name may come from the contact (see entityName).
 */
export function checkEntity(entity: CheckableEntity, kind: EntityKind): FieldMessages {
  const fields: FieldMessages = {};
  if (entityName(entity) === '') fields['name'] = `Please enter a ${entityLabel(kind)} name`;
  const email = entityEmail(entity);
  if (!isEmailAddress(email)) fields['emailAddress'] = INVALID_EMAIL;
  entity.emails?.forEach((email, index) => {
    if (!isEmailAddress(email)) fields[`emails.${index}`] = INVALID_EMAIL;
  });
  entity.contacts?.forEach((contact, index) => {
    if (contact.deleted !== true) Object.assign(fields, checkContact(contact, index, entity.isIndividual === true));
  });
  entity.addresses?.forEach((address, index) => Object.assign(fields, checkAddress(address, index)));
  if (!isTermsDays(entity.termsDays ?? 0)) fields['termsDays'] = TERMS_MESSAGE;
  Object.assign(fields, discountTermsFaults(entity));
  return fields;
}

function checkContact({ contact }: CheckableContact, index: number, needsEmail: boolean): FieldMessages {
  const fields: FieldMessages = {};
  const path = `contacts.${index}.contact`;
  const email = contact.emailAddress ?? '';
  if (isBlank(contact.firstName)) fields[`${path}.firstName`] = 'Please enter a First name';
  if (isBlank(contact.lastName)) fields[`${path}.lastName`] = 'Please enter a Last name';
  if ((needsEmail || email !== '') && !isEmailAddress(email)) fields[`${path}.emailAddress`] = INVALID_EMAIL;
  return fields;
}

function checkAddress(address: CheckableAddress, index: number): FieldMessages {
  const fields: FieldMessages = {};
  const countryId = address.countryId ?? UNITED_STATES;
  const known = (id: Maybe<number>, list: readonly { id: number }[]): boolean =>
    id === null || id === undefined || id === 0 || list.some((each) => each.id === id);
  if (countryId !== 0 && !countries.some((country) => country.countryId === countryId)) {
    fields[`addresses.${index}.countryId`] = 'Please Select a Country';
  }
  if (!known(address.stateId, usStates)) fields[`addresses.${index}.stateId`] = 'Please Select a State';
  if (!known(address.provinceId, canadianProvinces)) {
    fields[`addresses.${index}.provinceId`] = 'Please Select a Province';
  }
  return fields;
}

function isBlank(text: Maybe<string>): boolean {
  return text === null || text === undefined || text.trim() === '';
}

/** The types of custom fields: 1 date, 2 text, 4 yes/no. */
export const propertyTypes = [
  { id: 2, displayName: 'Text' },
  { id: 1, displayName: 'Date' },
  { id: 4, displayName: 'Yes/No' },
] as const;

/**
 * Returns the validation messages for a custom field's definition, except for its name, or an empty object if the
 * definition is valid.
 */
export function checkPropertyType(definition: { kind?: Maybe<number>; dataType?: Maybe<number> }): FieldMessages {
  const fields: FieldMessages = {};
  if (!LABELS.some((_, kind) => kind === definition.kind)) fields['kind'] = 'Please select a kind';
  if (!propertyTypes.some(({ id }) => id === definition.dataType)) fields['dataType'] = 'Please select a type';
  return fields;
}

/**
 * Returns a custom field's value in its stored format (dates as YYYY-MM-DD, yes/no as true or false), or the reason why
 * the value is rejected.
 */
export function propertyValue(
  dataType: number,
  text: string,
): { value: string; message?: never } | { value?: never; message: string } {
  if (text === '' || dataType === 2) return { value: text };
  if (dataType === 1) {
    const date = parseWireDate(text);
    return date === undefined ? { message: 'Please enter a valid date' } : { value: date };
  }
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? { value: lower } : { message: "Please enter 'true' or 'false'" };
}

/** Returns the contact of an individual, which is the first contact that is not deleted. */
function person(entity: CheckableEntity): CheckableContact['contact'] | undefined {
  if (entity.isIndividual !== true) return undefined;
  return entity.contacts?.find((contact) => contact.deleted !== true)?.contact;
}

/** Returns the given name, or the name of the individual's contact (for example, "Ruth Abernathy"). */
export function entityName(entity: CheckableEntity): string {
  const given = (entity.name ?? '').trim();
  if (given !== '') return given;
  const contact = person(entity);
  return `${contact?.firstName ?? ''} ${contact?.lastName ?? ''}`.trim();
}

/** Returns the given email address, or the address of the individual's contact. */
export function entityEmail(entity: CheckableEntity): string {
  const given = (entity.emailAddress ?? '').trim();
  return given !== '' ? given : (person(entity)?.emailAddress ?? '').trim();
}

/**
 * Keeps at most one marked item in a list. If several items are marked and not deleted, the last newly marked item
 * stays marked or, if none is newly marked, the first marked item.
 */
export function keepOne<T extends { deleted: boolean }>(
  items: readonly T[],
  mark: { get: (item: T) => boolean; was: (item: T) => boolean; set: (item: T, value: boolean) => T },
): T[] {
  const marked = items.filter((item) => !item.deleted && mark.get(item));
  const chosen = marked.findLast((item) => !mark.was(item)) ?? marked[0];
  return items.map((item) => (mark.get(item) === (item === chosen) ? item : mark.set(item, item === chosen)));
}

export interface AddressLines {
  attention: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  stateId: number | null;
  zipCode: string;
  plusFour: string;
  province: string;
  provinceId: number | null;
  provinceName: string;
  postalCode: string;
  countryId: number;
}

const joined = (parts: readonly string[], between: string): string => parts.filter((part) => part !== '').join(between);

/** Returns the abbreviation or name of the state or province from the field that contains it. */
function region(address: AddressLines): string {
  if (address.countryId === UNITED_STATES) {
    return usStates.find((state) => state.id === address.stateId)?.abbrev ?? address.state;
  }
  const named = joined([address.provinceName, address.province].slice(0, address.provinceName === '' ? 2 : 1), '');
  if (address.countryId !== CANADA) return named === '' ? address.state : named;
  return canadianProvinces.find((province) => province.id === address.provinceId)?.abbrev ?? named;
}

/** Returns the US ZIP code with its four additional digits, or the postal code of another country. */
function postCode(address: AddressLines): string {
  if (address.countryId === UNITED_STATES) return joined([address.zipCode, address.plusFour], '-');
  return address.postalCode || address.zipCode;
}

/**
 * Returns the lines of a printed address: attention, street, "Akron, OH 44333", and the country if it is not the US.
 */
export function addressLines(address: AddressLines): string[] {
  const isUs = address.countryId === UNITED_STATES;
  const place = joined([joined([address.city, region(address)], ', '), postCode(address)], ' ');
  const country = countries.find((each) => each.countryId === address.countryId)?.countryName ?? '';
  const attention = address.attention === '' ? '' : `Attn: ${address.attention}`;
  return [attention, address.address1, address.address2, place, isUs ? '' : country].filter((line) => line !== '');
}

/** Returns the address on one line: "88 Fairlawn Heights Drive, Akron, OH 44333". */
export function displayAddress(address: AddressLines): string {
  return addressLines({ ...address, attention: '' }).join(', ');
}

/** An address in six fields, with the region and postal code as printed, regardless of how the address stores them. */
export interface Place {
  address1: string;
  address2: string;
  city: string;
  state: string;
  zipCode: string;
  countryId: number;
}

/** Returns the six fields of an address. A stateId becomes "OH", and zipCode is the postal code outside the US. */
export function placeOf(address: AddressLines): Place {
  const { address1, address2, city, countryId } = address;
  const zipCode = countryId === UNITED_STATES ? address.zipCode : postCode(address);
  return { address1, address2, city, state: region(address), zipCode, countryId };
}

/** Returns the address with the values of these six fields. Fields that don't change keep their stored values. */
export function withPlace<T extends AddressLines>(address: T, place: Place): T {
  const { state, zipCode, ...rest } = place;
  const before = placeOf(address);
  const hasMoved = place.countryId !== before.countryId;
  return {
    ...address,
    ...rest,
    ...(hasMoved || state !== before.state ? regionFields(state, place.countryId) : {}),
    ...(hasMoved || zipCode !== before.zipCode ? postCodeFields(zipCode, place.countryId) : {}),
  };
}

/** Returns the fields that store a region: a state, a Canadian province, or a province in free text. */
function regionFields(named: string, countryId: number) {
  const none = { state: '', stateId: null, province: '', provinceId: null, provinceName: '' };
  const idIn = (list: readonly { id: number; abbrev: string }[]): number | null =>
    list.find((each) => each.abbrev === named)?.id ?? null;
  if (countryId === UNITED_STATES) return { ...none, state: named, stateId: idIn(usStates) };
  if (countryId === CANADA) return { ...none, province: named, provinceId: idIn(canadianProvinces) };
  return { ...none, provinceName: named };
}

function postCodeFields(code: string, countryId: number) {
  const isUs = countryId === UNITED_STATES;
  return { zipCode: isUs ? code : '', plusFour: '', postalCode: isUs ? '' : code };
}
