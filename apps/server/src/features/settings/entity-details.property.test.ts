import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntityInput } from '@evenkeel/contract/entities';
import { type EntityDetails, mergeDetails, NO_DETAILS } from './entity-details.ts';

const runs = { numRuns: Number(process.env['TORTURE_RUNS'] ?? 200) };
const id = fc.integer({ min: -5, max: 30 });
const flag = fc.option(fc.boolean(), { nil: undefined });
const phone = fc.record({ phoneID: id, displayNumber: fc.string(), primary: flag, deleted: flag });
const contact = fc.record({
  id,
  isPrimary: flag,
  deleted: flag,
  contact: fc.record({ firstName: fc.string(), lastName: fc.string(), phones: fc.array(phone, { maxLength: 3 }) }),
});
const address = fc.record({ addressType: fc.constantFrom(1, 2), addressID: id });
const input: fc.Arbitrary<EntityInput> = fc.record(
  {
    phones: fc.array(phone, { maxLength: 5 }),
    contacts: fc.array(contact, { maxLength: 5 }),
    addresses: fc.array(address, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

const phonesOf = (details: EntityDetails) => [details.phones, ...details.contacts.map((each) => each.contact.phones)];

it('after random saves, IDs of details are positive and never reused, and at most one item is primary', () => {
  fc.assert(
    fc.property(fc.array(input, { minLength: 1, maxLength: 6 }), (saves) => {
      let details = NO_DETAILS;
      for (const save of saves) {
        const before = details.lastId;
        details = mergeDetails(details, save);
        const ids = [
          ...phonesOf(details)
            .flat()
            .map((each) => each.phoneID),
          ...details.contacts.map((each) => each.id),
          ...details.addresses.map((each) => each.addressID),
        ];
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((each) => each > 0 && each <= details.lastId)).toBe(true);
        expect(details.lastId).toBeGreaterThanOrEqual(before);
        expect([...phonesOf(details).flat(), ...details.contacts].some((each) => each.deleted)).toBe(false);
        for (const list of phonesOf(details)) expect(list.filter((each) => each.primary).length).toBeLessThan(2);
        expect(details.contacts.filter((each) => each.isPrimary).length).toBeLessThan(2);
      }
    }),
    runs,
  );
});

it('saving a record without one of its lists keeps that list', () => {
  fc.assert(
    fc.property(input, (save) => {
      const first = mergeDetails(NO_DETAILS, save);
      expect(mergeDetails(first, {})).toEqual(first);
    }),
    runs,
  );
});
