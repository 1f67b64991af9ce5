import type { EntityInput } from '@evenkeel/contract/entities';
import { checkEntity, COMPANY, CUSTOMER, type EntityKind } from '@evenkeel/core/entities';
import type { FieldMessages } from '@evenkeel/core/failure';
import { attachmentsInput } from '../attachments/attachmentForm.ts';
import type { EntityBody } from './kind.ts';
import {
  addressFormat,
  type AddressForm,
  type ContactForm,
  type EntityForm,
  personOf,
  type PhoneForm,
} from './entityForm.ts';
import { plainFieldsOf } from './plainFields.tsx';

/** The request body of the Entity form, and the places where its error messages appear. */

export interface PropertyDefinition {
  id: number;
  displayName: string;
  /** The field type: 1 date, 2 text, 4 yes/no. */
  dataType: number;
}

/**
 * Returns the request body. Omits blank phone numbers and addresses. An individual's only contact is the individual.
 */
export function entityInput(
  form: EntityForm,
  kind: EntityKind,
  definitions: readonly PropertyDefinition[] = [],
): EntityBody {
  const { documentLinks, properties: _, rowVersion, ...fields } = form;
  const { timeZone, accountNumber, taxExempt, taxPermitNo, exemptReason, exemptUntil, salesTaxScenarioId, ...others } =
    fields;
  const { termsDays, discountPercent, discountDays, ...plain } = others;
  const tax = { taxExempt, taxPermitNo, exemptReason, exemptUntil, salesTaxScenarioId: salesTaxScenarioId ?? 0 };
  return {
    ...plain,
    name: form.isIndividual ? '' : form.name,
    emails: form.emails.map((email) => email.trim()).filter((email) => email !== ''),
    phones: form.phones.filter(isUsed),
    contacts: contactsOf(form).map(contactInput),
    addresses: form.addresses.filter(isFilled).map(addressInput),
    ...(kind === COMPANY
      ? { timeZone, ...logoInput(form) }
      : {
          accountNumber,
          termsDays,
          discountPercent,
          discountDays,
          documentLinks: attachmentsInput(documentLinks),
        }),
    ...(kind === CUSTOMER ? tax : {}),
    ...propertiesOf(form, definitions),
    ...(rowVersion === null ? {} : { rowVersion }),
  };
}

/** The logo is sent only if it was changed, so that saving doesn't undo another user's change. */
function logoInput({ documentLinks }: EntityForm): Pick<EntityBody, 'logo'> {
  const changed = attachmentsInput(documentLinks);
  if (changed.length === 0) return {};
  return { logo: changed.find(({ deleted }) => deleted !== true) ?? null };
}

function contactsOf(form: EntityForm): ContactForm[] {
  if (!form.isIndividual) return form.contacts;
  // An individual's phone numbers are sent with the entity. Phone numbers on the person would hide later changes to
  // them.
  return [{ ...personOf(form), isPrimary: true, emailAddress: form.emailAddress, phones: [] }];
}

function isUsed(phone: PhoneForm): boolean {
  return phone.displayNumber.trim() !== '';
}

function contactInput(contact: ContactForm) {
  const { id, isPrimary, deleted, firstName, lastName, title, emailAddress, phones } = contact;
  const names = { firstName, lastName, title, emailAddress };
  // Only the phone list is sent. A number on the contact itself would hide the primary phone number.
  return { id, isPrimary, deleted, contact: { id, ...names, phoneNumber: '', phones: phones.filter(isUsed) } };
}

/** Returns whether an address has any value other than the country. */
export function isFilled(address: AddressForm): boolean {
  const { addressID: _, addressType: __, countryId: ___, stateId, provinceId, ...texts } = address;
  return stateId !== null || provinceId !== null || Object.values(texts).some((text) => text.trim() !== '');
}

