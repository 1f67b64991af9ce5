import { Entity } from '@evenkeel/contract/entities';
import { expect, it } from 'vitest';
import { asForm, emptyFields } from '../../records/formFields.ts';
import {
  addressFormat,
  BILLING,
  blankContact,
  blankEntity,
  blankPhone,
  defaultCountryId,
  entityFormOf,
  MAILING,
  personOf,
  EntityForm,
  withKind,
  withoutItem,
  withPrimaryContact,
  withPrimaryPhone,
} from './entityForm.ts';

const draftOf = (stored: unknown) => EntityForm.safeParse(stored).data;

const phone = { phoneID: 4, displayNumber: '(330) 555-0142', phoneType: 'Office', allowText: false };
const office = { ...phone, primary: true, deleted: false };

const stored = asForm(Entity, {
  ...emptyFields(Entity),
  id: 12,
  displayname: 'Ruth Abernathy',
  name: 'Ruth Abernathy',
  emailAddress: 'ruth@mail.example',
  isIndividual: true,
  phones: [office],
  phoneList: [office],
  currentbalance: 0,
  rowVersion: 3,
});

it('the entity form rejects an invalid draft', () => {
  expect(draftOf(undefined)).toBeUndefined();
  expect(draftOf({ ...blankEntity(), phones: [{ phoneID: 'one' }] })).toBeUndefined();
});

it('an entity form that is restored from this device is unchanged', () => {
  const form = { ...blankEntity(), name: 'Harbor Bakery', phones: [blankPhone([])] };
  expect(draftOf(JSON.parse(JSON.stringify(form)))).toEqual(form);
});

it('IDs of new items count down: the third new phone number has ID -3, and only the first is primary', () => {
  const first = blankPhone([]);
  const second = blankPhone([first.phoneID]);
  const third = blankPhone([first.phoneID, second.phoneID]);
  expect([first, second, third].map((one) => one.phoneID)).toEqual([-1, -2, -3]);
  expect([first, second, third].map((one) => one.primary)).toEqual([true, false, false]);
});

it('removing a saved phone number only marks it as deleted, and removing a new number deletes it immediately', () => {
  const list = [office, blankPhone([4])];
  expect(withoutItem(list, office, (each) => each.phoneID)).toEqual([{ ...office, deleted: true }, blankPhone([4])]);
  expect(withoutItem(list, blankPhone([4]), (each) => each.phoneID)).toEqual([office]);
});

it('marking a phone number or contact as primary clears the mark on the others', () => {
  const phones = withPrimaryPhone([office, blankPhone([4])], -1);
  expect(phones.map((each) => each.primary)).toEqual([false, true]);
  const contacts = withPrimaryContact([blankContact([]), blankContact([-1])], -2);
  expect(contacts.map((each) => each.isPrimary)).toEqual([false, true]);
});

it('the default country is 341 with US states, 342 has provinces, and other countries use free text', () => {
  expect(defaultCountryId()).toBe(341);
  expect([341, 342, 350].map(addressFormat)).toEqual([0, 1, 2]);
});

it('the form shows a mailing and a billing address, and each saved address appears under its type', () => {
  const blank = blankEntity();
  const [address] = blank.addresses;
  if (address === undefined) throw new Error('expected an address');
  const { provinceName: _, ...rest } = address;
  const billing = {
    ...rest,
    addressID: 7,
    addressType: BILLING,
    city: 'Akron',
    state: 'oh',
    province: '',
    provinceName: '',
    displayAddress: 'Akron, OH',
  };
  const form = entityFormOf({ ...stored, addresses: [billing] });
  expect(form.addresses.map((each) => [each.addressType, each.addressID])).toEqual([
    [MAILING, -1],
    [BILLING, 7],
  ]);
  // A state that another program spelled out is found by its full name.
  expect(form.addresses[1]?.stateId).not.toBeNull();
});

it("a contact's own number becomes the contact's first phone number", () => {
  const contact = {
    id: 2,
    firstName: 'Ines',
    lastName: 'Okoro',
    title: '',
    emailAddress: '',
    phoneNumber: '555-0199',
    newcontact: false,
    phones: [office],
  };
  const form = entityFormOf({
    ...stored,
    isIndividual: false,
    contacts: [{ id: 2, isPrimary: true, deleted: false, contact }],
  });
  expect(form.contacts[0]?.phones.map((each) => [each.displayNumber, each.primary])).toEqual([
    ['555-0199', true],
    ['(330) 555-0142', false],
  ]);
});

it("an individual's phone numbers are merged into one list without duplicates", () => {
  const contact = {
    id: 2,
    firstName: 'Ruth',
    lastName: 'Abernathy',
    title: '',
    emailAddress: '',
    phoneNumber: '',
    newcontact: false,
    phones: [office, { ...office, phoneID: 9, displayNumber: '555-0100', primary: false }],
  };
  const form = entityFormOf({ ...stored, contacts: [{ id: 2, isPrimary: true, deleted: false, contact }] });
  expect(form.phones.map((each) => [each.phoneID, each.displayNumber, each.primary])).toEqual([
    [4, '(330) 555-0142', true],
    [-1, '555-0100', false],
  ]);
});

it('a display name that equals the name is stored as empty', () => {
  expect(entityFormOf(stored).displayname).toBe('');
  expect(entityFormOf({ ...stored, displayname: 'Abernathy' }).displayname).toBe('Abernathy');
});

it("changing an individual back to a business doesn't keep an unnamed person as a contact", () => {
  const form: EntityForm = { ...blankEntity(), isIndividual: true };
  const named = { ...personOf(form), firstName: 'Ruth' };
  expect(withKind({ ...form, contacts: [personOf(form)] }, false).contacts).toEqual([]);
  expect(withKind({ ...form, contacts: [named] }, false).contacts).toEqual([named]);
});
