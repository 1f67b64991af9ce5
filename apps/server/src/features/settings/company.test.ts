import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Company } from '@evenkeel/contract/company';
import { settingsCalls as calls } from '@evenkeel/contract/settings';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** Creates a company that was never saved, and its administrator. */
async function open(): Promise<Company> {
  company = await t.createCompany();
  token = company.administrator.token;
  return t.call(calls.getCompany, { token });
}

const save = (body: Record<string, unknown>) =>
  t.call(calls.updateCompany, { token, params: { id: company.companyId }, body });
const refused = (body: Record<string, unknown>) =>
  t.refused(calls.updateCompany, { token, params: { id: company.companyId }, body });
const read = () => t.call(calls.getCompanyById, { token, params: { id: company.companyId } });

const property = (kind: number) =>
  t.inCompany(company.companyId, (tx) =>
    tx.row(sql<{ id: number }>`
      insert into extended_property (company_id, kind, display_name, data_type)
      values (${company.companyId}, ${kind}, ${`Licence ${kind}`}, 2) returning id`),
  );

const akron = { address1: '18 Nursery Road', city: 'Akron', zipCode: '44333', countryId: 341 };

describe('company validation', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['an empty name', { name: ' ' }, 'name', 'Please enter a Company name'],
    [
      'an empty display name when it equals the name',
      { displayname: '' },
      'displayname',
      'Please enter a Company name',
    ],
    ['no email', { emailAddress: ' ' }, 'emailAddress', 'Please enter a valid email address'],
    ['an invalid email', { emailAddress: 'a@b' }, 'emailAddress', 'Please enter a valid email address'],
    ['an invalid second email', { emails: ['a@b.example', 'a@b'] }, 'emails.1', 'Please enter a valid email address'],
    [
      'country 9',
      { addresses: [{ addressType: 1, countryId: 9 }] },
      'addresses.0.countryId',
      'Please Select a Country',
    ],
    ['state 999', { addresses: [{ addressType: 1, stateId: 999 }] }, 'addresses.0.stateId', 'Please Select a State'],
    [
      'province 999',
      { addresses: [{ addressType: 1, countryId: 342, provinceId: 999 }] },
      'addresses.0.provinceId',
      'Please Select a Province',
    ],
    [
      'a custom field that is not defined',
      { extendedProperties: [{ baseExtendedPropertyId: 5, propertyValue: 'x' }] },
      'extendedProperties.0.baseExtendedPropertyId',
      "This field doesn't exist",
    ],
  ];
  it.each(cases)('rejects a company with %s and saves nothing', async (_name, body, field, message) => {
    const before = await open();
    const rows = await countRows(t, company.companyId, 'audit_log');
    expect(await refused({ dba: 'Written', ...body })).toMatchObject({ status: 422, fields: { [field]: message } });
    expect(await read()).toEqual(before);
    expect(await countRows(t, company.companyId, 'audit_log')).toBe(rows);
  });

  it("rejects a customer's custom field and an address of type 3", async () => {
    await open();
    const extendedProperties = [{ baseExtendedPropertyId: (await property(0))?.id, propertyValue: 'x' }];
    expect((await refused({ extendedProperties })).status).toBe(422);
    expect((await refused({ addresses: [{ ...akron, addressType: 3 }] })).status).toBe(400);
    expect((await read()).addresses).toEqual([]);
  });

  it('rejects a save by a superuser (403), and a save of an old version (409 with the current company)', async () => {
    const first = await open();
    const params = { id: company.companyId };
    const denied = await t.refused(calls.updateCompany, { token: company.superuser.token, params, body: { dba: 'X' } });
    expect(denied.status).toBe(403);
    await save({ dba: 'Fern', rowVersion: first.rowVersion });
    const stale = await refused({ dba: 'Moss', rowVersion: first.rowVersion });
    expect(stale).toMatchObject({ status: 409, code: 'stale', current: { dba: 'Fern', currentbalance: 0 } });
  });
});