/** Sends only the fields that the country's format shows, so that a state from another country isn't kept. */
function addressInput(address: AddressForm) {
  const { stateId, zipCode, plusFour, county, provinceId, provinceName, postalCode, municipality, ...rest } = address;
  const us = { stateId: 0, state: '', zipCode: '', plusFour: '', county: '' };
  const other = { provinceId: 0, provinceName: '', province: '', postalCode: '', municipality: '' };
  switch (addressFormat(address.countryId)) {
    case 0:
      return { ...rest, ...other, stateId: stateId ?? 0, state: '', zipCode, plusFour, county };
    case 1:
      return { ...rest, ...us, ...other, provinceId: provinceId ?? 0, postalCode, municipality };
    default:
      return { ...rest, ...us, ...other, provinceName, postalCode, municipality };
  }
}

function propertiesOf(form: EntityForm, definitions: readonly PropertyDefinition[]) {
  if (definitions.length === 0) return {};
  const extendedProperties = definitions.flatMap(({ id, dataType }) => {
    const propertyValue = form.properties[String(id)] ?? '';
    return propertyValue === '' ? [] : [{ baseExtendedPropertyId: id, propertyValue, dataType }];
  });
  return { extendedProperties };
}

/** Validates the form. Returns messages keyed by their place in the form (see `placed`). */
export function entityFaults(form: EntityForm, kind: EntityKind): FieldMessages {
  const input = entityInput(form, kind);
  const faults = checkEntity(input, kind);
  if (kind === COMPANY && form.timeZone === '') faults['timeZone'] = 'Please select a time zone';
  // The first and last name fields already show these messages.
  if (form.isIndividual && 'contacts.0.contact.firstName' in faults) delete faults['name'];
  if (form.isIndividual && 'contacts.0.contact.emailAddress' in faults) delete faults['emailAddress'];
  return placed(faults, input);
}

/**
 * Maps messages to the form's fields. In the request, `addresses.0.countryId` contains an index. In the form,
 * `addresses.#12.countryId` contains the item's ID, and `person` contains an individual's own details.
 */
export function placed(fields: FieldMessages, input: EntityInput): FieldMessages {
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [placeOf(path, input), message]));
}

function placeOf(path: string, input: EntityInput): string {
  const [, property] = /^extendedProperties\.(\d+)\./.exec(path) ?? [];
  const definition = input.extendedProperties?.[Number(property ?? -1)]?.baseExtendedPropertyId;
  if (definition !== undefined) return `extendedProperties.#${definition}`;
  if (path.startsWith('emails.')) return 'emails';
  const match = /^(phones|contacts|addresses)\.(\d+)\.(?:contact\.)?(.+)$/.exec(path);
  if (match === null) return path;
  const [, list = '', index = '0', rest = ''] = match;
  if (list === 'contacts' && input.isIndividual === true) {
    return rest === 'emailAddress' ? 'emailAddress' : `person.${rest}`;
  }
  const at = Number(index);
  const id =
    list === 'phones'
      ? input.phones?.[at]?.phoneID
      : list === 'contacts'
        ? input.contacts?.[at]?.id
        : input.addresses?.[at]?.addressID;
  return id === undefined || id === null ? path : `${list}.#${id}.${rest}`;
}

export const ENTITY_TABS = ['details', 'addresses', 'contacts', 'account', 'info', 'attachments'] as const;
export type EntityTab = (typeof ENTITY_TABS)[number];

const ACCOUNT_FIELDS = [
  ...plainFieldsOf('account').map(({ name }): string => name),
  'termsDays',
  'discountPercent',
  'discountDays',
  'taxExempt',
  'taxPermitNo',
  'exemptReason',
  'exemptUntil',
  'salesTaxScenarioId',
];

/** Returns the tab on which a message appears. */
export function tabOf(place: string): EntityTab {
  const [first = ''] = place.split('.');
  if (first === 'addresses' || first === 'contacts') return first;
  if (first === 'extendedProperties') return 'info';
  if (first === 'documentLinks') return 'attachments';
  return ACCOUNT_FIELDS.includes(first) ? 'account' : 'details';
}

/** Returns the first tab with a message, or undefined if no tab has one. */
export function firstTabWithFault(fields: FieldMessages): EntityTab | undefined {
  const tabs = Object.keys(fields).map(tabOf);
  return ENTITY_TABS.find((tab) => tabs.includes(tab));
}
