import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { setupCalls } from '@evenkeel/contract/setup';
import { AP, AR, SALES } from '@evenkeel/core/books/accounts';
import { DEFAULT_CUSTOMER } from '@evenkeel/core/setup';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app/app.ts';
import { openPool } from '../../platform/db/connect.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { startLossyProxy } from '../../testing/lossy-proxy.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
});

const answers = {
  companyName: 'Cedar & Stone Landscaping',
  defaultARAccountId: AR,
  defaultAPAccountId: AP,
  customerName: 'Fairlawn Church',
  customerEmail: 'office@fairlawn.example',
  vendorName: 'Akron Quarry',
  vendorEmail: 'sales@quarry.example',
  productName: 'Mulch, cubic yard',
  productPrice: 48.5,
};
const NONE = { customers: 0, vendors: 0, products: 0, done: false };
const ALL = { customers: 1, vendors: 1, products: 1, done: true };

/** Returns everything that first-time setup creates in a company, and whether the setup is complete. */
const made = (companyId = company.companyId) =>
  t.inCompany(companyId, (tx) =>
    tx.one(sql<typeof NONE>`
      select setup_completed as done,
        (select count(*)::int from entity where company_id = ${COMPANY} and kind = 0) as customers,
        (select count(*)::int from entity where company_id = ${COMPANY} and kind = 1) as vendors,
        (select count(*)::int from product where company_id = ${COMPANY}) as products
      from company where company_id = ${COMPANY}`),
  );
const complete = (body: object, headers: Record<string, string> = {}) =>
  t.call(setupCalls.completeSetup, { token: company.administrator.token, body, headers });

test('setup saves the address, fiscal year, and sales tax, and an invalid rate saves nothing', async () => {
  const { token } = company.administrator;
  const more = { address1: '12 Quarry Road', city: 'Akron', state: 'OH', zipCode: '44301', fyStartMonth: 7 };
  const body = { ...answers, ...more, salesTaxLabel: 'Ohio', salesTaxPercentage: 101 } as never;
  const refused = await t.refused(setupCalls.completeSetup, { token, body });
  expect(refused.fields).toEqual({ salesTaxPercentage: 'Please enter a percentage from 0 to 100' });
  expect(await made()).toEqual(NONE);
  const saved = await complete({ ...answers, ...more, salesTaxLabel: 'Ohio', salesTaxPercentage: 5.75 });
  expect(saved).toMatchObject({ address1: '12 Quarry Road', city: 'Akron', state: 'OH', zipCode: '44301' });
  const { customerSettingItems } = await t.call(settingsCalls.getSettings, { token });
  expect(customerSettingItems.find(({ settingName }) => settingName === 'fyStartMonth')?.settingValue).toBe('7');
  const [scenario] = await t.call(settingsCalls.listSalesTax, { token });
  expect(scenario?.salesTaxItems.map((item) => [item.displayLabel, item.displayValue])).toEqual([['Ohio', '5.75%']]);
});

test('setup answers become a name, accounts, a customer, a vendor, and a product, all in the audit log', async () => {
  const { token } = company.administrator;
  const entries = await countRows(t, company.companyId, 'audit_log');
  expect(await complete(answers)).toMatchObject({ displayname: answers.companyName, setupCompleted: true });
  expect(await made()).toEqual(ALL);
  const [customer] = await listOf(t.call(entityCalls.listCustomers, { token, query: {} }));
  const [vendor] = await listOf(t.call(entityCalls.listVendors, { token, query: {} }));
  expect([customer, vendor]).toMatchObject([
    { displayname: 'Fairlawn Church', emailAddress: 'office@fairlawn.example' },
    { displayname: 'Akron Quarry', emailAddress: 'sales@quarry.example' },
  ]);
  const [listed] = await listOf(t.call(catalogueCalls.listProducts, { token, query: {} }));
  const params = { id: listed?.productID ?? 0 };
  const product = await t.call(catalogueCalls.getProduct, { token, params });
  expect(product).toMatchObject({ name: answers.productName, description: answers.productName, GLAccountID: SALES });
  expect(product.salesPrice).toBe(48_50);
  expect((await countRows(t, company.companyId, 'audit_log')) - entries).toBe(4);
  // After the next sign-in, setup is complete.
  expect(await t.login(company.administrator.email)).toMatchObject({ setupCompleted: true });
});

async function listOf<T>(reply: Promise<T[] | { items: T[] }>): Promise<T[]> {
  const found = await reply;
  return Array.isArray(found) ? found : found.items;
}

