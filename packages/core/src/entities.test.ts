import { describe, expect, it } from 'vitest';
import {
  type AddressLines,
  addressLines,
  checkEntity,
  COMPANY,
  CUSTOMER,
  displayAddress,
  entityEmail,
  entityName,
  keepOne,
  placeOf,
  VENDOR,
  withPlace,
} from './entities.ts';
import { isEmailAddress } from './email.ts';
import { canadianProvinces, countries, usStates } from './geography.data.ts';

describe('checkEntity', () => {
  it('a vendor requires a name and an email address, with the messages from the vendor form', () => {
    expect(checkEntity({}, VENDOR)).toEqual({
      name: 'Please enter a Vendor name',
      emailAddress: 'Please enter a valid email address',
    });
  });

  it('a company requires a name and an email address, like a customer', () => {
    const message = 'Please enter a valid email address';
    expect(checkEntity({ name: ' ' }, COMPANY)).toEqual({ name: 'Please enter a Company name', emailAddress: message });
    expect(checkEntity({ name: 'A', emailAddress: 'a@b' }, COMPANY)).toEqual({ emailAddress: message });
    expect(checkEntity({ name: 'A', emailAddress: 'a@b.example', emails: [''] }, COMPANY)).toEqual({
      'emails.0': message,
    });
  });

  it('deleted contacts are not checked', () => {
    const contacts = [{ deleted: true, contact: {} }];
    expect(checkEntity({ name: 'A', emailAddress: 'a@b.example', contacts }, CUSTOMER)).toEqual({});
  });

  it('an error in the second of two additional email addresses is reported', () => {
    const entity = { name: 'A', emailAddress: 'a@b.example', emails: ['c@d.example', 'c@d'] };
    expect(Object.keys(checkEntity(entity, CUSTOMER))).toEqual(['emails.1']);
  });

  it("the contact can provide an individual's name and email, but not a business's", () => {
    const contacts = [{ contact: { firstName: 'Ruth', lastName: 'Abernathy', emailAddress: 'r@a.example' } }];
    expect(entityName({ isIndividual: true, contacts })).toBe('Ruth Abernathy');
    expect(entityEmail({ isIndividual: true, contacts })).toBe('r@a.example');
    expect(entityName({ contacts })).toBe('');
  });
});

describe('isEmailAddress', () => {
  it.each(['', 'a', 'a@', 'a@b', '@b.example', 'a b@c.example', 'a@b..example', 'a@b.example,c@d.example', 'a@b.'])(
    'isEmailAddress rejects %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(false);
    },
  );
  it.each(['a@b.example', 'first.last+tag@sub.domain.example', "o'neil@x.example"])(
    'isEmailAddress accepts %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );
  it('isEmailAddress returns immediately for a malicious 254-character input', () => {
    expect(isEmailAddress(`a@${'b.'.repeat(126)}`)).toBe(false);
  });
});

describe('keepOne', () => {
  const item = (id: number, on: boolean, deleted = false) => ({ id, on, deleted });
  const marks = (items: ReturnType<typeof item>[], before: number[]) =>
    keepOne(items, {
      get: (each) => each.on,
      was: (each) => before.includes(each.id),
      set: (each, on) => ({ ...each, on }),
    }).map((each) => each.on);

  it('if two items are marked, keepOne keeps the newly marked one', () => {
    expect(marks([item(1, true), item(2, true)], [1])).toEqual([false, true]);
    expect(marks([item(1, true), item(2, true)], [2])).toEqual([true, false]);
  });
  it('if two items were already marked, keepOne keeps the first one and marks no other item', () => {
    expect(marks([item(1, true), item(2, true)], [1, 2])).toEqual([true, false]);
    expect(marks([item(1, false), item(2, false)], [])).toEqual([false, false]);
  });
  it('keepOne never marks a deleted item', () => {
    expect(marks([item(1, true, true), item(2, true)], [2])).toEqual([false, true]);
  });
});

