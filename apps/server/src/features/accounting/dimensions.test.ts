import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { CATEGORY_TAKEN } from '@evenkeel/core/documents/products';
import { countRows, type RawAnswer, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person } from '../../testing/world.ts';

let t: TestApp;
let admin: Person;
beforeAll(async () => {
  t = await startTestApp();
  admin = t.world.company.administrator;
});
afterAll(() => t.close());

interface List {
  table: string;
  label: string;
  id: string;
  name: string;
  path: string;
  list: Endpoint;
  create: Endpoint;
  update: Endpoint;
  remove: Endpoint;
}

const lists: List[] = [
  {
    table: 'profit_center',
    label: 'Profit Center',
    id: 'profitcenterid',
    name: 'profitcentername',
    path: 'profitcenterid',
    list: calls.listProfitCenters,
    create: calls.createProfitCenter,
    update: calls.updateProfitCenter,
    remove: calls.deleteProfitCenter,
  },
  {
    table: 'location',
    label: 'Location',
    id: 'locationId',
    name: 'locationName',
    path: 'locationId',
    list: calls.listLocations,
    create: calls.createLocation,
    update: calls.updateLocation,
    remove: calls.deleteLocation,
  },
  {
    table: 'account_category',
    label: 'Account Category',
    id: 'id',
    name: 'categoryName',
    path: 'id',
    list: calls.listAccountCategories,
    create: calls.createAccountCategory,
    update: calls.updateAccountCategory,
    remove: calls.deleteAccountCategory,
  },
];

type Shown = Record<string, unknown> & { rowVersion: number; active: boolean };

async function answerOf(endpoint: Endpoint, sent: object, person = admin): Promise<RawAnswer> {
  return t.request({ ...requestOf(endpoint, sent), token: person.token });
}

async function shown(endpoint: Endpoint, sent: object): Promise<Shown> {
  const answer = await answerOf(endpoint, sent);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Shown;
}

async function namesOf({ list, name }: List, query = {}): Promise<unknown[]> {
  const { body } = await answerOf(list, { query });
  return (body as Shown[]).map((each) => each[name]);
}

const create = ({ create: endpoint, name, id }: List, called: string) =>
  shown(endpoint, { body: { [id]: 0, [name]: called } });

function update({ update: endpoint, id, path }: List, record: Shown, changes: object): Promise<RawAnswer> {
  return answerOf(endpoint, { params: { [path]: record[id] }, body: { [id]: record[id], ...changes } });
}

const remove = ({ remove: endpoint, id, path }: List, record: Shown) =>
  answerOf(endpoint, { params: { [path]: record[id] } });

