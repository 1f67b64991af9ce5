import { afterAll, beforeAll, expect, it } from 'vitest';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { canadianProvinces } from '@evenkeel/core/geography.data';
import { startTestApp, type TestApp } from '../../testing/app.ts';

/** For each kind of entity, every field is saved and read. */

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const auth = () => ({ token: t.world.company.administrator.token });

const phones = [
  { phoneID: -1, displayNumber: '(902) 555-0101', phoneType: 'Mobile', allowText: true, primary: false },
  { phoneID: -2, displayNumber: '(902) 555-0102', phoneType: 'Office', allowText: false, primary: true },
];
const person = (id: number, isPrimary: boolean, phoneIds: [number, number]) => ({
  id,
  isPrimary,
  contact: {
    id,
    firstName: 'Inès',
    lastName: `O’Brien ${id}`,
    title: 'Purchasing',
    emailAddress: 'ines@obrien.example',
    phoneNumber: '902 555 0199',
    phones: phones.map((phone, index) => ({ ...phone, phoneID: phoneIds[index] ?? 0 })),
  },
});
const plain = { attention: 'Ines', address1: '12 Water St', address2: 'Unit 4', city: 'Halifax', municipality: 'HRM' };
const addresses = [
  {
    ...plain,
    addressType: 1,
    addressID: -20,
    countryId: 342,
    provinceId: canadianProvinces.find((each) => each.abbrev === 'NS')?.id ?? 0,
    province: 'NS',
    provinceName: 'Nova Scotia',
    postalCode: 'B3H 1A1',
    state: '',
    stateId: null,
    zipCode: '',
    plusFour: '',
    county: '',
  },
  {
    ...plain,
    addressType: 2,
    addressID: -21,
    countryId: 341,
    stateId: 36,
    state: 'OH',
    zipCode: '44313',
    plusFour: '1234',
    county: 'Summit',
    province: '',
    provinceId: null,
    provinceName: '',
    postalCode: '',
  },
];

/** Compares the fields in a request with the fields in the response, except fields that the server sets. */
const GIVEN = ['phoneID', 'addressID', 'id', 'rowVersion'];
function sameFields(sent: unknown, answered: unknown, path = ''): void {
  if (Array.isArray(sent)) {
    expect([path, (answered as unknown[]).length]).toEqual([path, sent.length]);
    return sent.forEach((item, index) => sameFields(item, (answered as unknown[])[index], `${path}.${index}`));
  }
  if (typeof sent !== 'object' || sent === null) return expect([path, answered]).toEqual([path, sent]);
  for (const [key, value] of Object.entries(sent)) {
    if (!GIVEN.includes(key)) sameFields(value, (answered as Record<string, unknown>)[key], `${path}.${key}`);
  }
}

async function define(kind: number) {
  const { createProperty } = settingsCalls;
  const make = (displayName: string, dataType: number) =>
    t.call(createProperty, { ...auth(), body: { kind, displayName, dataType } });
  const [since, gate, pets] = [await make('Since', 1), await make('Gate code', 2), await make('Pets', 4)];
  return [
    { baseExtendedPropertyId: since.id, propertyValue: '2024-02-29', dataType: 1 },
    { baseExtendedPropertyId: gate.id, propertyValue: '"4711" & <b>', dataType: 2 },
    { baseExtendedPropertyId: pets.id, propertyValue: 'true', dataType: 4 },
  ];
}

const whole = async (kind: number) => ({
  displayname: 'Shown as',
  name: 'Harbour Bakery Ltd',
  dba: 'Harbour & Daughters',
  notes: 'Side gate is locked.\nCall before 8 AM.',
  emailAddress: 'office@harbour.example',
  emails: ['pay@harbour.example', 'second@harbour.example'],
  accountNumber: 'A-4711',
  isIndividual: false,
  phones,
  contacts: [person(-3, false, [-4, -5]), person(-6, true, [-7, -8])],
  addresses,
  extendedProperties: await define(kind),
});

const KINDS = [
  ['customer', 0, entityCalls.createCustomer, entityCalls.getCustomer, entityCalls.updateCustomer],
  ['vendor', 1, entityCalls.createVendor, entityCalls.getVendor, entityCalls.updateVendor],
] as const;

it.each(KINDS)(
  'every field of a %s is preserved by a save, a read, and a second save',
  async (_, kind, create, get, update) => {
    const scenario = kind === 0 ? (await t.call(settingsCalls.listSalesTax, auth()))[0]?.id : null;
    const exempt = { taxExempt: true, taxPermitNo: 'OH-99', exemptReason: 'resale', exemptUntil: '2027-06-30' };
    const own = { termsDays: 21, salesTaxScenarioId: scenario ?? null, ...(kind === 0 ? exempt : {}) };
    const body = { ...(await whole(kind)), ...own };
    const made = await t.call(create, { ...auth(), body });
    sameFields(body, made);
    expect(made).toMatchObject({
      primaryContactName: 'Inès O’Brien -6',
      primaryContactEmail: 'ines@obrien.example',
      primaryContactPhone: '902 555 0199',
      phoneList: made.phones,
      contactList: made.contacts,
      deleted: false,
      currentbalance: 0,
    });
    expect(made.addresses.map((address) => address.displayAddress)).toEqual([
      '12 Water St, Unit 4, Halifax, NS B3H 1A1, Canada',
      '12 Water St, Unit 4, Halifax, OH 44313-1234',
    ]);
    const read = await t.call(get, { ...auth(), params: { id: made.id } });
    expect(read).toEqual(made);
    const { currentbalance: _balance, ...again } = read;
    const saved = await t.call(update, { ...auth(), params: { id: made.id }, body: again });
    expect(saved).toEqual({ ...made, rowVersion: made.rowVersion + 1 });
  },
);

it('an individual keeps their name, DBA, and contact', async () => {
  const contact = person(-1, true, [-2, -3]);
  const body = { isIndividual: true, dba: 'Inès Bakes', emailAddress: 'ines@obrien.example', contacts: [contact] };
  const made = await t.call(entityCalls.createCustomer, { ...auth(), body });
  sameFields(body, made);
  expect(made).toMatchObject({ name: 'Inès O’Brien -1', displayname: 'Inès O’Brien -1' });
});

it('every field of the company is preserved by a save and a read, through PUT and through POST', async () => {
  const { companyId } = t.world.company;
  const body = { ...(await whole(2)), timeZone: 'America/Halifax' };
  const saved = await t.call(settingsCalls.updateCompany, { ...auth(), params: { id: companyId }, body });
  sameFields(body, saved);
  expect(await t.call(settingsCalls.getCompany, auth())).toEqual(saved);
  const { currentbalance: _balance, ...again } = saved;
  const posted = await t.call(settingsCalls.createCompany, { ...auth(), body: again });
  expect(posted).toEqual({ ...saved, rowVersion: saved.rowVersion + 1 });
});
