import { closingCalls } from '@evenkeel/contract/closing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { openItems } from '@evenkeel/core/books/closing';
import { isoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { faultsOf, verifyCompany } from '../../across/health/books-verify.ts';
import { openClient } from '../../platform/db/connect.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { WAITS } from '../../testing/databases.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { reconcilerOf } from '../banking/testing/reconciling.ts';
import { lockNextPostingSql } from './closing.sql.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const CHECKING = 101;
const SALES = 140;
const date = isoDate('2026-03-31');

/** Creates a company with 500.00 in Checking on March 10. Returns functions that call the company's endpoints. */
async function booksOf() {
  const company = await t.createCompany();
  const { companyId } = company;
  const { token } = company.administrator;
  const { entry } = reconcilerOf(t, company);
  await entry('2026-03-10', [CHECKING, SALES], 500);
  const bodyOf = (balance: number, note = 'Agrees with the bank') => ({ accountId: CHECKING, date, balance, note });
  return {
    company,
    token,
    entry,
    bodyOf,
    sign: (balance: number, note?: string) =>
      t.call(closingCalls.signOffAccount, { token, body: bodyOf(balance, note) }),
    refused: (balance: number, by = token) =>
      t.refused(closingCalls.signOffAccount, { token: by, body: bodyOf(balance) }),
    list: (on = date, accountId = CHECKING) =>
      t.call(closingCalls.accountSignOffs, { token, params: { customerAccountId: accountId }, query: { date: on } }),
    withdraw: (id: number) => ({ token, params: { id } }),
    faults: async () => (await verifyCompany(t.pool, companyId)).faults,
  };
}

/** Returns another administrator of the company. */
const colleagueOf = (company: WorldCompany) => t.signIn(company, 'Administrator');

test('a signed-off balance stays the same, and transactions posted later are shown as its change', async () => {
  const { token, company, entry, sign, list, faults } = await booksOf();
  const signed = await sign(500);
  expect(signed).toMatchObject({ accountId: CHECKING, date, balance: 50_000, current: 50_000, change: 0, from: null });
  expect(signed).toMatchObject({ note: 'Agrees with the bank', signedBy: expect.stringMatching(/\w/) });
  await entry('2026-04-01', [CHECKING, SALES], 7);
  expect((await list()).signOffs).toEqual([signed]);
  const { transactionID } = await entry('2026-03-31', [SALES, CHECKING], 20);
  const [changed] = (await list()).signOffs;
  expect(changed).toEqual({ ...signed, current: 48_000, change: -2000 });
  const body = { accountIds: [CHECKING], from: null, to: date, basis: 0, profitCenterId: null, locationId: null };
  const posted = await t.call(ledgerCalls.postedItems, { token, body: { ...body, since: signed.since } });
  expect(posted).toMatchObject({ count: 1, amount: -2000, items: [{ transactionId: transactionID }] });
  const query = { date };
  const checklist = await t.call(closingCalls.closingChecklist, { token, query });
  expect(checklist.signOffs).toEqual([changed]);
  expect(openItems(checklist) - openItems({ ...checklist, signOffs: [signed] })).toBe(1);
  expect(await faults()).toEqual([]);
  const { token: bookkeeper } = company.bookkeeper;
  const asked = { token: bookkeeper, params: { customerAccountId: CHECKING }, query };
  expect((await t.call(closingCalls.accountSignOffs, asked)).signOffs).toHaveLength(1);
});

test('income is signed off from the first day of the fiscal year', async () => {
  const { token, entry, list, faults } = await booksOf();
  await entry('2025-12-30', [CHECKING, SALES], 80);
  const body = { accountId: SALES, date, balance: (await list(date, SALES)).balance / 100 };
  const signed = await t.call(closingCalls.signOffAccount, { token, body });
  expect(signed).toMatchObject({ from: '2026-01-01', balance: 50_000 });
  await entry('2025-12-31', [CHECKING, SALES], 5);
  await entry('2026-01-01', [CHECKING, SALES], 3);
  expect((await list(date, SALES)).signOffs).toMatchObject([{ current: 50_300, change: 300 }]);
  expect(await faults()).toEqual([]);
});

test('only administrators can sign off an account, and only with the balance that they saw', async () => {
  const { company, entry, sign, refused, list, withdraw } = await booksOf();
  await entry('2026-03-11', [CHECKING, SALES], 1);
  expect(await refused(500)).toMatchObject({
    status: 409,
    message: 'The balance is now $501.00. Review the account and sign it off again.',
  });
  const { token: bookkeeper } = company.bookkeeper;
  expect((await refused(501, bookkeeper)).status).toBe(403);
  const { id } = await sign(501);
  expect((await t.refused(closingCalls.withdrawSignOff, { ...withdraw(id), token: bookkeeper })).status).toBe(403);
  expect((await list()).signOffs).toHaveLength(1);
});

test('a repeated sign-off changes nothing, and a different sign-off requires withdrawing the first one', async () => {
  const { company, entry, sign, refused, list, withdraw } = await booksOf();
  const signed = await sign(500);
  expect(await sign(500)).toEqual(signed);
  const { token: colleague } = await colleagueOf(company);
  const message = `${signed.signedBy} already signed off this account through 3/31/2026. Withdraw that sign-off first.`;
  expect(await refused(500, colleague)).toMatchObject({ status: 409, message });
  await entry('2026-03-12', [CHECKING, SALES], 2);
  expect(await refused(502)).toMatchObject({ status: 409, message });
  // Another tab withdraws the sign-off and signs off again, so the sign-off that this tab shows no longer exists.
  await t.call(closingCalls.withdrawSignOff, withdraw(signed.id));
  const again = await sign(502);
  expect((await t.refused(closingCalls.withdrawSignOff, withdraw(signed.id))).status).toBe(404);
  expect((await list()).signOffs).toEqual([again]);
  const log = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ action: string }>`
      select action from audit_log
      where company_id = ${COMPANY} and subject_type = 'account sign-off' order by id`),
  );
  expect(log.map(({ action }) => action)).toEqual(['create', 'delete', 'create']);
});