describe('addresses', () => {
  const address = (change: Partial<AddressLines>): AddressLines => ({
    attention: '',
    address1: '88 Fairlawn Heights Drive',
    address2: '',
    city: 'Akron',
    state: '',
    stateId: null,
    zipCode: '',
    plusFour: '',
    province: '',
    provinceId: null,
    provinceName: '',
    postalCode: '',
    countryId: 341,
    ...change,
  });

  it('US addresses end with the state abbreviation and ZIP code, without the country', () => {
    const ohio = usStates.find((state) => state.abbrev === 'OH')?.id ?? 0;
    const given = address({ attention: 'Ruth', stateId: ohio, zipCode: '44333', plusFour: '1234' });
    expect(addressLines(given)).toEqual(['Attn: Ruth', '88 Fairlawn Heights Drive', 'Akron, OH 44333-1234']);
    expect(displayAddress(given)).toBe('88 Fairlawn Heights Drive, Akron, OH 44333-1234');
    expect(displayAddress(address({ state: 'Ohio' }))).toBe('88 Fairlawn Heights Drive, Akron, Ohio');
  });

  it('Canadian and other addresses include the province and country', () => {
    const alberta = canadianProvinces[0]?.id ?? 0;
    const canada = address({ countryId: 342, city: 'Calgary', provinceId: alberta, postalCode: 'T2P 1J9' });
    expect(addressLines(canada).slice(1)).toEqual(['Calgary, AB T2P 1J9', 'Canada']);
    const germany = countries.find((country) => country.countryName === 'Germany')?.countryId ?? 0;
    const berlin = address({ countryId: germany, city: 'Berlin', provinceName: 'Brandenburg', postalCode: '10115' });
    expect(addressLines(berlin).slice(1)).toEqual(['Berlin, Brandenburg 10115', 'Germany']);
  });

  it('the six fields of an address show OH and 44333, and changing the street changes no other field', () => {
    const ohio = usStates.find((state) => state.abbrev === 'OH')?.id ?? 0;
    const given = address({ attention: 'Ruth', stateId: ohio, zipCode: '44333', plusFour: '1234' });
    const place = placeOf(given);
    expect(place).toMatchObject({ city: 'Akron', state: 'OH', zipCode: '44333', countryId: 341 });
    expect(withPlace(given, place)).toEqual(given);
    expect(withPlace(given, { ...place, address1: '1 Main Street' })).toEqual({ ...given, address1: '1 Main Street' });
    const texas = withPlace(given, { ...place, state: 'TX', zipCode: '75001' });
    expect([texas.stateId, texas.plusFour, addressLines(texas).at(-1)]).toEqual([
      usStates.find((state) => state.abbrev === 'TX')?.id,
      '',
      'Akron, TX 75001',
    ]);
  });

  it.each([
    [341, 'Ohio'],
    [342, 'NS'],
    [342, 'Nova Scotia'],
    [350, 'Brandenburg'],
  ])('an address keeps all fields after its country changes to %i, with region %s', (countryId, state) => {
    const ohio = usStates.find((each) => each.abbrev === 'OH')?.id ?? 0;
    const given = address({ stateId: ohio, zipCode: '44333', plusFour: '1234' });
    const place = { ...placeOf(given), countryId, state, zipCode: 'B3H 1A1' };
    expect(placeOf(withPlace(given, place))).toEqual(place);
  });

  it('a US address with only a country counts as empty', () => {
    expect(addressLines(address({ address1: '', city: '' }))).toEqual([]);
  });
});

describe('geography', () => {
  it('there are 249 countries, 56 states, and 13 provinces, with unique names and IDs', () => {
    expect([countries.length, usStates.length, canadianProvinces.length]).toEqual([249, 56, 13]);
    expect(new Set(countries.map((country) => country.countryName)).size).toBe(249);
    expect(new Set([...usStates, ...canadianProvinces].map((each) => each.id)).size).toBe(69);
    expect(countries.filter((country) => country.defaultCountry).map((country) => country.countryId)).toEqual([341]);
  });
});
