import { afterAll, beforeAll, expect, it } from 'vitest';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls as calls } from '@evenkeel/contract/settings';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const auth = () => ({ token: t.world.company.administrator.token });
const define = (displayName: string, dataType: number, kind = 0) =>
  t.call(calls.createProperty, { ...auth(), body: { kind, displayName, dataType } });
const listed = async (query = {}) =>
  (await t.call(calls.entityDetails, { ...auth(), params: { kind: 0 }, query })).map((each) => each.displayName);
const good = { name: 'Fairlawn', emailAddress: 'office@fairlawn.example' };

it('a custom field needs a name, a kind from 0 to 2, and a type (date, text, or yes/no)', async () => {
  const cases: [Record<string, unknown>, string, string][] = [
    [{ kind: 0, dataType: 2, displayName: ' ' }, 'displayName', 'Please enter a name'],
    [{ kind: 3, dataType: 2, displayName: 'X' }, 'kind', 'Please select a kind'],
    [{ kind: 0, dataType: 3, displayName: 'X' }, 'dataType', 'Please select a type'],
  ];
  for (const [body, field, message] of cases) {
    const refusal = await t.refused(calls.createProperty, { ...auth(), body });
    expect(refusal).toMatchObject({ status: 422, fields: { [field]: message } });
  }
});

it('a renamed custom field keeps its kind and type, and saving an old version is rejected (409)', async () => {
  const made = await define('Gate', 2);
  const params = { id: made.id };
  const body = { displayName: 'Gate code', kind: 1, dataType: 4, rowVersion: made.rowVersion };
  expect(await t.call(calls.updateProperty, { ...auth(), params, body })).toEqual({
    ...made,
    displayName: 'Gate code',
    rowVersion: made.rowVersion + 1,
  });
  expect((await t.refused(calls.updateProperty, { ...auth(), params, body })).code).toBe('stale');
  const { token } = t.world.other.administrator;
  expect((await t.refused(calls.updateProperty, { token, params, body: { displayName: 'Theirs' } })).status).toBe(404);
  expect((await t.refused(calls.deleteProperty, { token, params })).status).toBe(404);
});

it('an inactive custom field is hidden in the form and keeps its values until it is active again', async () => {
  const [pets, since] = [await define('Pets', 4), await define('Since', 1)];
  const value = (baseExtendedPropertyId: number, propertyValue: string) => ({ baseExtendedPropertyId, propertyValue });
  const extendedProperties = [value(pets.id, 'TRUE'), value(since.id, '2/29/2024')];
  const made = await t.call(entityCalls.createCustomer, { ...auth(), body: { ...good, extendedProperties } });
  expect(made.extendedProperties.map((each) => [each.propertyValue, each.dataType])).toEqual([
    ['true', 4],
    ['2024-02-29', 1],
  ]);
  await t.call(calls.deleteProperty, { ...auth(), params: { id: pets.id } });
  expect(await listed()).not.toContain('Pets');
  expect(await listed({ inactive: 'true' })).toContain('Pets');
  const params = { id: made.id };
  const changed = { extendedProperties: [value(since.id, '2024-03-01')] };
  const saved = await t.call(entityCalls.updateCustomer, { ...auth(), params, body: changed });
  expect(saved.extendedProperties.map((each) => each.propertyValue)).toEqual(['2024-03-01', 'true']);
  await t.call(calls.updateProperty, { ...auth(), params: { id: pets.id }, body: { active: true } });
  const cleared = await t.call(entityCalls.updateCustomer, { ...auth(), params, body: { extendedProperties: [] } });
  expect(cleared.extendedProperties).toEqual([]);
});

it('an invalid date or yes/no value in a custom field is rejected with an error for that field', async () => {
  const [pets, since] = [await define('Pets?', 4), await define('Since?', 1)];
  const extendedProperties = [
    { baseExtendedPropertyId: since.id, propertyValue: '2023-02-29' },
    { baseExtendedPropertyId: pets.id, propertyValue: 'perhaps' },
  ];
  const refusal = await t.refused(entityCalls.createVendor, { ...auth(), body: { ...good, extendedProperties } });
  expect(refusal.fields?.['extendedProperties.0.baseExtendedPropertyId']).toBe("This field doesn't exist");
  const customer = await t.refused(entityCalls.createCustomer, { ...auth(), body: { ...good, extendedProperties } });
  expect(customer.fields).toEqual({
    'extendedProperties.0.propertyValue': 'Please enter a valid date',
    'extendedProperties.1.propertyValue': "Please enter 'true' or 'false'",
  });
});