test("empty setup answers create nothing, and a single default customer has the company's address", async () => {
  const { companyName, defaultARAccountId, defaultAPAccountId } = answers;
  const few = { companyName, defaultARAccountId, defaultAPAccountId, customerName: 'ignored', vendorName: '' };
  await complete({ ...few, useDefaultCustomer: true });
  expect(await made()).toEqual({ ...NONE, customers: 1, done: true });
  const { token, email } = company.administrator;
  const [customer] = await listOf(t.call(entityCalls.listCustomers, { token, query: {} }));
  expect(customer).toMatchObject({ displayname: DEFAULT_CUSTOMER, emailAddress: email });
});

test.each([
  ['an incomplete vendor', { vendorEmail: '' }, { vendorEmail: 'Please enter a valid email address' }],
  ['an account of another type', { defaultARAccountId: AP }, { defaultARAccountId: 'Please Select an Account' }],
  ['no account', { defaultAPAccountId: null }, { defaultAPAccountId: 'Please Select an Account' }],
  ['no name', { companyName: ' ' }, { companyName: 'Please enter a Company name' }],
])('%s is rejected with an error for its field, and nothing is saved', async (_, change, fields) => {
  const body = { ...answers, ...change };
  const refusal = await t.refused(setupCalls.completeSetup, { token: company.administrator.token, body });
  expect(refusal).toMatchObject({ status: 422, fields });
  expect(await made()).toEqual(NONE);
});

test("the company's two default accounts are saved as settings", async () => {
  const { token } = company.administrator;
  const own = { customerAccountID: 0, masterAccountID: AR, accountNumberLabel: '1210', accountNameLabel: 'Retainage' };
  const { customerAccountID } = await t.call(ledgerCalls.setupAccount, { token, body: own });
  await complete({ ...answers, defaultARAccountId: customerAccountID });
  const { customerSettingItems } = await t.call(settingsCalls.getSettings, { token });
  const values = Object.fromEntries(customerSettingItems.map((each) => [each.settingName, each.settingValue]));
  expect([values['defaultARAccountId'], values['defaultAPAccountId']]).toEqual([String(customerAccountID), String(AP)]);
});

test('skipping the setup only marks it as complete, can be repeated, and prevents later answers', async () => {
  expect(await complete({ ...answers, skip: true })).toMatchObject({
    displayname: company.displayname,
    setupCompleted: true,
  });
  await complete({ skip: true });
  expect(await made()).toEqual({ ...NONE, done: true });
  const late = await t.refused(setupCalls.completeSetup, { token: company.administrator.token, body: answers });
  expect([late.status, late.message]).toEqual([409, 'Setup is already complete. Your answers were not saved.']);
});

test('setup is completed only once, even if a request is repeated or sent by two administrators', async () => {
  const key = { 'idempotency-key': 'setup-1' };
  const [first, again] = await Promise.all([complete(answers, key), complete(answers, key)]);
  expect([again, await made()]).toEqual([first, ALL]);

  company = await t.createCompany();
  const other = await t.signIn(company, 'Administrator');
  const both = await Promise.allSettled([
    complete(answers),
    t.call(setupCalls.completeSetup, { token: other.token, body: { ...answers, companyName: 'Theirs' } }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await made()).toEqual(ALL);
});

test('setup requires an administrator and rejects a superuser and a bookkeeper', async () => {
  for (const { token } of [company.superuser, company.bookkeeper]) {
    expect((await t.refused(setupCalls.completeSetup, { token, body: { skip: true } })).status).toBe(403);
  }
  expect(await made()).toEqual(NONE);
});

test('a lost commit saves nothing and can be repeated, and setup is done once after a lost response', async () => {
  const proxy = await startLossyProxy(t.databaseUrl);
  const pool = openPool({ connection: { connectionString: proxy.url }, as: 'runtime' });
  const app = await buildApp({ ...t.services, pool });
  const send = (payload: object) =>
    app.inject({
      method: 'POST',
      url: '/api/firsttimesetup',
      headers: { authorization: `Bearer ${company.administrator.token}`, 'idempotency-key': 'setup' },
      payload,
    });
  try {
    // Reads the session and opens connections in advance.
    await send({ companyName: '' });
    proxy.loseNext('commit');
    expect((await send(answers)).statusCode).toBe(503);
    expect(await made()).toEqual(NONE);
    proxy.loseNext('answer');
    const [first, again] = [await send(answers), await send(answers)];
    expect([first.statusCode, again.json()]).toEqual([200, first.json()]);
    expect(await made()).toEqual(ALL);
  } finally {
    await app.close();
    await pool.end();
    await proxy.close();
  }
});
