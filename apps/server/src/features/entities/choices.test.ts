import { entityCalls as calls } from '@evenkeel/contract/entities';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementOf } from '../../platform/db/query.ts';
import { factoryFor } from '../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { selectBeginning } from './choices.sql.ts';
import { listSql } from './list.sql.ts';

const COUNT = 50_000;
const TOGETHER = 5000;

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  // Each statement finishes well within the statement timeout, even on a slow machine.
  for (let first = 1; first <= COUNT; first += TOGETHER) {
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        insert into entity (company_id, kind, displayname, name, email_address)
        select c.company_id, 0, 'Customer ' || to_char(n, 'FM00000'), 'n', 'c' || n || '@customer.example'
        from company c join generate_series(${first}::int, ${first + TOGETHER - 1}::int) n on true
        where c.company_id = ${company.companyId}`),
    );
  }
  await t.pool.query('analyze entity').catch(() => undefined);
});
afterAll(() => t.close());

const token = () => company.administrator.token;
const choose = (query: { q?: string; id?: string }) => t.call(calls.chooseCustomer, { token: token(), query });
const create = (name: string, more: Record<string, unknown> = {}) =>
  t.call(calls.createCustomer, {
    token: token(),
    body: { name, emailAddress: `${name.trim().replaceAll(/\W/g, '')}@choice.example`.toLowerCase(), ...more },
  });
const names = async (q: string) => (await choose({ q })).items.map(({ displayname }) => displayname);

// Promise (speed): Pickers and lists read only as much as they show, however many records there are. [12 kB for 50,000
// customers]
test('any search among 50,000 customers returns 50 customers in less than 12 kB', async () => {
  for (const q of ['', 'cust', '00042', 'nobody of this name']) {
    const url = `/api/customer/choices?q=${encodeURIComponent(q)}`;
    const { status, bytes } = await t.request({ method: 'GET', url, token: token() });
    expect(status).toBe(200);
    expect(bytes.length).toBeLessThan(12_000);
  }
  const first = await choose({});
  expect([first.items.length, first.hasMore, first.items[0]?.displayname]).toEqual([50, true, 'Customer 00001']);
  expect((await choose({ q: 'customer 00042' })).hasMore).toBe(false);
});

test('a prefix search reads only the matching index entries', async () => {
  const statement = statementOf(
    selectBeginning({ side: RECEIVABLE, withTerms: true }, 'customer 4999', 51),
    company.companyId,
  );
  const [plan] = await t.inCompany(company.companyId, (tx) =>
    tx.rows(explained(statement.text, statement.values as string[])),
  );
  const text = JSON.stringify(plan);
  expect(text).toMatch(/"Index Name":\s*"entity_choice"/);
  const [, removed = '0'] = /"Rows Removed by Filter":\s*(\d+)/.exec(text) ?? [];
  expect(Number(removed)).toBeLessThan(10);
  const [, read = '0'] = /"Shared Hit Blocks":\s*(\d+)/.exec(text) ?? [];
  expect(Number(read)).toBeLessThan(300);
});

test('the first rows of the list, with their balances, are read in the order of the index', async () => {
  const ask = { limit: 100, withInactive: false };
  const statement = statementOf(listSql(RECEIVABLE, ask, { withTerms: true, withBalance: true }), company.companyId);
  const [plan] = await t.inCompany(company.companyId, (tx) =>
    tx.rows(explained(statement.text, statement.values as string[])),
  );
  const text = JSON.stringify(plan);
  expect(text).toMatch(/"Index Name":\s*"entity_list"/);
  expect(text).not.toMatch(/"Node Type":\s*"Seq Scan","[^{}]*"Relation Name":\s*"entity"/);
  const rows = [...text.matchAll(/"Relation Name":\s*"entity"[^{}]*?"Actual Rows":\s*([\d.]+)/g)].map(([, n]) =>
    Number(n),
  );
  expect(rows).toEqual([101]);
});

/** Returns the plan that was used to execute a statement with the given parameters. */
function explained(text: string, values: readonly unknown[]) {
  const written = text.replace(/\$(\d+)/g, (_, n: string) => {
    const value = values[Number(n) - 1];
    return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  });
  return sql<object>`explain (analyze, buffers, format json) ${sql.raw(written)}`;
}

test('names that begin with the search text come first, followed by names that contain its words', async () => {
  await create('Oak Hollow');
  await create('Big Oak');
  await create('Elm', { emailAddress: 'oak@elm.example' });
  expect(await names('OAK')).toEqual(['Oak Hollow', 'Big Oak', 'Elm']);
  expect(await names('oak big')).toEqual(['Big Oak']);
  expect(await names('o%k')).toEqual([]);
  expect(await names('49_99')).toEqual([]);
});

test('duplicate names are marked, even if the other name is not in the result', async () => {
  await create('Mill Lane', { emailAddress: 'one@mill.example' });
  await create('mill lane', { emailAddress: 'two@mill.example' });
  const found = (await choose({ q: 'one@mill' })).items;
  expect(found.map(({ emailAddress, namesake }) => [emailAddress, namesake])).toEqual([['one@mill.example', true]]);
  expect((await choose({ q: 'Oak Hollow' })).items.map(({ namesake }) => namesake)).toEqual([false]);
});

test('an inactive entity is found only by ID, and an entity of another company or kind is never found', async () => {
  const { id } = await create('Gone Away', { termsDays: 45 });
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update entity set deleted = true where company_id = ${company.companyId} and id = ${id}`),
  );
  expect(await names('gone')).toEqual([]);
  const of = async (given: number) => (await choose({ id: String(given) })).items;
  expect(await of(id)).toMatchObject([{ id, displayname: 'Gone Away', termsDays: 45, namesake: false }]);
  const other = await t.createCompany();
  const body = { name: 'Theirs', emailAddress: 'a@theirs.example' };
  const theirs = await t.call(calls.createCustomer, { token: other.administrator.token, body });
  const vendor = await t.call(calls.createVendor, { token: token(), body });
  expect([await of(theirs.id), await of(vendor.id)]).toEqual([[], []]);
  expect((await t.call(calls.chooseVendor, { token: token(), query: { q: 'theirs' } })).items).toHaveLength(1);
});

test("a vendor's usual account is the one on the newest posted bill", async () => {
  const own = await t.createCompany();
  const { token: of } = own.administrator;
  const body = { name: 'Quarry', emailAddress: 'a@quarry.example' };
  const vendor = await t.call(calls.createVendor, { token: of, body });
  const usual = async () => {
    const { items } = await t.call(calls.chooseVendor, { token: of, query: { q: 'quarry' } });
    return items.map(({ usualAccountId }) => usualAccountId);
  };
  expect(await usual()).toEqual([null]);
  const make = factoryFor(t, own);
  const bill = (invoiceNumber: string, invoiceDate: string, accountId: number) => {
    const lineItems = [{ description: 'Gravel', accountId, lineItemAmount: 80 }];
    return make.bill({ vendorId: vendor.id, invoiceNumber, invoiceDate, lineItems });
  };
  await bill('Q-1', '2026-05-02', 150);
  await bill('Q-2', '2026-04-01', 151);
  expect(await usual()).toEqual([150]);
  await bill('Q-3', '2026-05-03', 151);
  expect(await usual()).toEqual([151]);
});
