import { COMPANY, CUSTOMER, VENDOR } from '@evenkeel/core/entities';
import { expect, it } from 'vitest';
import { blankContact, blankEntity, blankPhone, type EntityForm } from './entityForm.ts';
import { entityFaults, entityInput, firstTabWithFault, isFilled, placed, tabOf } from './entityInput.ts';

const business: EntityForm = { ...blankEntity(), name: 'Harbor Bakery', emailAddress: 'pay@harbor.example' };
const person = { ...blankContact([]), firstName: 'Ruth', lastName: 'Abernathy' };
const individual: EntityForm = {
  ...blankEntity(),
  isIndividual: true,
  emailAddress: 'ruth@mail.example',
  contacts: [person],
};

it('a business without data is reported on Details as missing a name and an email address', () => {
  const faults = entityFaults(blankEntity(), CUSTOMER);
  expect(faults).toEqual({
    name: 'Please enter a Customer name',
    emailAddress: 'Please enter a valid email address',
  });
  expect(firstTabWithFault(faults)).toBe('details');
});

it('an individual who has no contact yet must be given a first and a last name', () => {
  const faults = entityFaults({ ...individual, contacts: [] }, CUSTOMER);
  expect(faults).toEqual({
    'person.firstName': 'Please enter a First name',
    'person.lastName': 'Please enter a Last name',
  });
});

it('a missing email address for an individual is reported once', () => {
  expect(entityFaults({ ...individual, emailAddress: 'ruth' }, CUSTOMER)).toEqual({
    emailAddress: 'Please enter a valid email address',
  });
});

it('a contact without a last name is reported by its ID, and its tab opens', () => {
  const second = { ...blankContact([5]), firstName: 'Ines' };
  const gone = { ...blankContact([]), id: 5, deleted: true };
  const faults = entityFaults({ ...business, contacts: [gone, second] }, CUSTOMER);
  expect(faults).toEqual({ 'contacts.#-1.lastName': 'Please enter a Last name' });
  expect(firstTabWithFault(faults)).toBe('contacts');
});

it('a business with a name and an individual with a name are accepted', () => {
  expect(entityFaults(business, CUSTOMER)).toEqual({});
  expect(entityFaults(individual, CUSTOMER)).toEqual({});
});

it('blank phone numbers and addresses are omitted, and removed items are sent as deleted', () => {
  const saved = { ...blankPhone([]), phoneID: 8, displayNumber: '555-0100', deleted: true };
  const input = entityInput({ ...business, phones: [saved, blankPhone([8])] }, CUSTOMER);
  expect(input.phones).toEqual([saved]);
  expect(input.addresses).toEqual([]);
});

it('a message about the second address contains its ID if only that address is filled in', () => {
  const [mailing, billing] = business.addresses;
  if (mailing === undefined || billing === undefined) throw new Error('expected two addresses');
  expect(isFilled(mailing)).toBe(false);
  const form = { ...business, addresses: [mailing, { ...billing, city: 'Akron', countryId: 9 }] };
  expect(entityFaults(form, CUSTOMER)).toEqual({ 'addresses.#-2.countryId': 'Please Select a Country' });
});

it('a Canadian address sends its province but no state', () => {
  const [mailing] = business.addresses;
  if (mailing === undefined) throw new Error('expected an address');
  const halifax = { ...mailing, city: 'Halifax', countryId: 342, stateId: 36, provinceId: 7, zipCode: '44313' };
  const [sent] =
    entityInput({ ...business, addresses: [{ ...halifax, postalCode: 'B3H 1A1' }] }, CUSTOMER).addresses ?? [];
  expect(sent).toMatchObject({ stateId: 0, provinceId: 7, zipCode: '', postalCode: 'B3H 1A1' });
});

it('an individual is sent as the only contact, without a separate name', () => {
  const input = entityInput({ ...individual, contacts: [person, { ...person, id: -2, firstName: 'Other' }] }, CUSTOMER);
  expect(input.name).toBe('');
  expect(input.contacts).toHaveLength(1);
  expect(input.contacts?.[0]).toMatchObject({ isPrimary: true, contact: { emailAddress: 'ruth@mail.example' } });
});

it('only custom fields that are defined and filled in are sent, and none are sent without definitions', () => {
  const definitions = [
    { id: 1, displayName: 'Gate code', dataType: 2 },
    { id: 2, displayName: 'Since', dataType: 1 },
  ];
  const form = { ...business, properties: { '1': '4711', '2': '', '3': 'left over' } };
  expect(entityInput(form, CUSTOMER, definitions).extendedProperties).toEqual([
    { baseExtendedPropertyId: 1, propertyValue: '4711', dataType: 2 },
  ]);
  expect('extendedProperties' in entityInput(form, CUSTOMER)).toBe(false);
});

it('the kind of record determines the message about a missing name and the fields that are sent', () => {
  expect(entityFaults({ ...business, name: '' }, VENDOR)).toEqual({ name: 'Please enter a Vendor name' });
  expect(entityFaults({ ...business, name: '' }, COMPANY)).toEqual({
    name: 'Please enter a Company name',
    timeZone: 'Please select a time zone',
  });
  const company = entityInput({ ...business, timeZone: 'UTC', termsDays: 10 }, COMPANY);
  expect([company.timeZone, 'termsDays' in company, 'accountNumber' in company]).toEqual(['UTC', false, false]);
  const vendor = entityInput({ ...business, termsDays: 10, taxExempt: true }, VENDOR);
  expect([vendor.termsDays, 'taxExempt' in vendor]).toEqual([10, false]);
});

it('additional email addresses are sent without blank lines, and an invalid address is reported at its field', () => {
  const form = { ...business, emails: ['billing@harbor.example ', '', 'nobody'] };
  expect(entityInput(form, CUSTOMER).emails).toEqual(['billing@harbor.example', 'nobody']);
  expect(entityFaults(form, CUSTOMER)).toEqual({ emails: 'Please enter a valid email address' });
});

it("the server's error paths are mapped to the form's fields", () => {
  const input = entityInput({ ...business, phones: [{ ...blankPhone([]), displayNumber: '555-0100' }] }, CUSTOMER);
  const fields = { 'phones.0.displayNumber': 'must be at most 40 characters', taxPermitNo: 'too long' };
  expect(placed(fields, input)).toEqual({
    'phones.#-1.displayNumber': 'must be at most 40 characters',
    taxPermitNo: 'too long',
  });
  expect(tabOf('taxPermitNo')).toBe('account');
  expect(tabOf('extendedProperties.0.propertyValue')).toBe('info');
});

it('new and removed attachments of a customer or vendor are sent, and a company sends only its logo', () => {
  const link = { documentName: 'w9.pdf', uploadDate: '2026-06-01', contentType: 'application/pdf', size: 10 };
  const kept = { ...link, id: 3, documentId: 8, deleted: false };
  const documentLinks = [kept, { ...kept, id: 4, deleted: true }, { ...kept, id: -1, documentId: 9 }];
  const form = { ...business, documentLinks };
  const sent = [
    { id: 4, documentId: 8, documentName: 'w9.pdf', deleted: true },
    { id: -1, documentId: 9, documentName: 'w9.pdf', deleted: false },
  ];
  for (const kind of [CUSTOMER, VENDOR] as const) expect(entityInput(form, kind).documentLinks).toEqual(sent);
  expect(entityInput(form, COMPANY)).not.toHaveProperty('documentLinks');
});