describe.each(lists)('$label', (list) => {
  const companyId = () => t.world.company.companyId;

  it('a profit center, location, or category without a name is rejected, and nothing is saved', async () => {
    const before = [await countRows(t, companyId(), list.table), await countRows(t, companyId(), 'audit_log')];
    for (const body of [{}, { [list.id]: 0, [list.name]: '  ' }]) {
      const answer = await answerOf(list.create, { body });
      const fields = { [list.name]: 'Please enter a name' };
      expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ fields })]);
    }
    expect([await countRows(t, companyId(), list.table), await countRows(t, companyId(), 'audit_log')]).toEqual(before);
  });

  it('a request with ID 0 creates a record, PUT and POST change it, and the audit log has each change', async () => {
    const before = await countRows(t, companyId(), 'audit_log');
    const made = await create(list, ' Zinc ');
    expect(made).toMatchObject({ [list.name]: 'Zinc', active: true, rowVersion: 1 });
    await create(list, 'alder');
    const names = await namesOf(list);
    expect(names.indexOf('alder')).toBeLessThan(names.indexOf('Zinc'));
    const changed = await update(list, made, { [list.name]: 'Zinc two', rowVersion: 1 });
    expect([changed.status, changed.body]).toEqual([200, { ...made, [list.name]: 'Zinc two', rowVersion: 2 }]);
    const posted = await shown(list.create, { body: { [list.id]: made[list.id], [list.name]: 'Zinc three' } });
    expect(posted).toEqual({ ...made, [list.name]: 'Zinc three', rowVersion: 3 });
    expect(await countRows(t, companyId(), 'audit_log')).toBe(before + 4);
    const log = await t.inCompany(companyId(), (tx) =>
      tx.row(sql<{ action: string; type: string; before: Shown; after: Shown }>`
        select action, subject_type as type, before, after from audit_log order by id desc limit 1`),
    );
    expect([log?.action, log?.type]).toEqual(['update', list.label.toLowerCase()]);
    expect([log?.before[list.name], log?.after[list.name]]).toEqual(['Zinc two', 'Zinc three']);
  });

  it('a save with an old version returns 409 with the current record, and an unknown ID returns 404', async () => {
    const made = await create(list, 'Versions');
    await update(list, made, { [list.name]: 'Versions 2' });
    const stale = await update(list, made, { [list.name]: 'Old', rowVersion: 1 });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ code: 'stale', current: { [list.name]: 'Versions 2', rowVersion: 2 } });
    const theirs = t.world.other.administrator;
    const unknown = { ...made, [list.id]: 987_654 };
    for (const answer of [
      await answerOf(list.update, { params: { [list.path]: made[list.id] }, body: made }, theirs),
      await answerOf(list.remove, { params: { [list.path]: made[list.id] } }, theirs),
      await update(list, unknown, { [list.name]: 'None' }),
      await remove(list, unknown),
      await update(list, { ...made, [list.id]: 0 }, { [list.name]: 'None' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    }
    expect(await namesOf(list)).toContain('Versions 2');
  });

  it('an unused record is deleted, and is not listed with ?inactive=true', async () => {
    const made = await create(list, 'Unused');
    expect((await remove(list, made)).body).toEqual({ ok: true });
    expect(await namesOf(list, { inactive: 'true' })).not.toContain('Unused');
  });

  it('only users with Manage Accounting can change a record, and every signed-in user can read it', async () => {
    const { reader, stranger } = t.world.company;
    const made = await create(list, 'Guarded');
    const body = { ...made, [list.name]: 'Mine' };
    const params = { [list.path]: made[list.id] };
    for (const person of [reader, stranger]) {
      for (const endpoint of [list.create, list.update, list.remove]) {
        expect((await answerOf(endpoint, { params, body }, person)).status).toBe(403);
      }
      expect((await answerOf(list.list, {}, person)).body).toContainEqual(made);
    }
  });
});

/** Makes a document refer to the record, as a user would. */
const uses: Record<string, (id: number) => Promise<unknown>> = {
  'Profit Center': (id) =>
    t.call(catalogueCalls.createProduct, {
      token: admin.token,
      body: { name: 'Centered', description: 'x', salesPrice: 1, GLAccountID: 140, profitCenterID: id },
    }),
  Location: (id) => {
    const line = { description: 'x', postingDate: '2026-02-02', amount: 1, locationid: id };
    const generalLedgerEntries = [
      { ...line, accountID: 101, debit: true },
      { ...line, accountID: 140, debit: false },
    ];
    return t.call(calls.postTransaction, { token: admin.token, body: { transactionID: 0, generalLedgerEntries } });
  },
  'Account Category': (id) =>
    t.call(calls.setupAccount, {
      token: admin.token,
      body: { customerAccountID: 0, masterAccountID: 101, accountNameLabel: 'Categorised', accountCategoryId: id },
    }),
};

it.each(lists)(
  'a $label in use is made inactive by DELETE, listed by ?inactive=true, and made active by PUT',
  async (list) => {
    const made = await create(list, 'Used');
    await uses[list.label]?.(Number(made[list.id]));
    expect((await remove(list, made)).body).toEqual({ ok: true });
    expect(await namesOf(list)).not.toContain('Used');
    const all = (await answerOf(list.list, { query: { inactive: 'true' } })).body as Shown[];
    expect(all.find((each) => each[list.name] === 'Used')).toEqual({ ...made, active: false, rowVersion: 2 });
    const restored = await update(list, made, { active: true, rowVersion: 2 });
    expect(restored.body).toEqual({ ...made, rowVersion: 3 });
    expect(await namesOf(list)).toContain('Used');
    const deactivated = await update(list, made, { active: false });
    expect(deactivated.body).toMatchObject({ active: false, rowVersion: 4 });
  },
);

