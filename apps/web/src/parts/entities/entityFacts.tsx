import { exemptReasons } from '@evenkeel/core/documents/salestax';
import { formatDate, parseDate } from '@evenkeel/core/dates';
import { addressLines, CUSTOMER } from '@evenkeel/core/entities';
import { NOTHING } from '@evenkeel/core/nothing';
import { StoredPicture } from '../attachments/StoredPicture.tsx';
import type { Fact } from '../../ui/show/Facts.tsx';
import { Lines } from '../../ui/show/Lines.tsx';
import { BILLING, MAILING } from './entityForm.ts';
import type { PropertyDefinition } from './entityInput.ts';
import { type AnyEntity, type EntityKind, labelOf } from './kind.ts';
import { plainFacts } from './plainFields.tsx';

/** The labels and values of an entity, for the panel and the modal's read-only view. */

/** Returns only the facts that have a value. */
function present(facts: readonly (Fact | undefined)[]): Fact[] {
  return facts.filter((fact) => fact !== undefined);
}

function text(label: string, value: string): Fact | undefined {
  return value === '' ? undefined : { label, value };
}

function phoneFact(phones: AnyEntity['phones']): Fact | undefined {
  // A phone number may be in both the record's list and the person's list.
  const unlike = phones.filter(
    (one, index) => phones.findIndex((p) => p.displayNumber === one.displayNumber) === index,
  );
  const words = unlike.map(({ displayNumber, phoneType, allowText, primary }) => {
    const marked = primary && unlike.length > 1;
    const notes = [phoneType, allowText ? 'texts' : '', marked ? 'primary' : ''].filter((note) => note !== '');
    return notes.length === 0 ? displayNumber : `${displayNumber} (${notes.join(', ')})`;
  });
  return words.length === 0 ? undefined : { label: 'Phone', value: <Lines texts={words} /> };
}

/** An individual has one phone list on the record and another on the person. */
function personPhones(entity: AnyEntity): AnyEntity['phones'] {
  return entity.isIndividual ? (entity.contacts[0]?.contact.phones ?? []) : [];
}

const ADDRESS_NAMES: Record<number, string> = { [MAILING]: 'Mailing Address', [BILLING]: 'Billing Address' };

export function addressFacts(entity: AnyEntity): Fact[] {
  return entity.addresses.map((address) => ({
    label: ADDRESS_NAMES[address.addressType] ?? 'Address',
    value: <Lines texts={addressLines(address)} />,
  }));
}

export function detailFacts(kind: EntityKind, entity: AnyEntity): Fact[] {
  return present([
    { label: 'Kind', value: entity.isIndividual ? 'Individual' : 'Business' },
    { label: `${labelOf(kind)} Name`, value: entity.name },
    entity.displayname === entity.name ? undefined : text('Display Name', entity.displayname),
    ...plainFacts('details', entity),
    text('Email', entity.emailAddress),
    entity.emails.length === 0 ? undefined : { label: 'Other Emails', value: <Lines texts={entity.emails} /> },
    phoneFact([...entity.phones, ...personPhones(entity)]),
    text('Time Zone', (entity.timeZone ?? '').replaceAll('_', ' ')),
    entity.logo
      ? { label: 'Logo', value: <StoredPicture {...entity.logo} alt={`Logo, ${entity.logo.documentName}`} /> }
      : undefined,
  ]);
}

/** `names` contains the labels for the record's terms and sales tax scenario. */
export function accountFacts(
  { kind }: EntityKind,
  entity: AnyEntity,
  names: { terms: string; scenario: string | undefined },
): Fact[] {
  const account = [...plainFacts('account', entity), text('Payment Terms', names.terms)];
  if (kind !== CUSTOMER) return present(account);
  return present([
    ...account,
    { label: 'Tax Exempt', value: entity.taxExempt === true ? 'Yes' : 'No' },
    text('Tax Permit Number', entity.taxPermitNo ?? ''),
    text('Reason for Exemption', exemptReasons.find(({ id }) => id === entity.exemptReason)?.label ?? ''),
    text('Certificate Valid Through', entity.exemptUntil ? formatDate(entity.exemptUntil) : ''),
    { label: 'Sales Tax', value: names.scenario ?? 'Company default' },
  ]);
}

/** Returns the custom fields by type: 1 date, 2 text, 4 yes/no. */
export function propertyFacts(entity: AnyEntity, definitions: readonly PropertyDefinition[]): Fact[] {
  return definitions.map(({ id, displayName, dataType }) => {
    const stored = entity.extendedProperties.find((each) => each.baseExtendedPropertyId === id)?.propertyValue ?? '';
    return { label: displayName, value: propertyText(stored, dataType) };
  });
}

function propertyText(stored: string, dataType: number): string {
  if (stored === '') return NOTHING;
  if (dataType === 4) return stored === 'true' ? 'Yes' : 'No';
  const date = dataType === 1 ? parseDate(stored) : undefined;
  return date === undefined ? stored : formatDate(date);
}

/** Returns the facts shown on the panel, with contact details first. */
export function summaryFacts(entity: AnyEntity): Fact[] {
  return present([
    ...plainFacts('details', entity),
    text('Email', entity.emailAddress),
    phoneFact([...entity.phones, ...personPhones(entity)]),
    entity.isIndividual ? undefined : text('Contact', entity.primaryContactName),
    entity.isIndividual ? undefined : text('Contact Email', entity.primaryContactEmail),
    ...addressFacts(entity),
    text('Account Number', entity.accountNumber),
    entity.taxExempt === true ? { label: 'Tax Exempt', value: entity.taxPermitNo || 'Yes' } : undefined,
  ]);
}

/** Returns each contact's name and contact details. */
export function contactFacts(entity: AnyEntity): Fact[] {
  return entity.contacts.map(({ id, isPrimary, contact }) => {
    const name = `${contact.firstName} ${contact.lastName}`.trim();
    const numbers = [contact.phoneNumber, ...contact.phones.map((phone) => phone.displayNumber)].filter(Boolean);
    const words = [contact.title, contact.emailAddress, ...new Set(numbers)].filter((each) => each !== '');
    const label = entity.contacts.some((other) => other.id < id && nameOf(other) === name) ? `${name} (${id})` : name;
    return { label: isPrimary ? `${label}, primary` : label, value: <Lines texts={words} /> };
  });
}

function nameOf({ contact }: AnyEntity['contacts'][number]): string {
  return `${contact.firstName} ${contact.lastName}`.trim();
}
