import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { addDays } from '@evenkeel/core/dates';
import { todayIn } from '../../platform/clock.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let admin: Person;
beforeAll(async () => {
  t = await startTestApp();
  ({ company } = t.world);
  admin = company.administrator;
});
afterAll(() => t.close());

const setup = (body: Record<string, unknown>) => t.call(calls.setupAccount, { token: admin.token, body });
const refused = (body: Record<string, unknown>) => t.refused(calls.setupAccount, { token: admin.token, body });
const chart = async (query: Record<string, string> = {}, token = admin.token) =>
  t.call(calls.chartOfAccounts, { token, query });
const fresh = (name: string, more: Record<string, unknown> = {}) => ({
  customerAccountID: 0,
  masterAccountID: 140,
  accountNameLabel: name,
  accountNumberLabel: '',
  ...more,
});

async function journal(
  lines: [account: number, debit: boolean, amount: number][],
  basis = 0,
  postingDate: string = todayIn('America/New_York'),
): Promise<void> {
  const generalLedgerEntries = lines.map(([accountID, debit, amount]) => {
    return { accountID, debit, amount, description: 'Entry', postingDate };
  });
  await t.call(calls.postTransaction, { token: admin.token, body: { generalLedgerEntries, basis } });
}

describe('PUT accountsetup validation', () => {
  it('rejects a new account without a name or with an unknown master account, and saves nothing', async () => {
    const before = [
      await countRows(t, company.companyId, 'account'),
      await countRows(t, company.companyId, 'audit_log'),
    ];
    const unnamed = await refused(fresh(''));
    expect([unnamed.status, unnamed.message]).toEqual([422, 'Please enter a name']);
    const baseless = await refused(fresh('No base', { masterAccountID: 999 }));
    expect(baseless.fields).toEqual({ masterAccountID: 'Please Select an Account' });
    const category = await refused(fresh('No category', { accountCategoryId: 999_999 }));
    expect(category.fields).toEqual({ accountCategoryId: 'Please Select a Category' });
    const after = [
      await countRows(t, company.companyId, 'account'),
      await countRows(t, company.companyId, 'audit_log'),
    ];
    expect(after).toEqual(before);
  });

  it('rejects the name "sales" if the chart has "Sales" (409)', async () => {
    const answer = await refused(fresh(' sales '));
    expect([answer.status, answer.code]).toEqual([409, 'conflict']);
    expect(answer.fields).toHaveProperty('accountNameLabel');
  });

  it('rejects an account that does not exist or belongs to another company (404)', async () => {
    expect((await refused({ customerAccountID: 5555, accountNameLabel: 'X' })).status).toBe(404);
    const theirs = t.world.other.administrator;
    const { customerAccountID } = await t.call(calls.setupAccount, { token: theirs.token, body: fresh('Theirs') });
    expect((await refused({ customerAccountID, accountNameLabel: 'Mine now' })).status).toBe(404);
  });

  it('rejects a different base for an existing account, because the base determines the type', async () => {
    const answer = await refused({ customerAccountID: 140, masterAccountID: 150 });
    expect([answer.status, answer.fields]).toEqual([422, { masterAccountID: "The base account can't be changed" }]);
  });

  it.each([
    [138, 'it is a system account'],
    [101, 'the bank account Checking uses it'],
  ])('rejects making account %i inactive: %s', async (customerAccountID, reason) => {
    const answer = await refused({ customerAccountID, selected: false });
    expect([answer.status, answer.message.endsWith(reason)]).toEqual([422, true]);
  });

  it('rejects making an account inactive if it has a balance on only one basis', async () => {
    await journal(
      [
        [161, true, 25],
        [128, false, 25],
      ],
      1,
    );
    const answer = await refused({ customerAccountID: 161, selected: false });
    expect(answer.message).toBe("Meals & Entertainment can't be removed: its balance is not zero");
  });

  it('rejects making an account inactive if it has entries after today', async () => {
    const date = addDays(todayIn('UTC'), 3);
    const lines: Parameters<typeof journal>[0] = [
      [162, true, 25],
      [128, false, 25],
    ];
    await journal(lines, 1, date);
    const answer = await refused({ customerAccountID: 162, selected: false });
    expect(answer.message).toMatch(/can't be removed: it has entries dated after today$/);
  });

  it("rejects making a product's sales account inactive", async () => {
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        insert into product (company_id, name, description, sales_price_cents, taxable, product_service_type,
          gl_account_id)
        values (${company.companyId}, 'Rope', 'Rope', 100, false, 1, 142)`),
    );
    const answer = await refused({ customerAccountID: 142, selected: false });
    expect(answer.message).toBe("Package Income can't be removed: the product Rope uses it");
  });

  it('rejects a save of an outdated account version and returns the current account', async () => {
    const { customerAccountID, rowVersion } = await setup(fresh('Versioned'));
    await setup({ customerAccountID, accountNameLabel: 'Versioned twice', rowVersion });
    const answer = await refused({ customerAccountID, accountNameLabel: 'Too late', rowVersion });
    expect([answer.status, answer.code]).toEqual([409, 'stale']);
    expect(answer.current).toMatchObject({ accountNameLabel: 'Versioned twice', rowVersion: 2 });
  });

  it('rejects account changes by read-only users (403)', async () => {
    const answer = await t.refused(calls.setupAccount, { token: company.reader.token, body: fresh('Reader') });
    expect(answer.status).toBe(403);
  });
});

describe('PUT accountsetup', () => {
  it('only one of two simultaneous requests can use the name "Harbor fees"', async () => {
    const other = await t.createCompany();
    const rename = ({ token }: Person, customerAccountID: number) =>
      t.call(calls.setupAccount, { token, body: { customerAccountID, accountNameLabel: 'Harbor fees' } });
    const answers = await Promise.allSettled([rename(other.administrator, 150), rename(other.bookkeeper, 151)]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('new accounts get IDs starting at 1000, even if two accounts are added at the same time', async () => {
    const other = await t.createCompany();
    const add = (name: string) =>
      t.call(calls.setupAccount, { token: other.administrator.token, body: fresh(name, { masterAccountID: 167 }) });
    const made = await Promise.all([add('Dock rent'), add('Shed rent'), add('Yard rent')]);
    expect(made.map((each) => each.customerAccountID).toSorted((a, b) => a - b)).toEqual([1000, 1001, 1002]);
    expect(made[0]).toMatchObject({ masterAccountNumberLabel: '6700', masterAccountNameLabel: 'Rent & Lease' });
  });

  it('account 4000 is renamed, and its label has its number only if useAccountNumbers is on', async () => {
    const { administrator, companyId } = await t.createCompany();
    const { token } = administrator;
    const label = async () =>
      (await t.call(calls.listRevenueAccounts, { token })).find((each) => each.customerAccountID === 140)
        ?.displayAccountLabel;
    await t.call(calls.setupAccount, {
      token,
      body: { customerAccountID: 140, accountNameLabel: 'Rigging', accountNumberLabel: '4010' },
    });
    expect(await label()).toBe('Rigging');
    await t.inCompany(companyId, (tx) =>
      tx.rows(sql`
        update setting set setting_value = 'true'
        where company_id = ${companyId} and setting_name = 'useAccountNumbers'`),
    );
    expect(await label()).toBe('4010 - Rigging');
  });

  it('an unused account is made inactive, which hides it from the pickers, and made active again', async () => {
    const removed = await setup({ customerAccountID: 110, selected: false });
    expect(removed.selected).toBe(false);
    const ids = async () =>
      (await t.call(calls.listAccounts, { token: admin.token })).map((each) => each.customerAccountID);
    expect(await ids()).not.toContain(110);
    expect((await chart()).some((each) => each.customerAccountID === 110)).toBe(false);
    expect((await chart({ inactive: 'true' })).find((each) => each.customerAccountID === 110)?.active).toBe(false);
    await setup({ customerAccountID: 110, selected: true });
    expect(await ids()).toContain(110);
  });
});

describe('account lookups', () => {
  it('a new company has 82 accounts, with only Petty Cash and Undeposited Funds as payment accounts', async () => {
    const { administrator, reader, stranger } = await t.createCompany();
    const { token } = administrator;
    expect(await t.call(calls.listAccounts, { token })).toHaveLength(82);
    const payment = await t.call(calls.listPaymentAccounts, { token: stranger.token });
    expect(payment.map((each) => each.customerAccountID)).toEqual([103, 104]);
    const revenue = await t.call(calls.listRevenueAccounts, { token: reader.token });
    expect(revenue.map((each) => each.customerAccountID)).toEqual([140, 141, 142, 143, 144, 176, 177, 178]);
    const master = await t.call(calls.listMasterAccounts, { token });
    expect(master.find((each) => each.id === 138)).toMatchObject({ accountNumber: '1200' });
    expect((await t.call(calls.listAccountCategories, { token })).length).toBeGreaterThan(10);
  });

  it('account balances are visible only to users who can view accounting', async () => {
    const [shown] = await chart({}, company.reader.token);
    expect(shown).toHaveProperty('balance');
    const [hidden] = await chart({}, company.stranger.token);
    expect(hidden).not.toHaveProperty('balance');
  });

  it('active profit centers and locations are sorted by name', async () => {
    const { companyId } = company;
    await t.inCompany(companyId, async (tx) => {
      await tx.rows(sql`
        insert into profit_center (company_id, name, active)
        values (${companyId}, 'South', true), (${companyId}, 'North', true), (${companyId}, 'Closed', false)`);
      await tx.rows(sql`insert into location (company_id, name) values (${companyId}, 'Yard'), (${companyId}, 'Dock')`);
    });
    const { token } = company.stranger;
    const centers = await t.call(calls.listProfitCenters, { token });
    expect(centers.map((each) => each.profitcentername)).toEqual(['North', 'South']);
    const places = await t.call(calls.listLocations, { token });
    expect(places.map((each) => each.locationName)).toEqual(['Dock', 'Yard']);
  });
});

it('one account is created per idempotency key, and the key is rejected with a different body', async () => {
  const before = await countRows(t, company.companyId, 'account');
  const send = (name: string) =>
    t.request({
      method: 'PUT',
      url: '/api/accountsetup',
      token: admin.token,
      headers: { 'idempotency-key': 'one account' },
      body: fresh(name),
    });
  const [first, again, changed] = [await send('Sent twice'), await send('Sent twice'), await send('Sent thrice')];
  expect([first.status, again.status, changed.status]).toEqual([200, 200, 409]);
  expect(again.body).toEqual(first.body);
  expect(await countRows(t, company.companyId, 'account')).toBe(before + 1);
});

describe('inactive accounts', () => {
  const lists = [calls.listAccounts, calls.listRevenueAccounts, calls.chartOfAccounts] as const;
  const found = (id: number, query: Record<string, string>) =>
    Promise.all(
      lists.map(async (list) => {
        const all = await t.call(list, { token: admin.token, query });
        return all.find((one) => one.customerAccountID === id)?.active;
      }),
    );

  it('inactive accounts appear only in lists that request them, and can be made active again', async () => {
    const { customerAccountID: id } = await setup(fresh('Snow removal'));
    expect(await found(id, {})).toEqual([true, true, true]);
    await setup({ customerAccountID: id, selected: false });
    expect(await found(id, {})).toEqual([undefined, undefined, undefined]);
    expect(await found(id, { inactive: 'true' })).toEqual([false, false, false]);
    const categories = await t.call(calls.listAccountCategories, { token: admin.token, query: {} });
    const accountCategoryId = categories.at(-1)?.id;
    expect(await setup({ customerAccountID: id, selected: true, accountCategoryId })).toMatchObject({
      selected: true,
      accountCategoryId,
    });
    expect(await found(id, {})).toEqual([true, true, true]);
  });
});

test("an inactive expense account stays on last year's reports", async () => {
  const { customerAccountID } = await setup(fresh('Old advertising', { masterAccountID: 150 }));
  const last = Number(todayIn('America/New_York').slice(0, 4)) - 1;
  await journal(
    [
      [customerAccountID, true, 40],
      [101, false, 40],
    ],
    0,
    `${last}-06-30`,
  );
  const shown = (await chart()).find((each) => each.customerAccountID === customerAccountID);
  expect(shown?.balance).toBe(0);
  await setup({ customerAccountID, selected: false });
  expect((await chart()).some((each) => each.customerAccountID === customerAccountID)).toBe(false);
  const reportParams = [
    { paramType: 1, paramName: 'startdate', paramvalue: `${last}-01-01` },
    { paramType: 1, paramName: 'reportdate', paramvalue: `${last}-12-31` },
  ];
  for (const reportId of ['1', '3']) {
    const report = await t.call(reportCalls.runReport, {
      token: admin.token,
      params: { reportId },
      body: { reportParams },
    });
    expect(JSON.stringify(report)).toContain('Old advertising');
  }
});