test('only one of two administrators who sign off an account at the same time succeeds', async () => {
  const { company, token, bodyOf, list } = await booksOf();
  const { token: colleague } = await colleagueOf(company);
  const both = [token, colleague].map((by) =>
    t.request({ ...requestOf(closingCalls.signOffAccount, { body: bodyOf(500, by.slice(0, 3)) }), token: by }),
  );
  const statuses = (await Promise.all(both)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await list()).signOffs).toHaveLength(1);
});

test('a sign-off waits for a transaction that is being posted', async () => {
  const { company, token, bodyOf, list } = await booksOf();
  const owner = await openClient({ connectionString: t.databaseUrl });
  const { going } = await t.inCompany(company.companyId, async (tx) => {
    await tx.one(lockNextPostingSql());
    const request = t.call(closingCalls.signOffAccount, { token, body: bodyOf(500) });
    await vi.waitFor(async () => expect((await owner.query(WAITS)).rowCount).toBe(1), { timeout: 10_000 });
    return { going: request };
  });
  await owner.end();
  expect(await going).toMatchObject({ balance: 50_000, change: 0 });
  expect((await list()).signOffs).toHaveLength(1);
});

test('a balance that is signed off during other postings is exact, and later postings are its change', async () => {
  const { token, entry, list, bodyOf, faults } = await booksOf();
  let isPosting = true;
  const posting = (async () => {
    for (let at = 0; at < 30; at += 1) await entry('2026-03-20', [CHECKING, SALES], 1);
    isPosting = false;
  })();
  let signed: unknown;
  while (signed === undefined) {
    const { balance } = await list();
    const request = requestOf(closingCalls.signOffAccount, { body: bodyOf(balance / 100) });
    const { status, body } = await t.request({ ...request, token });
    expect([200, 409]).toContain(status);
    if (status === 200) signed = body;
  }
  expect(signed).toBeDefined();
  await posting;
  expect(isPosting).toBe(false);
  const [row] = (await list()).signOffs;
  const { since = 0, change } = row ?? {};
  const body = { accountIds: [CHECKING], from: null, to: date, basis: 0, profitCenterId: null, locationId: null };
  expect((await t.call(ledgerCalls.postedItems, { token, body: { ...body, since } })).amount).toBe(change);
  expect(row?.current).toBe(53_000);
  expect(await faults()).toEqual([]);
});

test.each([
  ['balance_cents', 'balance_cents + 1', 'was signed off through 2026-03-31 with 50001 cents instead of 50000'],
  ['last_transaction_id', '0', 'was signed off through 2026-03-31 with 50000 cents instead of 0'],
  ['through_date', `'2026-03-09'`, 'was signed off through 2026-03-09 with 50000 cents instead of 0'],
])('verify finds a sign-off with a changed %s', async (column, value, message) => {
  const { company, sign } = await booksOf();
  await sign(500);
  const faults = await t.inCompany(company.companyId, async (tx) => {
    await tx.rows(sql.raw(`update account_sign_off set ${column} = ${value} where company_id = ${company.companyId}`));
    return faultsOf(tx, 'account sign-offs');
  });
  expect(faults.map((fault) => fault.message)).toEqual([`account ${CHECKING} ${message}`]);
});