describe('the company as an entity', () => {
  it('a company that was created before emails were required must add an email', async () => {
    await open();
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update company set details = '{}' where company_id = ${company.companyId}`),
    );
    expect(await refused({ dba: 'Fern' })).toMatchObject({
      status: 422,
      fields: { emailAddress: 'Please enter a valid email address' },
    });
    expect(await save({ dba: 'Fern', emailAddress: 'fern@fern.example' })).toMatchObject({ dba: 'Fern' });
  });

  it("a new company has its name, its administrator's email, empty lists, and country 341", async () => {
    const { displayname, ...rest } = await open();
    expect(displayname).toMatch(/^Company /);
    expect(rest).toMatchObject({
      name: displayname,
      dba: '',
      emailAddress: company.administrator.email,
      emails: [],
      accountNumber: '',
      isIndividual: false,
      phones: [],
      phoneList: [],
      contacts: [],
      contactList: [],
      addresses: [],
      extendedProperties: [],
      deleted: false,
      currentbalance: 0,
      phone: '',
      address1: '',
      countryId: 341,
    });
  });

  it('two phone numbers and two addresses get IDs 1 to 4, and flat fields also show the primary ones', async () => {
    await open();
    const ohio = (await t.call(calls.listStates, { token, params: { kind: 1 } })).find((each) => each.abbrev === 'OH');
    const saved = await save({
      dba: 'The Fern Shop',
      emails: ['orders@fern.example'],
      accountNumber: 'F-1',
      phones: [
        { phoneID: -1, displayNumber: '330 555 0101', primary: true },
        { phoneID: -2, displayNumber: '330 555 0102', phoneType: 'Mobile', allowText: true, primary: true },
        { phoneID: -3, displayNumber: '330 555 0103', deleted: true },
      ],
      addresses: [
        { addressType: 2, addressID: -4, address1: 'PO Box 7', city: 'Kent' },
        { addressType: 1, addressID: -5, ...akron, stateId: ohio?.id, plusFour: '1234', attention: 'Iris' },
      ],
    });
    const ids = [...saved.phones.map((each) => each.phoneID), ...saved.addresses.map((each) => each.addressID)];
    expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4]));
    expect(saved.phones.map((each) => each.primary)).toEqual([false, true]);
    expect(saved.phoneList).toEqual(saved.phones);
    expect(saved).toMatchObject({ dba: 'The Fern Shop', emails: ['orders@fern.example'], accountNumber: 'F-1' });
    expect(saved).toMatchObject({ phone: '330 555 0102', ...akron, state: 'OH' });
    expect(saved.addresses[1]?.displayAddress).toBe('18 Nursery Road, Akron, OH 44333-1234');
    expect(await read()).toEqual(saved);
  });

  it('saving a company exactly as it was read changes only its version', async () => {
    await open();
    const extendedProperties = [
      { baseExtendedPropertyId: (await property(2))?.id, propertyValue: 'OH-77', dataType: 2 },
    ];
    const contacts = [{ id: -1, isPrimary: true, contact: { firstName: 'Iris', lastName: 'Vale' } }];
    const phones = [{ phoneID: -1, displayNumber: '330 555 0101', primary: true }];
    const addresses = [{ addressType: 1, ...akron, plusFour: '1234', county: 'Summit' }];
    const names = { name: 'Fern Hollow LLC', displayname: 'Fern Hollow', dba: 'Fern' };
    const first = await save({ ...names, extendedProperties, contacts, phones, addresses, city: 'Elsewhere' });
    expect(first).toMatchObject({ ...names, extendedProperties, city: 'Akron', primaryContactName: 'Iris Vale' });
    const body = z.looseObject({}).parse((await t.request({ method: 'GET', url: '/api/company', token })).body);
    expect(await save(body)).toEqual({ ...first, rowVersion: first.rowVersion + 1 });
    const { phones: _p, addresses: _a, contacts: _c, extendedProperties: _e, ...flat } = body;
    expect(await save({ ...flat, rowVersion: undefined })).toEqual({ ...first, rowVersion: first.rowVersion + 2 });
  });

  it("saving flat fields again changes a company's one address and phone number and adds no others", async () => {
    await open();
    const first = await save({ ...akron, state: 'OH', phone: '330 555 0101' });
    expect(first.addresses).toMatchObject([
      { addressType: 1, ...akron, displayAddress: '18 Nursery Road, Akron, OH 44333' },
    ]);
    expect(first.phones).toMatchObject([{ displayNumber: '330 555 0101', primary: true }]);
    const second = await save({ address1: '20 Nursery Road', phone: '330 555 0199' });
    expect(second.addresses).toEqual([
      { ...first.addresses[0], address1: '20 Nursery Road', displayAddress: '20 Nursery Road, Akron, OH 44333' },
    ]);
    expect(second.phones).toEqual([{ ...first.phones[0], displayNumber: '330 555 0199' }]);
    const third = await save({ phone: '' });
    expect([third.phone, third.phones, third.city]).toEqual(['', [], 'Akron']);
  });

  it('saving flat fields keeps the billing address, the other phone numbers, and omitted fields', async () => {
    await open();
    const before = await save({
      phones: [{ displayNumber: '1' }, { displayNumber: '2', primary: true, phoneType: 'Office' }],
      addresses: [
        { addressType: 2, address1: 'PO Box 7' },
        { addressType: 1, ...akron, attention: 'Iris', county: 'Summit' },
      ],
    });
    const saved = await save({ countryId: 342, state: 'NS', zipCode: 'B3H 1A1', city: 'Halifax', phone: '9' });
    expect(saved.phones).toEqual([before.phones[0], { ...before.phones[1], displayNumber: '9' }]);
    expect(saved.addresses[0]).toEqual(before.addresses[0]);
    expect(saved.addresses[1]).toMatchObject({
      addressID: before.addresses[1]?.addressID,
      attention: 'Iris',
      county: 'Summit',
      postalCode: 'B3H 1A1',
      displayAddress: '18 Nursery Road, Halifax, NS B3H 1A1, Canada',
    });
    expect(saved).toMatchObject({ state: 'NS', zipCode: 'B3H 1A1', countryId: 342, phone: '9' });
  });

  it('the address and phone lists take precedence over flat fields', async () => {
    await open();
    const saved = await save({
      ...akron,
      phone: '1',
      phones: [{ displayNumber: '2' }],
      addresses: [{ addressType: 1, address1: '1 Main Street', city: 'Kent' }],
    });
    expect(saved).toMatchObject({ address1: '1 Main Street', city: 'Kent', zipCode: '', phone: '2' });
    expect(await save({ address1: 'Nowhere', addresses: [] })).toMatchObject({
      address1: '',
      addresses: [],
      phone: '2',
    });
  });

  it('renaming a company changes both its name and display name until they differ', async () => {
    await open();
    expect(await save({ displayname: 'Fern' })).toMatchObject({ name: 'Fern', displayname: 'Fern' });
    expect(await save({ name: 'Fern LLC' })).toMatchObject({ name: 'Fern LLC', displayname: 'Fern LLC' });
    expect(await save({ displayname: 'Fern' })).toMatchObject({ name: 'Fern', displayname: 'Fern' });
    expect(await save({ name: 'Fern LLC', displayname: 'Fern' })).toMatchObject({
      name: 'Fern LLC',
      displayname: 'Fern',
    });
    expect(await save({ displayname: 'Ferns' })).toMatchObject({ name: 'Fern LLC', displayname: 'Ferns' });
    expect(await save({ displayname: '' })).toMatchObject({ name: 'Fern LLC', displayname: 'Fern LLC' });
  });

  it('saving a company adds an audit row with the addresses before and after the change', async () => {
    await open();
    await save({ addresses: [{ addressType: 1, ...akron }] });
    const row = await t.inCompany(company.companyId, (tx) =>
      tx.row(sql`
        select action, before, after from audit_log
        where company_id = ${company.companyId} and subject_type = 'company' order by id desc limit 1`),
    );
    const after = { addresses: [{ address1: '18 Nursery Road' }], city: 'Akron' };
    expect(row).toMatchObject({ action: 'update', before: { addresses: [] }, after });
  });
});