it("an inactive location is rejected on a journal entry, and a location in use can't be deleted", async () => {
  const places = lists.find(({ label }) => label === 'Location');
  if (places === undefined) throw new Error('there is no list of locations');
  const made = await create(places, 'Closing');
  await uses['Location']?.(Number(made['locationId']));
  await remove(places, made);
  await expect(uses['Location']?.(Number(made['locationId']))).rejects.toThrow('This location is inactive');
  const racing = await create(places, 'Racing');
  const [posted, removed] = await Promise.allSettled([
    uses['Location']?.(Number(racing['locationId'])),
    remove(places, racing),
  ]);
  expect(removed).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
  const left = await namesOf(places, { inactive: 'true' });
  expect(left.includes('Racing')).toBe(posted.status === 'fulfilled');
});

it('a location keeps its address and every other field that a change omits', async () => {
  const address = {
    address1: '1 Dock Road',
    address2: 'Gate 4',
    city: 'Toledo',
    state: 'OH',
    county: 'Lucas',
    country: 'United States',
    postalCode: '43604',
  };
  const { token } = admin;
  const made = await t.call(calls.createLocation, { token, body: { locationId: 0, locationName: 'Dock', ...address } });
  expect(made).toMatchObject(address);
  const body = { locationId: made.locationId, city: 'Maumee' };
  expect(await t.call(calls.updateLocation, { token, body })).toEqual({ ...made, city: 'Maumee', rowVersion: 2 });
});

it('an account category needs a unique name, ignoring case and including inactive categories', async () => {
  const categories = lists.find(({ label }) => label === 'Account Category');
  if (categories === undefined) throw new Error('there is no list of categories');
  const made = await create(categories, 'Fleet');
  const other = await create(categories, 'Vessels');
  const fields = { categoryName: CATEGORY_TAKEN };
  const taken = [409, expect.objectContaining({ code: 'conflict', message: CATEGORY_TAKEN, fields })];
  const posted = await answerOf(categories.create, { body: { id: 0, categoryName: 'FLEET' } });
  expect([posted.status, posted.body]).toEqual(taken);
  const renamed = await update(categories, other, { categoryName: 'fleet' });
  expect([renamed.status, renamed.body]).toEqual(taken);
  await update(categories, made, { active: false });
  const again = await answerOf(categories.create, { body: { id: 0, categoryName: 'Fleet' } });
  expect([again.status, again.body]).toEqual(taken);
  const twice = await Promise.all(
    ['Twin', 'twin'].map((categoryName) => answerOf(categories.create, { body: { id: 0, categoryName } })),
  );
  expect(twice.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

it("an account can keep a category that is now inactive, but can't be given an inactive category", async () => {
  const { token } = admin;
  const made = await t.call(calls.createAccountCategory, { token, body: { id: 0, categoryName: 'Kept' } });
  const account = await t.call(calls.setupAccount, {
    token,
    body: { customerAccountID: 0, masterAccountID: 101, accountNameLabel: 'Keeper', accountCategoryId: made.id },
  });
  await t.call(calls.deleteAccountCategory, { token, params: { id: made.id } });
  const renamed = { customerAccountID: account.customerAccountID, accountNameLabel: 'Keeper 2' };
  expect(await t.call(calls.setupAccount, { token, body: renamed })).toMatchObject({ accountCategoryId: made.id });
  const body = {
    customerAccountID: 0,
    masterAccountID: 101,
    accountNameLabel: 'Other',
    accountCategoryId: made.id,
  };
  expect((await t.refused(calls.setupAccount, { token, body })).fields).toEqual({
    accountCategoryId: 'This category is inactive. Make it active, or select another one',
  });
});
